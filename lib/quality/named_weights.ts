import { unknownName } from "../core/unknown_name.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { PUBLISHED_WEIGHTS, unitWeights, usedComponents, type Weights } from "./weights.ts";

/** A weighting with a name, and what someone who proposes it would say. */
export interface NamedWeights {
  readonly label: string;
  readonly argument: string;
  /** All nine, summing to 1. */
  readonly weights: Readonly<Record<ComponentName, number>>;
}

/**
 * The published weights and those that a critic would try. The paper says that others were tried in internal review and
 * does not print them (section 10); these are ours. "participation-first" follows section 9.2, by which another
 * designer might reverse the priority of feasibility over participation.
 */
export const NAMED_WEIGHTS: Readonly<Record<string, NamedWeights>> = Object.freeze({
  published: {
    label: "published",
    argument: "keep the station running first, broaden the coalition second",
    weights: PUBLISHED_WEIGHTS,
  },
  equal: {
    label: "equal",
    argument: "nobody has shown that any component matters more than another",
    weights: complete({}, 1 / COMPONENTS.length),
  },
  "participation-first": {
    label: "participation first",
    argument: "coalition and trust take the weights of executability and public order, and the reverse",
    weights: complete(
      { ...PUBLISHED_WEIGHTS, coalition: 0.22, trust: 0.16, executability: 0.06, public_order: 0.10 },
      0,
    ),
  },
  "feasibility-first": {
    label: "feasibility first",
    argument: "a plan that cannot be carried out saves nobody: half of the weight is executability's",
    weights: withShare("executability", 0.5),
  },
  "order-free": {
    label: "order free",
    argument: "a quiet public is no merit in itself: public order counts nothing",
    weights: withShare("public_order", 0),
  },
  "no-schema-term": {
    label: "no schema term",
    argument: "paperwork is not government: schema independence counts nothing",
    weights: withShare("schema_independence", 0),
  },
});

/**
 * The weights of `weights` with the share of one component set, the others keeping their proportions. They sum to 1,
 * whatever `weights` sum to.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(withShare("trust", 0.55).executability, 0.22 * 0.45 / 0.9);
 * ```
 * @throws {UserError} on a name that is no component.
 * @throws {RangeError} on a negative or non-finite weight, no weight above 0, a share outside [0, 1], and a share below 1
 * where the others have no weight to keep proportions of.
 */
export function withShare(
  component: ComponentName,
  share: number,
  weights: Weights = PUBLISHED_WEIGHTS,
): Readonly<Record<ComponentName, number>> {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`the share of ${component} must be in [0, 1], found ${share}`);
  usedComponents({ [component]: 1 }); // Refuses a name that is no component.
  const unit = unitWeights(weights, { normalise: true });
  const rest = COMPONENTS.filter((name) => name !== component).reduce((sum, name) => sum + (unit[name] ?? 0), 0);
  if (rest === 0 && share < 1) throw new RangeError(`${component} has all the weight: the others have no proportions`);
  const others = COMPONENTS.map((name) => [name, rest === 0 ? 0 : (unit[name] ?? 0) * (1 - share) / rest] as const);
  return complete({ ...Object.fromEntries(others), [component]: share }, 0);
}

/**
 * The weights of a name in `NAMED_WEIGHTS`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(namedWeights("equal").trust, 1 / 9);
 * assert.throws(() => namedWeights("equl"), /unknown weighting "equl": did you mean equal/);
 * ```
 * @throws {UserError} on any other name (`exitCode` 2, offering the nearest).
 */
export function namedWeights(name: string): Readonly<Record<ComponentName, number>> {
  if (!Object.hasOwn(NAMED_WEIGHTS, name)) throw unknownName("weighting", name, Object.keys(NAMED_WEIGHTS));
  return NAMED_WEIGHTS[name]!.weights;
}

function complete(weights: Weights, otherwise: number): Readonly<Record<ComponentName, number>> {
  const all = COMPONENTS.map((name) => [name, weights[name] ?? otherwise]);
  return Object.freeze(Object.fromEntries(all) as Record<ComponentName, number>);
}
