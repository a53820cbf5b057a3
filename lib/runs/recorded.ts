import { fileURLToPath } from "node:url";
import * as z from "zod";
import { statOf } from "../record/files.ts";
import { readJsonSync } from "../record/read_json.ts";

const FILE = new URL("../../data/recorded/recorded.json", import.meta.url);

const RecordedLedgers = z.strictObject({
  schema: z.literal("recorded/1"),
  ledgers: z.array(z.strictObject({
    file: z.string().describe("below data/recorded"),
    hash: z.string().describe("of its condition, which names the model of each seat: no two ledgers share it"),
    runs: z.int().min(1),
    model: z.string(),
    licence: z.string(),
    engine: z.string(),
    dtype: z.string(),
    decoding: z.string(),
    guidance: z.string(),
    load: z.string().describe("what other requests did to the arithmetic"),
    date: z.iso.date(),
  })),
});

/** What made a ledger of `data/recorded`, a row of its `recorded.json`. */
export type RecordedLedger = z.infer<typeof RecordedLedgers>["ledgers"][number];

let ledgers: readonly RecordedLedger[] | undefined;

/** The ledgers of `data/recorded`; none outside a clone of the project. */
export function recordedLedgers(): readonly RecordedLedger[] {
  return ledgers ??= statOf(fileURLToPath(FILE)) ? readJsonSync(FILE, RecordedLedgers).ledgers : [];
}
