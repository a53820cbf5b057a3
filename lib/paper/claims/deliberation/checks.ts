import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { ClaimCheck } from "../evaluate_claims.ts";
import * as accounting from "./accounting.ts";
import * as chair from "./chair.ts";
import * as memory from "./chair.ts";
import * as decisions from "./decisions.ts";
import * as models from "./decisions.ts";
import * as landscape from "./landscape.ts";
import * as routes from "./routes.ts";
import * as branching from "./statistics.ts";
import * as statistics from "./statistics.ts";
import * as wording from "./statistics.ts";
import * as temperature from "./temperature.ts";

/** What decides the claims of `data/claims/deliberation.json`, by the names used there. */
export const DELIBERATION_CHECKS: Readonly<Record<string, ClaimCheck<DeliberationTables>>> = Object.freeze({
  ...accounting,
  ...branching,
  ...chair,
  ...decisions,
  ...landscape,
  ...memory,
  ...models,
  ...routes,
  ...statistics,
  ...temperature,
  ...wording,
});
