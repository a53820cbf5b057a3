import type { Measurement, MeasureOptions } from "../runs/measure_runs.ts";
import { conditionColumns } from "../runs/rows.ts";
import type { Source } from "./measure_sources.ts";
import { conditionTables } from "./tables.ts";

/** The tables of all measured files. `condition` is the file's name, or its path if two files share a name. */
export function measureTables(
  measured: readonly (readonly [Source, Measurement])[],
  { seed = 1, from, to, resamples }: MeasureOptions,
) {
  const names = measured.map(([{ name }]) => name);
  const sources = measured.map(([source]) => {
    const { name, facts: { file, accounting } } = source;
    const label = names.filter((other) => other === name).length > 1 ? file ?? name : name;
    return { ...source, label, file, accounting };
  });
  return {
    slopes: measured.map(([, { percentile, shuffled, used, convergence: beta, groups, ...estimates }], i) => {
      const { replicates, rounds, options, lambda, low, high, p, method, stillFrom, bimodal, reason } = estimates;
      return {
        ...{ ...conditionColumns(sources[i]!), file: sources[i]!.file, from, to: to ?? used.at(-1), used: used.length },
        ...{ replicates, rounds, options, lambda, low, high, p, method, bimodal, reason, still_from: stillFrom },
        ...{ percentile_low: percentile.low, percentile_high: percentile.high, shuffled_p: shuffled.p },
        ...{ beta: beta.beta, beta_low: beta.low, beta_high: beta.high, beta_p: beta.p },
        ...{ group_ratio: groups?.ratio, group_p: groups?.p },
      };
    }),
    ...conditionTables(sources, { seed, resamples }),
  };
}
