import { unknownName, UserError } from "@/core/user_error.ts";
import { runCommand, say } from "@/tools/command.ts";

/** Another part checks the types. */
const TEST = "test --quiet --parallel --no-check";
/** Tests may do anything but reach another machine. */
const PERMISSIONS = "--allow-read --allow-write --allow-run --allow-env --allow-sys --allow-ffi --allow-net=127.0.0.1";
const WRITE_OUT = "--allow-write=data/out";
/** Cells draw pictures by native code, which asks for its platform. */
const CELLS = `--allow-read ${WRITE_OUT} --allow-env --allow-sys --allow-ffi`;
const CHECK_NOTEBOOKS = `run ${CELLS} --allow-run=deno,jupyter-nbconvert tests/bench/notebooks/check_notebooks.ts`;
/** Files of the guide, each by name: `deno check` finds examples in Markdown files only if they are named. */
const GUIDE = Array.from(Deno.readDirSync("notebooks/guide"), ({ name }) => `notebooks/guide/${name}`);
const PROSE = ["README.md", ...GUIDE].join(" ");

/** One part of the whole. */
interface Part {
  readonly about: string;
  /** Deno's arguments, a line for each process. */
  readonly run: readonly string[];
  /** Its result does not depend on timing: it runs beside others, and prints only if it fails. */
  readonly beside?: true;
}

const ALWAYS: Readonly<Record<string, Part>> = {
  format: { about: "everything is formatted", run: ["fmt --check"], beside: true },
  lint: { about: "the linter's rules hold", run: ["lint --quiet"], beside: true },
  types: {
    about: "every module and every example in docs, README and guide type-checks",
    run: [`check --quiet --doc . ${PROSE}`],
    beside: true,
  },
  tests: { about: "the tests pass", run: [`${TEST} ${PERMISSIONS} tests`] },
  docs: {
    about: "the examples in docs, README and guide run",
    run: [`${TEST} --doc ${CELLS} lib ${PROSE}`],
    beside: true,
  },
  notebooks: { about: "cells type-check, keep to the rules, and give the stored outputs", run: [CHECK_NOTEBOOKS] },
};

const FULL: Readonly<Record<string, Part>> = {
  compiled: {
    about: "the statistics' compiled kernel is what its source compiles to",
    run: ["run --allow-read --allow-env tests/bench/kernel/main.ts --check"],
  },
  groups: {
    about: "the counts of real groups are what their records give, where these are in ../shared/groups",
    run: ["run --allow-read tests/bench/groups/main.ts --check"],
  },
  kernel: { about: "the real Deno kernel gives the stored outputs", run: [`${CHECK_NOTEBOOKS} --kernel`] },
  postgres: {
    about: "many workers share one PostgreSQL server, whichever of them is killed",
    run: [`${TEST} ${PERMISSIONS} tests/postgres/*.postgres.ts`],
  },
  dialect: {
    about: "live runs against a third-party server, installed from npm, equal those of the embedded councils",
    run: [`${TEST} ${PERMISSIONS} tests/faults/third_party.full.ts`],
  },
  edited: {
    about: "under other first cells no notebook stops, and none prints NaN",
    run: [`${TEST} ${PERMISSIONS} tests/bench/notebooks/every_notebook.edited.ts`],
  },
  pages: {
    about: "every page is whole in a real browser; its controls work there and in classic Notebook",
    run: [
      `run --allow-read ${WRITE_OUT} --allow-run=deno lib/tools/reproduce.ts`,
      "test --quiet --allow-all tests/browser/*.browser.ts",
    ],
  },
};

const PARTS: Readonly<Record<string, Part>> = { ...ALWAYS, ...FULL };

const listing = (parts: Readonly<Record<string, Part>>): string =>
  Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`).join("\n");

const HELP = `
usage: deno task test [PART...]
       deno task test-full

Checks everything that must hold, part by part; without PART, runs the whole first group.

${listing(ALWAYS)}

test-full adds the parts below, which need Debian's jupyter-nbconvert, python3-nbclient, jupyter-client,
jupyter-notebook, chromium and postgresql:

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

async function runAll({ run, beside }: Part): Promise<boolean> {
  for (const line of run) {
    const output = beside ? "piped" : "inherit";
    const args = line.split(" ");
    const child = new Deno.Command("deno", { args, stdin: "null", stdout: output, stderr: output }).spawn();
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
