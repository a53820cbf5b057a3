import { z } from "zod";
import { Provenance } from "../schema/ledger_line.ts";
import { Switches } from "../schema/station_event.ts";

/** What stands in the folder of one station run. */
export const STATION_FILES = {
  events: "events.jsonl",
  calls: "model_calls.jsonl",
  /** Calls that the endpoint refused for want of a key or of credit: they ended the session and filled no slot. */
  refused: "refused_calls.jsonl",
  sessions: "sessions.jsonl",
  summary: "final_summary.json",
  recap: "prime_time_recap.md",
} as const;

/** What a batch adds beside the folders of its runs. */
export const MANIFEST = "MANIFEST.tsv";

export const STATION_EVENTS_SCHEMA = "station-events/1";

/**
 * First line of `events.jsonl`: what run this is. Every other line is one `StationEvent`. No time stands in it, so that two
 * runs of one council on one seed can be compared byte for byte; when a run was worked on is in `sessions.jsonl`.
 */
export const StationHeader = z.strictObject({
  schema: z.literal(STATION_EVENTS_SCHEMA),
  run_id: z.string().min(1),
  council: z.string().min(1).describe("label of who fills the six roles"),
  synthetic: z.boolean().describe("no language model takes part"),
  seed: z.int(),
  ruleset: Switches,
  rules: z.string().describe("content hash of the station's rules"),
  asked: z.strictObject({
    model: z.string().optional(),
    temperature: z.number().min(0).optional(),
    maxTokens: z.int().min(1).optional(),
  }).optional().describe("request parameters that are not the runner's own; absent for a run without a model"),
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
