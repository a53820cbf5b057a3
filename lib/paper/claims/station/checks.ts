import type { StationTables } from "../../station_tables.ts";
import type { ClaimCheck } from "../evaluate_claims.ts";
import * as failure from "./failure.ts";
import * as floor from "./floor.ts";
import * as means from "./means.ts";
import * as score from "./score.ts";
import * as seeds from "./seeds.ts";
import * as strongest from "./strongest.ts";
import * as survival from "./survival.ts";

/** What decides the claims of `data/claims/station.json`, by the names used there. */
export const STATION_CHECKS: Readonly<Record<string, ClaimCheck<StationTables>>> = Object.freeze({
  ...failure,
  ...floor,
  ...means,
  ...score,
  ...seeds,
  ...strongest,
  ...survival,
});
