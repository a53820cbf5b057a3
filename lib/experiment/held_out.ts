import type { PublishedIm01Row } from "../schema/published_im01.ts";
import { type Spread, spread } from "../stats/spread.ts";
import type { ConditionFacts, PredictionFacts } from "./predictions.ts";

/** A published number that the fit never saw, beside what the surrogate shows over the master seeds. */
export interface HeldOutRow extends Spread {
  readonly condition: string;
  readonly quantity: "flip rate" | "median time to majority, rounds" | "λ̂, nats per round";
  readonly published: number | undefined;
}

type Row = PublishedIm01Row;
const at = (temperature: number, roles: boolean) => (row: Row) =>
  row.experiment === "temperature" && row.temperature === temperature && row.roles === roles;
const without = (role: Row["ablated"]) => (row: Row) => row.experiment === "ablation" && row.ablated === role;

/** Which row of Table S5 speaks of which condition. */
const ROWS: readonly (readonly [keyof PredictionFacts, string, (row: Row) => boolean])[] = [
  ["imRoles", "roles on", at(0, true)],
  ["imNoRoles", "roles off", at(0, false)],
  ["imNoChair", "without Chair", without("Chair")],
  ["imNoWelfare", "without Welfare", without("Welfare")],
  ["imNoRights", "without Rights", without("Rights")],
  ["imNoEquity", "without Equity", without("Equity")],
  ["imNoSecurity", "without Security", without("Security")],
  ["imRolesT07", "roles on, T = 0.7", at(0.7, true)],
  ["imNoRolesT07", "roles off, T = 0.7", at(0.7, false)],
];

/**
 * Flip rates and times to majority of IM-01 (Table S5), and λ̂ at T = 0.7, published beside the surrogate's.
 *
 * @param seeds what each master seed showed.
 */
export function heldOut(table: readonly PublishedIm01Row[], seeds: readonly PredictionFacts[]): HeldOutRow[] {
  return ROWS.flatMap(([name, condition, matches]) => {
    const paper = table.find(matches);
    const over = (pick: (facts: ConditionFacts) => number | undefined) =>
      spread(seeds.map((facts) => pick(facts[name])).filter((value) => value !== undefined));
    const rows: HeldOutRow[] = [
      { condition, quantity: "flip rate", published: paper?.flip_rate, ...over(({ flip }) => flip) },
      {
        condition,
        quantity: "median time to majority, rounds",
        published: paper?.ttm,
        ...over(({ majority }) => majority),
      },
    ];
    if (name.endsWith("T07")) {
      rows.push({
        condition,
        quantity: "λ̂, nats per round",
        published: paper?.lambda,
        ...over(({ lambda }) => lambda),
      });
    }
    return rows;
  });
}
