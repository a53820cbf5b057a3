import { join } from "node:path";
import { UserError } from "../core/user_error.ts";
import { readLedger } from "../deliberation/ledger.ts";
import { beginsAsLedger } from "../record/ledger_rules.ts";
import { inspectLog } from "../runs/formats/inspect_log.ts";
import { checkOut, missing, writeAtomically } from "../record/files.ts";
import { fileNameOf, messageLines, plainLines, type PlainRuns, tableOf } from "../runs/plain_runs.ts";
import { badArguments, oneOf, print, runCommand } from "./command.ts";
import { fromFile, plainOf } from "./measure_sources.ts";
import HELP from "./help/export.txt" with { type: "text" };

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/** The forms that can be written, and the ending of their files. */
const FORMATS: Readonly<Record<string, { readonly ending: string; readonly write: (runs: PlainRuns) => string }>> = {
  csv: { ending: ".csv", write: tableOf },
  messages: { ending: ".messages.jsonl", write: (runs) => lines(messageLines(runs)) },
  plain: { ending: ".jsonl", write: (runs) => lines(plainLines(runs)) },
};

if (import.meta.main) {
  await runCommand({
    name: "export",
    help: HELP,
    options: { as: { type: "string", default: "csv" }, to: { type: "string" }, out: { type: "string" } },
    async run({ values, positionals }) {
      const form = oneOf("format", values.to ?? values.as, [...Object.keys(FORMATS), "inspect"]);
      if (positionals.length === 0) throw badArguments("name a ledger, or a file of runs");
      if (values.out === undefined) throw badArguments("--out is missing: the folder of the files");
      checkOut(values.out);
      const save = async (path: string, content: string | Uint8Array) => {
        if (!await missing(path)) throw new UserError(`${path} is there already; name another folder, or remove it`);
        await writeAtomically(path, content);
        print(path);
      };
      if (form === "inspect") {
        for (const file of positionals) {
          if (!await beginsAsLedger(file)) {
            throw new UserError(`${file} is no ledger: a log of Inspect is made of a ledger`);
          }
          const ledger = await readLedger(file), { json, zip } = inspectLog(ledger);
          const path = join(values.out, fileNameOf(ledger.declaration.name));
          await save(`${path}.json`, json);
          await save(`${path}.eval`, zip);
        }
        return;
      }
      const { ending, write } = FORMATS[form]!;
      for (const file of positionals) {
        const runs = plainOf(await fromFile(file, { reread: undefined }));
        const path = join(values.out, `${fileNameOf(runs.name)}${ending}`);
        await save(path, write(runs));
      }
    },
  });
}
