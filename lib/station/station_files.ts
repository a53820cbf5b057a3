import { z } from "zod";
import { Provenance } from "../schema/ledger_line.ts";
import { FailedTry, FailureCode } from "../schema/model_call.ts";
import { DeclaredProvider } from "../schema/providers.ts";
import { Switches } from "../schema/station_event.ts";
import { RoleModels } from "../schema/station_ids.ts";
import { ASKED } from "./run_station.ts";

/** The files in the folder of one station run. */
export const STATION_FILES = {
  events: "events.jsonl",
  calls: "model_calls.jsonl",
  /** Tries of calls that the endpoint left without an outcome: they filled no slot, but may have been paid for. */
  unanswered: "unanswered_calls.jsonl",
  sessions: "sessions.jsonl",
  summary: "final_summary.json",
  recap: "prime_time_recap.md",
} as const;

/** A file as it was before slots were opened again for the nth time, counted from 1: `events.1.jsonl`. */
export const keptName = (name: string, n: number): string => name.replace(/\.\w+$/, (ending) => `.${n}${ending}`);

/** The file that a batch adds beside the folders of its runs. */
export const MANIFEST = "MANIFEST.tsv";

/** Lines as they are written: each ends with a checksum. */
export const STATION_EVENTS_SCHEMA = "station-events/2";
/** Lines without one, as they were written before 0.2.0; they are still read, and may be followed by others that have one. */
const UNSEALED_SCHEMA = "station-events/1";

/**
 * First line of `events.jsonl`: what run this is. Every other line is one `StationEvent`. No time stands in it, so that two
 * runs of one council on one seed can be compared byte for byte; when a run was worked on is in `sessions.jsonl`.
 */
export const StationHeader = z.strictObject({
  schema: z.enum([STATION_EVENTS_SCHEMA, UNSEALED_SCHEMA]),
  run_id: z.string().min(1),
  council: z.string().min(1).describe("label of who fills the six roles"),
  identity: z.string().optional().describe("the endpoint or the recording that is asked; absent in older files"),
  synthetic: z.boolean().describe("no language model takes part"),
  seed: z.int(),
  replicate: z.int().min(1).optional().describe("of the council on this seed; absent for the first"),
  ruleset: Switches,
  rules: z.string().describe("content hash of the station's rules"),
  asked: z.strictObject({
    model: RoleModels.default(ASKED.model),
    temperature: z.number().min(0).default(ASKED.temperature),
    maxTokens: z.int().min(1).default(ASKED.maxTokens),
    reasoningEffort: z.string().min(1).optional().describe("sent with every request; absent: the provider's own"),
    structured: z.literal(true).optional().describe("replies are asked for with their JSON schema"),
    providers: z.record(z.string(), DeclaredProvider).optional().describe("settings of the providers that models name"),
  }).optional().describe("how the council is asked, defaults filled in; absent for a run without a model"),
  made: Provenance,
});
export type StationHeader = z.infer<typeof StationHeader>;

/** One line of `sessions.jsonl`: a process began to work on the run, or came to its end. */
export const StationSession = z.strictObject({
  schema: z.literal("station-session/1"),
  kind: z.enum(["began", "finished"]),
  at: z.iso.datetime(),
  events: z.int().min(0).describe("events in the log at that time"),
  made: Provenance,
});
export type StationSession = z.infer<typeof StationSession>;

/** One line of `unanswered_calls.jsonl`: the run stays open before that slot. */
export const StationUnanswered = z.strictObject({
  schema: z.literal("station-unanswered/1"),
  at: z.iso.datetime(),
  place: z.string().describe("ROUND/ROLE/ATTEMPT"),
  code: FailureCode,
  message: z.string(),
  tries: z.array(FailedTry),
});
export type StationUnanswered = z.infer<typeof StationUnanswered>;
