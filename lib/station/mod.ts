/**
 * The Mosaic-9 engine: weather, rules, council, clerk and scorekeeper of the station half.
 *
 * @module
 */
export { executability, finalPlan, planFlaw } from "./executability.ts";
export { fallback, standingPlan } from "./fallback.ts";
export {
  hasFactionBacking,
  hasMargin,
  hasSupport,
  holdsThresholds,
  isExecutable,
  isStabilized,
  judge,
} from "./gate.ts";
export { NON_USE } from "./rules.ts";
export { parseProposal } from "./parse_proposal.ts";
export { parseReply } from "./parse_reply.ts";
export { recap } from "./recap.ts";
export { reread, type StationRun } from "./reread.ts";
export { RULES } from "./rules.ts";
export { type Ruleset, runStation, type RunStationOptions, switches } from "./run_station.ts";
export { seedCardMarkdown } from "./seed_card_markdown.ts";
export { pressure, type StationProposal, stationStart, type StationState } from "./state.ts";
export { stationPrompt } from "./station_prompt.ts";
export { rulesetName, summarise } from "./summary.ts";
export { update as updateStation } from "./apply_event.ts";
export { view } from "./sight.ts";
export { weather } from "./weather.ts";
