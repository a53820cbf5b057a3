import { fileURLToPath } from "node:url";
import { UserError } from "@/core/user_error.ts";
import { badArguments, print, runCommand, textTable } from "@/lab/tools/command.ts";
import { countLines, type Counts, type RoomCount } from "./count_lines.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const HELP = `
usage: deno task dev lines [--base REF]

Counts code lines, files and floors of imports of lib/ by room, and exported names, notebook cells, documents and tests.
A code line is neither blank nor comment, as cloc counts TypeScript. The floors of a room are the files on its longest
chain of imports. The library is all but lab/.

  --base REF  also count the tree of a git commit, branch or tag, and print its numbers before the arrow
`;

/** The counts of a commit's tree. */
async function countBase(ref: string): Promise<Counts> {
  const folder = await Deno.makeTempDir();
  try {
    await succeed("git", ["-C", ROOT, "archive", `--output=${folder}.tar`, ref]);
    await succeed("tar", ["-xf", `${folder}.tar`, "-C", folder]);
    return await countLines(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(`${folder}.tar`).catch(() => {});
  }
}

async function succeed(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, stdin: "null" }).output();
  if (!success) throw new UserError(`${command} failed: ${new TextDecoder().decode(stderr).trim()}`);
}

await runCommand({
  name: "lines",
  call: "deno task dev lines",
  help: HELP,
  options: { base: { type: "string" } },
  async run({ values: { base }, positionals }) {
    if (positionals.length > 0) throw badArguments(`lines takes no names, got "${positionals[0]}"`);
    const before = base === undefined ? undefined : await countBase(base);
    const now = await countLines(ROOT);
    const count = (room: string, of: keyof RoomCount) => beside(now.rooms[room]?.[of], before?.rooms[room]?.[of]);
    print(textTable([
      ["", "lines", "files", "floors"],
      ...namesOf(now.rooms, before?.rooms).map((room) => [
        ...[room, count(room, "lines"), count(room, "files"), count(room, "floors")],
      ]),
    ]));
    const names = namesOf(now.others, before?.others);
    print(`\n${textTable(names.map((name) => [name, beside(now.others[name], before?.others[name])]))}`);
  },
});

function namesOf(now: object, before: object = {}): string[] {
  return [...new Set([...Object.keys(now), ...Object.keys(before)])];
}

function beside(now: number | undefined, before: number | undefined): string {
  return before === undefined || before === now ? `${now ?? ""}` : `${before} → ${now ?? "gone"}`;
}
