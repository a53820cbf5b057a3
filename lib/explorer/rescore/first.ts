import type { OwnComponents } from "../../schema/quality_names.ts";
import type { Listed } from "./listing.ts";
import type { FirstShare, Stretch } from "./pictures.ts";
import { DRAWS, drawsOf, firstOf } from "./ranking.ts";
import { mostOf, type State, withWeight } from "./state.ts";

/**
 * Who is first as one weight goes from 0 to the most that it can be, by steps of a hundredth, the others sharing the rest
 * as when the reader moves it.
 */
export function firstStretches({ runs, score }: Listed, state: State, component: string): Stretch[] {
  const stretches: Stretch[] = [], most = mostOf(component, state);
  const free = withWeight(state, component, 0)[component] === 0 || most === 0;
  for (let step = 0; free && step < most * 100; step++) {
    // A stretch is told by the middle of each step.
    const [from, to] = [step / 100, Math.min(most, (step + 1) / 100)];
    const { run, certain } = firstOf(score(withWeight(state, component, (from + to) / 2)));
    const name = run === undefined ? "not computable" : runs[run]!.name, last = stretches.at(-1);
    if (last?.run === name && last.certain === certain) stretches[stretches.length - 1] = { ...last, to };
    else stretches.push({ component, from, to, run: name, certain });
  }
  return stretches;
}

const known = new WeakMap<Listed["runs"], FirstShare[]>();

/** Over how much of all weightings each run is first, the most first; runs that never are, are left out. */
export function firstShares({ runs, score }: Pick<Listed, "runs" | "score">, components?: OwnComponents): FirstShare[] {
  const found = known.get(runs);
  if (found) return found;
  const counts = new Map<string, { certain: number; likely: number }>();
  for (const weights of drawsOf(components)) {
    const { run, certain } = firstOf(score(weights));
    if (run === undefined) continue;
    const count = counts.get(runs[run]!.name) ?? { certain: 0, likely: 0 };
    count[certain ? "certain" : "likely"] += 1 / DRAWS;
    counts.set(runs[run]!.name, count);
  }
  const shares = [...counts].map(([run, count]) => ({ run, ...count }));
  shares.sort((a, b) => b.certain + b.likely - a.certain - a.likely);
  known.set(runs, shares);
  return shares;
}
