import { join } from "node:path";
import { UserError } from "../../core/user_error.ts";
import { checkOut, missing, readText, writeAtomically } from "../../record/files.ts";
import { conditionSources } from "../runs/import_conditions.ts";
import { type ImportedRuns, importRuns, loadRunSource } from "../runs/import_runs.ts";
import { fileNameOf, plainLines, plainSource } from "../runs/plain_runs.ts";
import { badArguments, count, print, runCommand, say } from "./command.ts";
import { askedRecords, importNotes, RECORD_FLAGS, those } from "./record_flags.ts";
import HELP from "./help/import.txt" with { type: "text" };

/** Says what was left out, carried or not read: a count that nobody sees is a claim that nothing happened. */
function report(imported: ImportedRuns): void {
  const { name, runs, agents, options, excluded } = imported;
  const rounds = runs[0]?.means.length ?? 0;
  const shape = [
    count(runs.length, "run"),
    count(rounds, "round"),
    count(agents.length, "agent"),
    count(options.length, "option"),
  ];
  const left = those(excluded.length > 0 && `${count(excluded.length, "run")} left out`);
  say(`import: ${name}: ${[...shape, ...importNotes(imported), ...left].join(", ")}`);
  for (const { id, cause } of excluded) say(`import: ${name}: ${id} is left out: ${cause}`);
}

/** The text of an earlier import; undefined if there is none. Throws a UserError where another file has this name. */
async function earlierImport(path: string): Promise<string | undefined> {
  if (await missing(path)) return undefined;
  if (await plainSource(path)) return await readText(path);
  throw new UserError(`${path} is no import of ours and stays as it is; name another folder`, { exitCode: 2 });
}

if (import.meta.main) {
  await runCommand({
    name: "import",
    help: HELP,
    options: {
      ...RECORD_FLAGS,
      from: { type: "string" },
      out: { type: "string" },
      print: { type: "boolean", default: false },
    },
    async run({ values, positionals }) {
      const asked = askedRecords({ ...values, format: values.from });
      if (asked === undefined) throw badArguments("say how to read the records: --source MAPPING or --from FORMAT");
      if (positionals.length === 0) throw badArguments("name the records: files, folders or zips");
      const { choices, ...format } = asked.options;
      const conditions = await conditionSources(positionals, asked.source, format);
      if (values.print) {
        print(JSON.stringify(await loadRunSource(conditions[0]!.source, choices), null, 2));
        return;
      }
      if (values.out === undefined) throw badArguments("--out is missing: the folder of the runs");
      checkOut(values.out);
      const written = new Set<string>();
      for (const { files, source, name } of conditions) {
        const imported = await importRuns(files, source, { choices, name });
        const path = join(values.out, `${fileNameOf(imported.name)}.jsonl`);
        if (written.has(path)) {
          throw new UserError(`two conditions have the name ${imported.name}; import them one by one`);
        }
        const text = plainLines(imported).map((line) => `${line}\n`).join(""), earlier = await earlierImport(path);
        await writeAtomically(path, text);
        if (earlier !== undefined && earlier !== text) say(`import: ${path}: replaces other runs of an earlier import`);
        written.add(path);
        report(imported);
        print(path);
      }
    },
  });
}
