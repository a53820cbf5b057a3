import { join } from "node:path";
import { UserError } from "../core/user_error.ts";
import { checkOut, missing, writeAtomically } from "../record/files.ts";
import { fileNameOf, messageLines, plainLines, type PlainRuns, tableOf } from "../runs/plain_runs.ts";
import { readLedger } from "../deliberation/ledger.ts";
import { beginsAsLedger } from "../record/ledger_rules.ts";
import { inspectJson, inspectLog, inspectZip } from "../runs/formats/inspect_log.ts";
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

/** Files of a ledger as a log of Inspect, by their endings. */
async function inspectFiles(file: string) {
  await checkFile(file);
  if (!await beginsAsLedger(file)) {
    throw new UserError(`${file} is no committee's ledger: a log of Inspect holds replies, which only ledgers have`);
  }
  const ledger = await readLedger(file);
  for (const { line, why } of ledger.damaged) {
    say(`export: ${file}: line ${line} ${why}; its run is an error in the log`);
  }
  const log = inspectLog(ledger);
  return { name: ledger.declaration.name, files: { ".json": inspectJson(log), ".eval": inspectZip(log) } };
}

async function plainFiles(file: string, { ending, write }: (typeof FORMATS)[string]) {
  const runs = plainOf(await fromFile(file, { reread: undefined }));
  return { name: runs.name, files: { [ending]: write(runs) } };
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
        const form = FORMATS[format], { name, files } = await (form ? plainFiles(file, form) : inspectFiles(file));
        const stem = join(values.out, fileNameOf(name));
        const contents = Object.entries<string | Uint8Array>(files).map(([ending, content]) =>
          [stem + ending, content] as const
        );
        for (const [path] of contents) {
          if (!await missing(path)) throw new UserError(`${path} is there already; name another folder, or remove it`);
        }
        for (const [path, content] of contents) {
          await writeAtomically(path, content);
          print(path);
        }
      }
    },
  });
}
