import { unknownName } from "@/core/user_error.ts";
import { badArguments, print, runCommand } from "@/lab/tools/command.ts";

/** Maintainers' tools: what each does, its permissions, and its file in `tests/`. */
const TOOLS: Readonly<Record<string, readonly [about: string, permissions: string, file: string]>> = {
  bench: ["speed and memory", "--allow-read --allow-run=deno", "bench/main.ts"],
  soak: [
    "faults that live runs survive; half an hour and more",
    "--allow-read --allow-write --allow-env --allow-net=127.0.0.1 --allow-sys=uid --allow-run",
    "faults/soak.ts",
  ],
  store: [
    "what a store on PostgreSQL costs at a million calls",
    "--allow-read --allow-write --allow-env --allow-net=127.0.0.1 --allow-sys=uid,hostname --allow-run",
    "bench/store/main.ts",
  ],
  lines: [
    "the size of the code, the cells and the documents",
    "--allow-read --allow-write --allow-env=TMPDIR --allow-run=deno,git,tar",
    "gate/lines/main.ts",
  ],
  kernel: [
    "compile the statistics' kernel",
    "--allow-read --allow-write=lib/stats/kernel --allow-env",
    "makers/kernel/main.ts",
  ],
  fit: ["fit the surrogate again", "--allow-read=. --allow-write=scenarios/surrogate.json", "makers/fit/main.ts"],
  "fit-station": [
    "fit the station's floor again",
    "--allow-read=. --allow-write=scenarios/mosaic-9.json",
    "makers/fit_station/main.ts",
  ],
  seeds: [
    "the surrogate's slopes under many master seeds",
    "--allow-read=. --allow-write=data/surrogate",
    "makers/seeds/main.ts",
  ],
  estimators: [
    "how often intervals and tests are right, over many ensembles",
    "--allow-read=. --allow-write=data/estimators",
    "makers/estimators/main.ts",
  ],
  claims: [
    "the values of the papers' claims, from their tables",
    "--allow-read=. --allow-write=data/claims",
    "makers/claims/main.ts",
  ],
  groups: [
    "count the records of real groups again",
    "--allow-read --allow-write=data/groups",
    "makers/groups/main.ts",
  ],
  notebooks: [
    "check all notebooks, and record what their outputs depend on",
    "--allow-read --allow-write=data/out,tests/gate/notebooks --allow-env --allow-sys --allow-ffi --allow-run=deno",
    "gate/notebooks/check_notebooks.ts --record",
  ],
  package: [
    "a tarball for npm, and the guide's examples on it",
    "--allow-read --allow-write --allow-env=TMPDIR --allow-run=deno,node,npm",
    "gate/package/main.ts",
  ],
};

const HELP = `
usage: deno task dev NAME [arguments]
       deno task dev NAME --help

Starts a maintainers' tool in a process of its own, with only the permissions that it needs:

${Object.entries(TOOLS).map(([name, [about]]) => `  ${name.padEnd(12)} ${about}`).join("\n")}
`;

if (import.meta.main) {
  const [name, ...args] = Deno.args;
  if (name === undefined || !Object.hasOwn(TOOLS, name)) {
    await runCommand({
      name: "dev",
      help: HELP,
      options: {},
      run: ({ positionals: [wanted] }) => {
        if (wanted !== undefined) throw unknownName("tool", wanted, Object.keys(TOOLS));
        print(HELP.trim());
        throw badArguments("name a tool");
      },
    });
  } else {
    const [, permissions, file] = TOOLS[name]!;
    const child = new Deno.Command("deno", {
      args: ["run", ...permissions.split(" "), ...`tests/${file}`.split(" "), ...args],
    }).spawn();
    // Ctrl-C reaches the tool too, which stops in its own way.
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
    Deno.exit((await child.status).code);
  }
}
