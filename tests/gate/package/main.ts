import { basename, join } from "node:path";
import { UserError } from "@/core/user_error.ts";
import { print, runCommand } from "@/lab/tools/command.ts";
import { PROJECT } from "@/lab/tools/notebooks/workspace.ts";
import { buildPackage, moduleOf, packagesOf } from "./build.ts";
import { examples, importRatio, inDeno, inNode, installed, typeErrors } from "./examples.ts";
import { tryPublishing } from "./publish.ts";

const HELP = `
usage: deno task dev package [--check]

Tries what deno publish would do. Builds the library as a package for npm: modules that Node 20 and Deno read, one entry a
room, with their declarations. Installs it in two empty folders, in each of which Deno or Node runs the examples of README.md
and the guide, checks the types of a program that uses it, and imports the estimators. Asks the npm registry for the packages
that it depends on; needs node and npm.

  --check   keeps no tarball; otherwise it is written to data/out/package/
`;

/** What a package may weigh as it travels, in bytes. */
const MOST_BYTES = 1.5e6;
/** How long a process that imports the estimators may take, as a multiple of one that imports nothing. */
const MOST_RATIO = 1.5;

await runCommand({
  name: "package",
  help: HELP,
  options: { check: { type: "boolean", default: false } },
  async run({ values: { check } }) {
    const folder = await Deno.makeTempDir({ prefix: "package-" });
    try {
      const flaws = await checked(folder, check ? undefined : join(PROJECT, "data/out/package"));
      if (flaws.length > 0) throw new UserError(flaws.join("\n"));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}

/** Sentences about what does not hold; none where all is well. */
async function checked(folder: string, out: string | undefined): Promise<string[]> {
  const flaws: string[] = [], { problems, packed, unpacked } = await tryPublishing();
  print(`deno publish: ${problems.length} problems, ${megabytes(packed)} packed, ${megabytes(unpacked)} in files`);
  flaws.push(...problems);
  if (packed > MOST_BYTES) flaws.push(`deno publish would send ${packed} bytes; at most ${MOST_BYTES}`);
  const { tarball, built } = await buildPackage(folder);
  const { size } = await Deno.stat(tarball);
  print(`${basename(tarball)}: ${megabytes(size)}`);
  if (size > MOST_BYTES) flaws.push(`the tarball has ${size} bytes; at most ${MOST_BYTES}`);
  const light = await packagesOf(built, moduleOf("stats"));
  print(`stats imports ${[...light].sort().join(", ")}`);
  for (const heavy of ["zod", "openai"]) if (light.has(heavy)) flaws.push(`stats imports ${heavy}`);
  const all = await examples();
  for (const { name, outside } of all) if (outside) print(`left out: ${name} needs the room ${outside}`);
  const [deno, node] = [join(folder, "deno"), join(folder, "node")];
  for (const place of [deno, node]) await installed(place, tarball, all);
  const compiler = join(folder, "source/node_modules/typescript/bin/tsc");
  const outcomes = { Deno: await inDeno(deno, all), Node: await inNode(node, compiler, all) };
  for (const [runtime, { passed, asked, failures }] of Object.entries(outcomes)) {
    print(`${runtime}: ${passed} of ${asked} examples`);
    if (asked === 0) flaws.push(`${runtime}: no example was found`);
    flaws.push(...failures.map((words) => `${runtime}: ${words}`));
  }
  for (const [runtime, place] of [["Deno", deno], ["Node", node]] as const) {
    const errors = await typeErrors(runtime, place, compiler), ratio = await importRatio(runtime, place);
    print(
      `${runtime}: types ${errors ? "do not hold" : "hold"}; importing stats takes ${
        ratio.toFixed(2)
      } of an empty module`,
    );
    if (errors) flaws.push(`${runtime}: ${errors}`);
    if (ratio > MOST_RATIO) flaws.push(`${runtime}: importing stats takes ${ratio}, at most ${MOST_RATIO}`);
  }
  if (out !== undefined) {
    await Deno.mkdir(out, { recursive: true });
    await Deno.copyFile(tarball, join(out, basename(tarball)));
    print(`written: ${join("data/out/package", basename(tarball))}`);
  }
  return flaws;
}
