import { fileURLToPath } from "node:url";
import * as z from "zod";
import { statOf } from "../../record/files.ts";
import { readJsonSync } from "../../record/read_json.ts";

const FILE = new URL("../../../data/recorded/recorded.json", import.meta.url);

// `file` is below data/recorded; `hash` is of the condition, which names each seat's model: no two ledgers share it;
// `load`: what other requests did to the arithmetic.
const TEXTS = ["file", "hash", "model", "licence", "engine", "dtype", "decoding", "guidance", "load", "date"] as const;
const RecordedLedgers = z.strictObject({
  schema: z.literal("recorded/1"),
  ledgers: z.array(z.intersection(z.record(z.enum(TEXTS), z.string()), z.object({ runs: z.int().min(1) }))),
});

/** Provenance of a ledger of `data/recorded`: a row of its `recorded.json`. */
export type RecordedLedger = z.infer<typeof RecordedLedgers>["ledgers"][number];

let ledgers: readonly RecordedLedger[] | undefined;

/** The ledgers of `data/recorded`; none outside a clone of the project. */
export function recordedLedgers(): readonly RecordedLedger[] {
  return ledgers ??= statOf(fileURLToPath(FILE)) ? readJsonSync(FILE, RecordedLedgers).ledgers : [];
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Provenance in words, for captions: model, engine, guidance and date. */
export const recordedWords = ({ model, engine, guidance, date }: RecordedLedger): string =>
  `${model} on ${engine}, ${guidance}, recorded ${DAY.format(new Date(date))}`;
