import { join } from "node:path";
import { UserError } from "../../core/user_error.ts";
import { checkOut, missing, refusePipe, writeAtomically } from "../../record/files.ts";
import { fileNameOf, messageLines, plainLines, type PlainRuns, tableOf } from "../runs/plain_runs.ts";
import { readLedger } from "../../deliberation/ledger.ts";
import { committeeLog, stationLogs } from "../runs/formats/inspect_log.ts";
import { isFolder } from "../runs/summary_files.ts";
import { badArguments, oneOf, print, runCommand } from "./command.ts";
import { fromFile, plainOf } from "./measure_sources.ts";
import HELP from "./help/export.txt" with { type: "text" };

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

const plain = (ending: string, write: (runs: PlainRuns) => string) => async (path: string) => {
  const runs = plainOf(await fromFile(path, { reread: undefined }));
  return [{ name: `${fileNameOf(runs.name)}${ending}`, content: write(runs) }];
};

/** The forms that can be written, each as the files that a path gives. */
const FORMATS: Readonly<Record<string, (path: string) => Promise<{ name: string; content: string }[]>>> = {
  csv: plain(".csv", tableOf),
  messages: plain(".messages.jsonl", (runs) => lines(messageLines(runs))),
  plain: plain(".jsonl", (runs) => lines(plainLines(runs))),
  inspect: async (path) => await isFolder(path) ? await stationLogs(path) : [committeeLog(await readLedger(path))],
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
        refusePipe(file);
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
