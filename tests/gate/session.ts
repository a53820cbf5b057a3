/** A researcher's session: run committees, measure them, run and score the station, show what came of it. */
export {
  bootstrapSlope,
  collectRuns,
  divergence,
  divergenceRows,
  loadCondition,
  meanRows,
  measureRuns,
  permutationNull,
  qualityOfSurvival,
  readLedger,
  rescore,
  rescoreBounds,
  runStation,
  slopeDifference,
  slopeRows,
  surrogateCouncil,
} from "@/mod.ts";
export { frame, plot, say, show, table } from "@/lab/notebook/mod.ts";
