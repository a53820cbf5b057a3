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
