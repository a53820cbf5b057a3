import type { StationTables } from "../published_station.ts";
import { ACCOUNTING } from "./deliberation/accounting.ts";
import { CHAIR } from "./deliberation/chair.ts";
import { DECISIONS } from "./deliberation/decisions.ts";
import type { DeliberationEvidence } from "./deliberation/evidence.ts";
import { LANDSCAPE } from "./deliberation/landscape.ts";
import { STATISTICS } from "./deliberation/statistics.ts";
import { TEMPERATURE } from "./deliberation/temperature.ts";
import type { Checks } from "./evaluate_claims.ts";
import { FAMILIES } from "./station/families.ts";
import { FLOOR } from "./station/floor.ts";
import { SCORE } from "./station/score.ts";
import { STRONGEST } from "./station/strongest.ts";
import { SURVIVAL } from "./station/survival.ts";

/** What decides the claims of `data/claims/deliberation.json`. */
export const DELIBERATION_CHECKS: Checks<DeliberationEvidence> = {
  ...{ ...ACCOUNTING, ...CHAIR, ...DECISIONS, ...LANDSCAPE, ...STATISTICS, ...TEMPERATURE },
};

/** What decides the claims of `data/claims/station.json`. */
export const STATION_CHECKS: Checks<StationTables> = { ...FAMILIES, ...FLOOR, ...SCORE, ...STRONGEST, ...SURVIVAL };
