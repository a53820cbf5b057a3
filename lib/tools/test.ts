import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { runCommand, say } from "./command.ts";

/** What tests may do: anything but reach another machine. */
const TEST_PERMISSIONS = [
  ...["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys", "--allow-ffi"],
  "--allow-net=127.0.0.1",
];
const WRITE_OUT = "--allow-write=data/out";

/** One part of the whole: Deno's arguments, one list a process. */
interface Part {
  readonly about: string;
  readonly processes: readonly (readonly string[])[];
}

const ALWAYS: Readonly<Record<string, Part>> = {
  format: { about: "everything is formatted", processes: [["fmt", "--check"]] },
  lint: { about: "the linter's rules hold", processes: [["lint", "--quiet"]] },
  types: { about: "every module type-checks", processes: [["check", "--quiet"]] },
  tests: {
    about: "the tests pass",
    // Types are the part before.
    processes: [["test", "--quiet", "--parallel", "--no-check", ...TEST_PERMISSIONS, "tests"]],
  },
  docs: {
    about: "the examples in docs and README run",
    processes: [["test", "--quiet", "--doc", "--parallel", "--allow-read", WRITE_OUT, "lib", "README.md"]],
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

const FULL: Readonly<Record<string, Part>> = {
  kernel: {
    about: "the real Deno kernel gives the stored outputs",
    processes: [["run", "--allow-read=.", WRITE_OUT, "--allow-run=jupyter-nbconvert", "lib/tools/kernel.ts"]],
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

test-full adds what needs Debian's jupyter-nbconvert, python3-nbclient, jupyter-client, jupyter-notebook and chromium:

${listing(FULL)}
`;

async function runParts(names: readonly string[]): Promise<void> {
  const failed: string[] = [];
  for (const name of names) {
    const part = PARTS[name];
    if (part === undefined) throw unknownName("part", name, Object.keys(PARTS));
    say(`== ${name}: ${part.about}`);
    const begin = performance.now();
    const passed = await runAll(part.processes);
    say(`== ${name}: ${passed ? "passed" : "FAILED"} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    if (!passed) failed.push(name);
  }
  if (failed.length > 0) {
    throw new UserError(`${failed.join(", ")} failed; run one again with: deno task test ${failed[0]}`);
  }
  say(`all ${names.length} parts passed`);
}

async function runAll(processes: Part["processes"]): Promise<boolean> {
  for (const args of processes) {
    const { success } = await new Deno.Command("deno", { args: [...args], stdin: "null" }).spawn().status;
    if (!success) return false;
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
