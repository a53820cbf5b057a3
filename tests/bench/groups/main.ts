import { fileURLToPath } from "node:url";
import { UserError } from "@/core/user_error.ts";
import { progress } from "@/notebook/progress.ts";
import { missing, writeAtomically } from "@/record/files.ts";
import { print, runCommand } from "@/tools/command.ts";
import { conditionLine } from "./count_condition.ts";
import { DATA, plannedConditions, RECORDS } from "./planned.ts";

const HELP = `
usage: deno task dev groups [--check]

Makes data/groups/SET.jsonl again from the records of real groups, which others published: counts, deals and scores, no
word of a transcript. The records are no part of the project; they are looked for in ../shared/groups, in the form that
data/groups/README.md tells. Takes about a minute.

  --check   writes nothing; fails unless every file is, byte for byte, what is made now
`;

await runCommand({
  name: "groups",
  help: HELP,
  options: { check: { type: "boolean", default: false } },
  async run({ values: { check } }) {
    const records = fileURLToPath(RECORDS);
    if (await missing(records)) {
      if (!check) throw new UserError(`${records} is not there: it holds the records to be counted`);
      return print("skipped: the records of real groups are not in ../shared/groups");
    }
    const planned = await plannedConditions(), lines = new Map<string, string>();
    const bar = await progress("Conditions", planned.length);
    for (const row of planned) {
      lines.set(row.set, (lines.get(row.set) ?? "") + await conditionLine(row));
      await bar.advance();
    }
    await bar.finish();
    for (const [set, text] of lines) {
      const file = fileURLToPath(new URL(`${set}.jsonl`, DATA));
      const same = !await missing(file) && await Deno.readTextFile(file) === text;
      if (!check) await writeAtomically(file, text);
      else if (!same) throw new UserError(`${file} is not what is made now; make it again with: deno task dev groups`);
      print(`${file}: ${same ? "as before" : "written"}`);
    }
  },
});
