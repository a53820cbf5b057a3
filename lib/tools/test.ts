import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { runCommand, say } from "./command.ts";

/** Types are a part of their own. */
const TEST = ["test", "--quiet", "--parallel", "--no-check"];
/** What tests may do: anything but reach another machine. */
const TEST_PERMISSIONS = [
  ...["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys", "--allow-ffi"],
  "--allow-net=127.0.0.1",
];
const WRITE_OUT = "--allow-write=data/out";
const PROSE = ["README.md", "notebooks/guide"];

/** One part of the whole: Deno's arguments, one list a process. */
interface Part {
  readonly about: string;
  readonly processes: readonly (readonly string[])[];
  /** Nothing in it depends on the time it takes: it runs beside others, and says nothing unless it fails. */
  readonly beside?: true;
}

const ALWAYS: Readonly<Record<string, Part>> = {
  format: { about: "everything is formatted", processes: [["fmt", "--check"]], beside: true },
  lint: { about: "the linter's rules hold", processes: [["lint", "--quiet"]], beside: true },
  types: {
    about: "every module and every example in docs, README and guide type-checks",
    processes: [["check", "--quiet", "--doc", ".", ...PROSE]],
    beside: true,
  },
  tests: {
    about: "the tests pass",
    processes: [[...TEST, ...TEST_PERMISSIONS, "tests"]],
  },
  docs: {
    about: "the examples in docs, README and guide run",
    processes: [[...TEST, "--doc", "--allow-read", WRITE_OUT, "lib", ...PROSE]],
    beside: true,
  },
  notebooks: {
    about: "cells type-check, keep to the rules, and give the stored outputs",
    // The strict reader of pictures is native code, which asks for its platform.
    processes: [[
      ...["run", "--allow-read", WRITE_OUT, "--allow-run=deno", "--allow-env", "--allow-sys", "--allow-ffi"],
      "lib/tools/check_notebooks.ts",
    ]],
  },
};

const BROWSER_TESTS = ["pages", "explorer", "deliberation_explorer"].map((name) => `tests/browser/${name}.browser.ts`);

const POSTGRES_TESTS = ["store", "commands", "fleet"].map((name) => `tests/postgres/${name}.postgres.ts`);

const FULL: Readonly<Record<string, Part>> = {
  compiled: {
    about: "the statistics' compiled kernel is what its source compiles to",
    processes: [["run", "--allow-read", "--allow-env", "tests/bench/kernel/main.ts", "--check"]],
  },
  kernel: {
    about: "the real Deno kernel gives the stored outputs",
    processes: [["run", "--allow-read=.", WRITE_OUT, "--allow-run=jupyter-nbconvert", "lib/tools/kernel.ts"]],
  },
  postgres: {
    about: "many workers share one PostgreSQL server, whoever of them is killed",
    processes: [[...TEST, ...TEST_PERMISSIONS, ...POSTGRES_TESTS]],
  },
  dialect: {
    about:
      "live runs against a server that somebody else wrote, installed from npm, are those of the embedded councils",
    processes: [[...TEST, ...TEST_PERMISSIONS, "tests/faults/third_party.full.ts"]],
  },
  edited: {
    about: "every notebook keeps on and prints no number that is none under other first cells",
    processes: [[...TEST, ...TEST_PERMISSIONS, "tests/tools/notebooks/every_notebook.edited.ts"]],
  },
  pages: {
    about: "every page is whole in a real browser, and what moves moves there and in classic Notebook",
    processes: [
      ["run", "--allow-read=.", WRITE_OUT, "--allow-run=deno", "lib/tools/reproduce.ts"],
      ["test", "--quiet", "--allow-all", ...BROWSER_TESTS],
    ],
  },
};

const PARTS: Readonly<Record<string, Part>> = { ...ALWAYS, ...FULL };

const listing = (parts: Readonly<Record<string, Part>>): string =>
  Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`).join("\n");

const HELP = `
usage: deno task test [PART...]
       deno task test-full

Checks everything that must hold, part by part; without a PART, all of the first group.

${listing(ALWAYS)}

test-full adds what needs Debian's jupyter-nbconvert, python3-nbclient, jupyter-client, jupyter-notebook, chromium and
postgresql:

${listing(FULL)}
`;

async function runParts(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw unknownName("part", unknown, Object.keys(PARTS));
  const failed: string[] = [];
  const run = async (name: string) => {
    const part = PARTS[name]!;
    say(`== ${name}: ${part.about}`);
    const begin = performance.now();
    const passed = await runAll(part);
    say(`== ${name}: ${passed ? "passed" : "FAILED"} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    if (!passed) failed.push(name);
  };
  const alone = names.filter((name) => !PARTS[name]!.beside);
  await Promise.all(names.filter((name) => !alone.includes(name)).map(run));
  for (const name of alone) await run(name);
  if (failed.length > 0) {
    throw new UserError(`${failed.join(", ")} failed; run one again with: deno task test ${failed[0]}`);
  }
  say(`all ${names.length} parts passed`);
}

async function runAll({ processes, beside }: Part): Promise<boolean> {
  for (const args of processes) {
    const output = beside ? "piped" : "inherit";
    const child = new Deno.Command("deno", { args: [...args], stdin: "null", stdout: output, stderr: output }).spawn();
    const said = beside && await child.output();
    const { success } = await child.status;
    if (success) continue;
    if (said) { for (const bytes of [said.stdout, said.stderr]) say(new TextDecoder().decode(bytes)); }
    return false;
  }
  return true;
}

if (import.meta.main) {
  await runCommand({
    name: "test",
    help: HELP,
    options: { full: { type: "boolean", default: false } },
    async run({ values, positionals }) {
      const all = Object.keys(values.full ? PARTS : ALWAYS);
      await runParts(positionals.length > 0 ? positionals : all);
    },
  });
}
