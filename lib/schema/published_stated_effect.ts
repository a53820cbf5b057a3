import { z } from "zod";
import { NOT_PUBLISHED, publishedNumber, PublishedScenarioId } from "./published_cell.ts";
import { PublishedFlagOrUnknown } from "./published_station_cell.ts";
import { ROLES } from "./role.ts";

const Slope = publishedNumber(z.number());
const CHANGES = [...ROLES.map((role) => `ablate-${role}` as const), "no-roles", "k3", "k1"] as const;
const Sign = z.enum(["positive", "near zero or negative", NOT_PUBLISHED])
  .transform((sign) => sign === NOT_PUBLISHED ? undefined : sign);

/**
 * One effect drawn in the deliberation paper's Figures 2 and 3: how far a change to the full committee with roles
 * lowers λ̂. The figures' numbers are not in the text, only what it says of them.
 */
export const PublishedStatedEffectRow = z.strictObject({
  figure: z.enum(["2A", "2B", "3A", "3B"]),
  scenario: PublishedScenarioId,
  change: z.enum(CHANGES).describe("what differs from the full committee with k = 15, worded as in a condition's name"),
  fall: Slope.describe("λ̂ of the full committee less that of the changed one, nats per round"),
  low: Slope.describe("lower end of its 95 % interval"),
  high: Slope.describe("upper end"),
  sign: Sign.describe("of the fall"),
  excludes_zero: PublishedFlagOrUnknown.describe("whether the 95 % interval is said to exclude zero"),
});
export type PublishedStatedEffectRow = z.infer<typeof PublishedStatedEffectRow>;
