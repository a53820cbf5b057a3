import { known } from "../core/known.ts";
import { clamp01 } from "../core/numbers.ts";
import { type ByComponent, type ComponentName, COMPONENTS, type ComponentValues } from "../schema/quality_names.ts";
import type { Classification, Components } from "../schema/station_summary.ts";
import { classify } from "./classify.ts";
import { type CompleteSummary, componentsOf, type RawSummary } from "./components.ts";
import { PUBLISHED_WEIGHTS, usedComponents, type Weights } from "./weights.ts";

/**
 * What each component adds to q: weight times component, in the order of `names`, by default the nine. Only components that
 * are both used and known appear; where all used ones are, the contributions sum to q (before its clamp to [0, 1]).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(contributions({ trust: 0.5 }, { trust: 0.2, coalition: 0.8 }), { trust: 0.1 });
 * ```
 * @throws {UserError} on weights for a name that is not a component.
 * @throws {RangeError} on a weight that is negative or not finite, or when none is above 0.
 */
export function contributions(
  components: ComponentValues,
  weights: Weights = PUBLISHED_WEIGHTS,
  names: readonly string[] = COMPONENTS,
): ByComponent {
  const parts: Record<string, number> = {};
  for (const name of usedComponents(weights, names)) {
    const component = components[name];
    if (component !== undefined) parts[name] = weights[name]! * component;
  }
  return parts;
}

/** The q of which these are all the contributions. */
export function sumOfContributions(parts: ByComponent): number {
  return clamp01(Object.values(parts).reduce((sum, part) => sum + part, 0));
}

/** The score of a run, as far as what is known of it allows. */
interface QualityOfSurvival {
  /** In [0, 1]. Absent, with a `reason`, when a used component is not known. */
  readonly q?: number;
  /** Those that are known, each in [0, 1]. */
  readonly components: Components;
  /** Absent when what decides it is not known. */
  readonly classification?: Classification;
  readonly reason?: "missing-components";
  /** The used components that are not known, when there are any. */
  readonly missing?: readonly string[];
}

/** The score of a run of which everything is known. */
interface CompleteQuality {
  readonly q: number;
  readonly components: Readonly<Record<ComponentName, number>>;
  readonly classification: Classification;
}

/**
 * Quality of survival: q = clamp(Σ weight · component), its components and the run's class.
 *
 * q is a scoring contract, not a measure of good government: the weights are a design choice, and other weights give
 * other orders. It is defined for failed runs too, whose class does not depend on it. A component that is used and not
 * known makes q absent; it is never taken as 0 or 1. Weights are used as they are: where they sum to less than 1, so
 * does the best q; where they sum to more, the clamp cuts.
 *
 * Source: station paper, section 4 and Appendix A.
 *
 * @param summary raw values, such as a `final_summary.json`; further fields are ignored.
 * @param weights by default the published ones; a component without a weight is not used.
 * @example A run of which only the failure is known
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const failed = qualityOfSurvival({ stabilized: false, passed_count: 0, time_to_first_pass: null });
 * assert.equal(failed.q, undefined);
 * assert.equal(failed.reason, "missing-components");
 * assert.equal(failed.classification, "FAILED_NO_VALID_PLAN");
 * assert.equal(qualityOfSurvival({ stabilized: true, passed_count: 2 }, { passed_depth: 0.9 }).q, 0.9 * 2 / 3);
 * ```
 * @throws {UserError} on weights for a name that is not a component (`exitCode` 2, naming the nearest).
 * @throws {RangeError} on a raw value or a weight that is not a finite number, a negative count, a first pass before round
 * 1, a negative weight, no weight above 0, an executability outside [0, 1], or a `stabilized` that is not a boolean.
 */
export function qualityOfSurvival(summary: CompleteSummary, weights?: Weights): CompleteQuality;
export function qualityOfSurvival(summary: RawSummary, weights?: Weights): QualityOfSurvival;
export function qualityOfSurvival(summary: RawSummary, weights: Weights = PUBLISHED_WEIGHTS): QualityOfSurvival {
  const { stabilized, passed_count } = summary;
  if (typeof stabilized !== "boolean") throw new RangeError(`stabilized must be true or false, found ${stabilized}`);
  const components: Components & ComponentValues = componentsOf(summary);
  const missing = usedComponents(weights).filter((name) => components[name] === undefined);
  const q = missing.length === 0 ? sumOfContributions(contributions(components, weights)) : undefined;
  const classification = classify({ q, stabilized, passed_count });
  return {
    ...(q === undefined ? { reason: "missing-components", missing } : { q }),
    components,
    ...known({ classification }),
  };
}
