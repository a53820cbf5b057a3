import { join } from "node:path";
import { UserError } from "../core/user_error.ts";
import { checkOut, missing, reading, writeAtomically } from "../record/files.ts";
import { fileNameOf, messageLines, plainLines, type PlainRuns, tableOf } from "../runs/plain_runs.ts";
import { readLedger } from "../deliberation/ledger.ts";
import { beginsAsLedger } from "../record/ledger_rules.ts";
import { inspectFile, inspectJson, inspectLog, type LoggedCondition } from "../runs/formats/inspect_log.ts";
import { isStationFile, loggedCommittee, loggedStations } from "../runs/formats/logged_conditions.ts";
import { badArguments, oneOf, print, runCommand, say } from "./command.ts";
import { checkFile, fromFile, plainOf } from "./measure_sources.ts";
import HELP from "./help/export.txt" with { type: "text" };

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/** The forms that can be written, and the ending of their files. */
const FORMATS: Readonly<Record<string, { readonly ending: string; readonly write: (runs: PlainRuns) => string }>> = {
  csv: { ending: ".csv", write: tableOf },
  messages: { ending: ".messages.jsonl", write: (runs) => lines(messageLines(runs)) },
  plain: { ending: ".jsonl", write: (runs) => lines(plainLines(runs)) },
};

/** A file to write. */
interface Exported {
  readonly name: string;
  readonly content: string;
}

/** Logs of Inspect: of a ledger one, of station runs one a council and ruleset. */
async function inspectFiles(path: string): Promise<Exported[]> {
  const { isDirectory } = await reading(path, () => Deno.stat(path));
  if (isDirectory || isStationFile(path)) return (await loggedStations(path)).map(inspectExport);
  await checkFile(path);
  if (!await beginsAsLedger(path)) {
    throw new UserError(
      `${path} is no committee's ledger: a log of Inspect holds replies, which only ledgers and station runs have`,
    );
  }
  const ledger = await readLedger(path);
  for (const { line, why } of ledger.damaged) {
    say(`export: ${path}: line ${line} ${why}; its run is an error in the log`);
  }
  return [inspectExport(loggedCommittee(ledger))];
}

function inspectExport(condition: LoggedCondition): Exported {
  const log = inspectLog(condition);
  return { name: inspectFile(log), content: inspectJson(log) };
}

async function plainFiles(file: string, { ending, write }: (typeof FORMATS)[string]): Promise<Exported[]> {
  const runs = plainOf(await fromFile(file, { reread: undefined }));
  return [{ name: `${fileNameOf(runs.name)}${ending}`, content: write(runs) }];
}

if (import.meta.main) {
  await runCommand({
    name: "export",
    help: HELP,
    options: { as: { type: "string" }, to: { type: "string" }, out: { type: "string" } },
    async run({ values, positionals }) {
      if (values.as !== undefined && values.to !== undefined) throw badArguments("give --as or --to, not both");
      const format = oneOf("format", values.to ?? values.as ?? "csv", [...Object.keys(FORMATS), "inspect"]);
      if (positionals.length === 0) throw badArguments("name a ledger, or a file of runs");
      if (values.out === undefined) throw badArguments("--out is missing: the folder of the files");
      checkOut(values.out);
      for (const file of positionals) {
        const form = FORMATS[format], exported = await (form ? plainFiles(file, form) : inspectFiles(file));
        const contents = exported.map(({ name, content }) => ({ path: join(values.out!, name), content }));
        for (const { path } of contents) {
          if (!await missing(path)) throw new UserError(`${path} is there already; name another folder, or remove it`);
        }
        for (const { path, content } of contents) {
          await writeAtomically(path, content);
          print(path);
        }
      }
    },
  });
}
