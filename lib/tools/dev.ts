import { unknownName } from "../core/nearest.ts";
import { badArguments, print, runCommand } from "./command.ts";

/** Maintainers' tools: what each does, and the permissions it is started with. */
const TOOLS: Readonly<Record<string, { about: string; run: readonly string[] }>> = {
  bench: { about: "speed and memory", run: ["--allow-read", "--allow-run=deno", "tests/bench/main.ts"] },
  soak: {
    about: "what live runs survive; half an hour and more",
    run: [
      ...["--allow-read", "--allow-write", "--allow-env", "--allow-net=127.0.0.1", "--allow-sys=uid", "--allow-run"],
      "tests/faults/soak.ts",
    ],
  },
  kernel: {
    about: "compile the statistics' kernel",
    run: ["--allow-read", "--allow-write=lib/stats/kernel", "--allow-env", "tests/bench/kernel/main.ts"],
  },
  fit: {
    about: "fit the surrogate again",
    run: ["--allow-read=.", "--allow-write=scenarios/surrogate.json", "tests/bench/fit/main.ts"],
  },
  "fit-station": {
    about: "fit the station's floor again",
    run: ["--allow-read=.", "--allow-write=scenarios/mosaic-9.json", "tests/bench/fit_station/main.ts"],
  },
  seeds: {
    about: "the surrogate's slopes under many master seeds",
    run: ["--allow-read=.", "--allow-write=data/surrogate", "tests/bench/seeds/main.ts"],
  },
  estimators: {
    about: "how often intervals and tests are right, over many ensembles",
    run: ["--allow-read=.", "--allow-write=data/estimators", "tests/bench/estimators/main.ts"],
  },
};

const HELP = `
usage: deno task dev NAME [arguments]
       deno task dev NAME --help

Starts a maintainer's tool in a process of its own, with the permissions that it needs and no others:

${Object.entries(TOOLS).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`).join("\n")}
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
    const child = new Deno.Command("deno", { args: ["run", ...TOOLS[name]!.run, ...args] }).spawn();
    // Ctrl-C reaches the tool too, which ends in its own way.
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
    Deno.exit((await child.status).code);
  }
}
