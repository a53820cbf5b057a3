import { median } from "simple-statistics";
import { rescoreBounds } from "../../../quality/rescore_bounds.ts";
import { factValue } from "../../published_facts.ts";
import type { LiveRun, StationTables } from "../../station_tables.ts";
import type { Finding } from "../evaluate_claims.ts";
import { countOf, nameOf, onlyFailure, rumours, survivors, threeDecimals } from "./words.ts";

type Evidence = Pick<StationTables, "runs" | "facts">;

/** The formula's clamp: information integrity counts from 0.40, and in full from 0.45 above. */
const INFO = { from: 0.40, span: 0.45 };

/** The failed run with what section 2 says of it besides. */
const withTrust = (run: LiveRun, facts: StationTables["facts"]) => ({
  ...run,
  trust: factValue(facts, "gemini-104-trust"),
});

/** Public order and information integrity stood above the gate, and no plan passed: the failure was the plan's. */
export function stateDidNotCollapse({ runs, facts }: Evidence): Finding {
  const run = onlyFailure({ runs });
  if (run === undefined) return noSingleFailure(runs);
  const least = rescoreBounds(withTrust(run, facts), { info_integrity: 1 }).low;
  const gate = { order: factValue(facts, "gate-public-order"), info: factValue(facts, "gate-info-integrity") };
  const info = INFO.from + INFO.span * least;
  const apart = run.passed_count === 0 && run.public_order >= gate.order;
  return {
    // Whatever lies below its first level counts as 0: from a component of 0 nothing follows about the level.
    holds: !apart ? false : least > 0 && info >= gate.info ? true : undefined,
    evidence: `${nameOf(run)}: ${run.passed_count} plans passed; public order ${
      threeDecimals(run.public_order)
    } (gate ${threeDecimals(gate.order)}), information integrity ${
      least > 0 ? `at least ${threeDecimals(info)} for its q to be possible` : "not bounded by its q"
    } (gate ${threeDecimals(gate.info)}).`,
  };
}

/** The failed run looks no worse in public order and rumours than the middle of those that stabilised. */
export function decentWhileFailing({ runs }: Pick<StationTables, "runs">): Finding {
  const run = onlyFailure({ runs });
  if (run === undefined) return noSingleFailure(runs);
  const live = survivors({ runs });
  const [order, rumors] = [median(live.map((one) => one.public_order)), median(live.map((one) => one.active_rumors))];
  const below = live.filter(({ public_order }) => public_order < run.public_order);
  return {
    holds: run.public_order >= order && run.active_rumors <= rumors,
    evidence: `${nameOf(run)} ended with public order ${threeDecimals(run.public_order)}, above ${
      countOf(below, live)
    } survivors (median ${threeDecimals(order)}), and ${rumours(run.active_rumors)} (median ${rumors}).`,
  };
}

/** From here on, schema independence says that the run's plans were read nearly as they were written. */
const MOSTLY_AS_WRITTEN = 0.5;

/** What q leaves of schema independence in the failed run. */
export function failureNotSchema({ runs, facts }: Evidence): Finding {
  const run = onlyFailure({ runs });
  if (run === undefined) return noSingleFailure(runs);
  const { low, high } = rescoreBounds(withTrust(run, facts), { schema_independence: 1 });
  return {
    holds: low >= MOSTLY_AS_WRITTEN ? true : high < MOSTLY_AS_WRITTEN ? false : undefined,
    evidence: `What is printed of ${nameOf(run)} leaves its schema independence anywhere from ${
      threeDecimals(low)
    } to ${threeDecimals(high)}.`,
  };
}

const noSingleFailure = (runs: readonly LiveRun[]): Finding => ({
  holds: false,
  evidence: `${runs.filter((run) => !run.stabilized).length} of ${runs.length} clean-live runs failed, not one.`,
});
