import { fileURLToPath } from "node:url";
import { UserError } from "@/core/user_error.ts";
import { progress } from "@/lab/notebook/progress.ts";
import { missing, writeAtomically } from "@/record/files.ts";
import { print, runCommand } from "@/lab/tools/command.ts";
import { conditionLine } from "./count_condition.ts";
import { DATA, plannedConditions, RECORDS } from "./planned.ts";
import { reasonsFile, reasonsOf } from "./reasons.ts";

const HELP = `
usage: deno task dev groups [--check]

Makes data/groups/SET.jsonl and reasons.json again from the records of real groups, which others published: counts, deals,
scores and distances between what was said, no word of a transcript. The records are no part of the project; they are looked for in ../shared/groups, in the form that
data/groups/README.md tells. Takes about two minutes.

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
    const planned = await plannedConditions(), files = new Map<string, string>(), reasons = [];
    const bar = await progress("Conditions", planned.length);
    for (const row of planned) {
      const name = `${row.set}.jsonl`, own = await reasonsOf(row);
      files.set(name, (files.get(name) ?? "") + await conditionLine(row));
      if (own) reasons.push(own);
      await bar.advance();
    }
    await bar.finish();
    files.set("reasons.json", reasonsFile(reasons));
    for (const [name, text] of files) {
      const file = fileURLToPath(new URL(name, DATA));
      const same = !await missing(file) && await Deno.readTextFile(file) === text;
      if (!check) await writeAtomically(file, text);
      else if (!same) throw new UserError(`${file} is not what is made now; make it again with: deno task dev groups`);
      print(`${file}: ${same ? "as before" : "written"}`);
    }
  },
});
