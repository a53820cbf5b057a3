import { PARAMETERS } from "./parameters.ts";
import type { Deed, Measured, Sight } from "./sight.ts";

/**
 * What an office sees to by itself when its private line says there is need: equity audits, engineering repairs, civil
 * affairs checks or calms rumours, the delegates calm their people and take offers off the market. Command has no
 * trouble of its own. Undefined where there is nothing to do, or another did it this round.
 */
export function duty({ role, privately, tokens, news, done }: Sight): Deed | undefined {
  const need = PARAMETERS.duty;
  const calm = (privately.panic ?? 0) >= need.panic ? { action: "appeal" } as const : undefined;
  switch (role) {
    case "C1_COMMAND":
      return undefined;
    case "C2_EQUITY": {
      const heavy = size(worst(privately.scandals)) >= need.scandal;
      return heavy && tokens >= 2 && !done.has("audit") ? { action: "audit" } : undefined;
    }
    case "C3_ENGINEER":
      return (privately.power ?? Infinity) <= need.power ? { action: "repair" } : undefined;
    case "C4_CIVIL": {
      const hottest = worst(privately.heats);
      if (hottest === undefined || hottest.size < need.heat) return undefined;
      return tokens >= 1 ? { action: "fact_check", target: hottest.id } : { action: "moderate" };
    }
    case "F1_OUTER":
      return calm;
    case "F2_SPONSOR": {
      const pressed = size(worst(privately.offers)) >= need.offer || news.has("X2_MARKET");
      return pressed && !done.has("allocate") ? { action: "allocate" } : calm;
    }
  }
}

const worst = (items: readonly Measured[]): Measured | undefined =>
  items.reduce<Measured | undefined>((top, item) => (top && top.size >= item.size ? top : item), undefined);

const size = (item: Measured | undefined): number => item?.size ?? 0;
