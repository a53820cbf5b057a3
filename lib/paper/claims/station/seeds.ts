import { mean } from "simple-statistics";
import type { LiveRun, StationTables } from "../../station_tables.ts";
import type { Finding } from "../evaluate_claims.ts";
import { listed, qOf, rangeOf, threeDecimals } from "./words.ts";

type Runs = Pick<StationTables, "runs">;

/** The seed on which the one miss happened. */
const HARD = 104;

/** Without seed 104, the seed means differ by less than q differs between the families on any one of those seeds. */
export function difficultyFlat({ runs }: Runs): Finding {
  const rest = bySeed(runs.filter(({ seed }) => seed !== HARD));
  const between = rangeOf(rest.map(({ own }) => mean(qOf(own))));
  const within = Math.min(...rest.map(({ own }) => rangeOf(qOf(own))));
  return {
    holds: between < within,
    evidence: `Without seed ${HARD} the seed means range over ${
      threeDecimals(between)
    }; on one seed the families differ by at least ${threeDecimals(within)}.`,
  };
}

/** Seed 104 has the lowest mean and the only miss. */
export function seed104Hardest({ runs }: Runs): Finding {
  const seeds = bySeed(runs).toSorted((a, b) => mean(qOf(a.own)) - mean(qOf(b.own)));
  const missed = seeds.filter(({ own }) => own.some((run) => !run.stabilized)).map(({ seed }) => seed);
  const others = seeds.map(({ seed, own }) => ({ seed, q: mean(qOf(own.filter((run) => run.stabilized))) }));
  const rank = others.toSorted((a, b) => a.q - b.q).findIndex(({ seed }) => seed === HARD) + 1;
  return {
    holds: seeds[0]?.seed === HARD && missed.join() === String(HARD),
    evidence:
      `Lowest mean q: seed ${seeds[0]?.seed}; misses: seed ${listed(missed.map(String))}. Among the runs that ` +
      `stabilised, seed ${HARD} is number ${rank} of ${seeds.length} from below.`,
  };
}

/** The families that did not miss, and the room without a model, find seed 104 harder than most seeds. */
export function seed104HardForOthers({ runs, floor }: Pick<StationTables, "runs" | "floor">): Finding {
  const failed = new Set(runs.filter((run) => !run.stabilized).map(({ model }) => model));
  const seeds = bySeed(runs.filter(({ model }) => !failed.has(model))).map(({ seed, own }) => ({
    seed,
    q: mean(qOf(own)),
  }));
  const [own, room] = [standing(seeds), standing(floor)];
  if (own === undefined || room === undefined) {
    return { holds: undefined, evidence: `Seed ${HARD} is not among those published.` };
  }
  return {
    holds: own.easier < own.others / 2 && room.easier < room.others / 2,
    evidence: `The other ${families(runs) - failed.size} families average ${
      threeDecimals(own.q)
    } on seed ${HARD}, above ${own.easier} of their ${own.others} other seeds; without a model q is ${
      threeDecimals(room.q)
    }, above ${room.easier} of ${room.others}.`,
  };
}

/** The q on seed 104, and how many of the other seeds have a lower one: those it is easier than. */
function standing(
  seeds: readonly { readonly seed: number; readonly q: number }[],
): { q: number; easier: number; others: number } | undefined {
  const own = seeds.find(({ seed }) => seed === HARD);
  if (own === undefined) return undefined;
  return { q: own.q, easier: seeds.filter(({ q }) => q < own.q).length, others: seeds.length - 1 };
}

const families = (runs: readonly LiveRun[]): number => new Set(runs.map(({ model }) => model)).size;

function bySeed(runs: readonly LiveRun[]): { seed: number; own: LiveRun[] }[] {
  return [...Map.groupBy(runs, ({ seed }) => seed)].map(([seed, own]) => ({ seed, own }));
}
