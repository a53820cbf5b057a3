import { join } from "node:path";
import { UserError } from "../../core/user_error.ts";
import { checkOut, missing, writeAtomically } from "../../record/files.ts";
import { fileNameOf, messageLines, plainLines, type PlainRuns, tableOf } from "../runs/plain_runs.ts";
import { readLedger } from "../../deliberation/ledger.ts";
import { committeeLog, stationLogs } from "../runs/formats/inspect_log.ts";
import { isFolder } from "../runs/summary_files.ts";
import { badArguments, oneOf, print, runCommand, say } from "./command.ts";
import { fromFile, looksNote, plainOf } from "./measure_sources.ts";
import HELP from "./help/export.txt" with { type: "text" };

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

const plain = (ending: string, write: (runs: PlainRuns) => string) => async (path: string) => {
  const runs = plainOf(await fromFile(path, { reread: undefined }));
  sayLooks(path, runs.looks);
  return [{ name: `${fileNameOf(runs.name)}${ending}`, content: write(runs) }];
};

/** Says what a table has no place for. */
function sayLooks(path: string, looks: number | undefined): void {
  if (looks) say(`${path}: ${looksNote(looks)}`);
}

async function inspect(path: string) {
  if (await isFolder(path)) return await stationLogs(path);
  const ledger = await readLedger(path);
  sayLooks(path, ledger.looks.length);
  return [committeeLog(ledger)];
}

/** The forms that can be written, each as the files that a path gives. */
const FORMATS: Readonly<Record<string, (path: string) => Promise<{ name: string; content: string }[]>>> = {
  csv: plain(".csv", tableOf),
  messages: plain(".messages.jsonl", (runs) => lines(messageLines(runs))),
  plain: plain(".jsonl", (runs) => lines(plainLines(runs))),
  inspect,
};

if (import.meta.main) {
  await runCommand({
    name: "export",
    help: HELP,
    options: { as: { type: "string" }, to: { type: "string" }, out: { type: "string" } },
    async run({ values, positionals }) {
      if (values.as !== undefined && values.to !== undefined) throw badArguments("give --as or --to, not both");
      const format = oneOf("format", values.to ?? values.as ?? "csv", Object.keys(FORMATS));
      if (positionals.length === 0) throw badArguments("name a ledger, or a file of runs");
      if (values.out === undefined) throw badArguments("--out is missing: the folder of the files");
      checkOut(values.out);
      for (const file of positionals) {
        const exported = await FORMATS[format]!(file);
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
