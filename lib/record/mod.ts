/**
 * The record that a run leaves behind, whatever its protocol: events under seals, ledgers, and how they are read again.
 *
 * @example A protocol is a value: its runs are collected by code that knows no protocol
 * ```ts
 * import assert from "node:assert/strict";
 * import { deliberation } from "../deliberation/deliberate.ts";
 * import { loadCondition, surrogateCouncil } from "../lab/runs/mod.ts";
 * import { collect } from "./mod.ts";
 * const [condition, { chat }] = [await loadCondition({ scenario: "IM-01", rounds: 2 }), await surrogateCouncil()];
 * const { runs } = await collect(deliberation, condition, { chat, replicates: 2, seed: 1 });
 * assert.equal(runs[0]?.means.length, 2);
 * ```
 *
 * @module
 */
export { collect } from "./collected.ts";
export { type InspectMessage, type InspectSample, inspectSamples } from "./inspect_samples.ts";
export { play, type Protocol, rereadRun } from "./protocol.ts";
export { readRecord } from "./read_ledger.ts";
export { readTable, type Table, type TableStatement } from "./read_table.ts";
export { runsOf, type RunsOfOptions, type StatedRun, type StatedRuns, type Statement } from "./runs_of.ts";
export { lastMention, vote } from "./votes.ts";
