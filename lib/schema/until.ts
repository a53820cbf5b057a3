import * as z from "zod";

/** When the runs of a condition may end early, as a caller writes it: at so many looks, evenly spread over the replicates. */
export const UntilSpec = z.strictObject({
  looks: z.int().min(2).max(6),
  against: z.enum(["zero", "walk"]).optional().describe("growth above zero (default), or above a random walk's slope"),
});
export type UntilSpec = z.infer<typeof UntilSpec>;

/** The same as ledgers declare it, before the first run. */
export const StoppingDesign = z.strictObject({
  looks: z.array(z.int().min(1)).min(2).max(6).describe("runs at each look"),
  against: z.enum(["zero", "walk"]),
  window: z.strictObject({ from: z.int().min(1), to: z.int().min(3) }),
});
export type StoppingDesign = z.infer<typeof StoppingDesign>;

/** A design of an earlier version, as its ledgers hold it: it is read, and no longer followed. */
const EarlierDesign = z.looseObject({ reach: z.enum(["growth", "width"]) });

export const Until = z.union([StoppingDesign, EarlierDesign]);
export type Until = z.infer<typeof Until>;

/** The design that is followed; undefined where there is none, or one of an earlier version. */
export const followed = (until: Until | undefined): StoppingDesign | undefined =>
  until === undefined || "reach" in until ? undefined : until;

/** A look of a stopping design: the runs that there were, p and level, and the decision; `narrow` is one of earlier versions. */
export const Look = z.strictObject({
  look: z.int().min(1).describe("counted from 1"),
  begun: z.int().min(1).describe("runs that the design begins before this look"),
  runs: z.int().min(0).describe("of them complete"),
  p: z.number().optional(),
  level: z.number().optional().describe("p at or below it stops"),
  lambda: z.number().optional().describe("nats per round, as its interval"),
  low: z.number().optional(),
  high: z.number().optional(),
  decision: z.enum(["growth", "narrow", "go on", "no decision", "skipped"]),
  reason: z.string().optional(),
  fixedP: z.number().optional().describe("in earlier versions: p if this had been the only look"),
  needed: z.int().optional().describe("in earlier versions: runs that a pilot asks for"),
});
export type Look = z.infer<typeof Look>;
