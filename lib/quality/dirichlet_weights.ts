// @ts-types="@types/d3-random"
import { randomGamma } from "d3-random";
import { checkOptions } from "../core/options.ts";
import type { Rng } from "../core/rng.ts";
import { componentNames, type ForAllComponents } from "../schema/quality_names.ts";
import { type OwnOptions, unitWeights, type Weights } from "./weights.ts";

interface DirichletOptions extends OwnOptions {
  /** Weights to scatter around, summing to 1; one that is 0 stays 0. Default: none, every weighting is equally likely. */
  readonly around?: Weights;
  /**
   * How closely the draws keep to `around`: a weight w then has mean w and variance w (1 − w) / (concentration + 1).
   * Default 100, at which 0.22 scatters by 0.04. Only with `around`.
   */
  readonly concentration?: number;
}

/**
 * Random weights: one draw from a Dirichlet distribution over the nine components and those of one's own, not negative
 * and summing to 1.
 *
 * Without `around` all weightings are equally likely (every α is 1), which says "what matters is not known"; with it
 * α = concentration · weight, which says "roughly these, argued over". Neither says how designers really disagree.
 *
 * Drawn as gamma variates divided by their sum, kept as logarithms: for small α a variate is often smaller than any
 * floating-point number, and a draw of nothing but zeros would be no weighting.
 *
 * @example Equal seeds give equal draws
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 *
 * assert.deepEqual(dirichletWeights(createRng(7)), dirichletWeights(createRng(7)));
 * assert.equal(dirichletWeights(createRng(7), { around: { trust: 1 } }).trust, 1);
 * ```
 * @throws {UserError} on weights for a name that is not a component.
 * @throws {RangeError} on weights that are negative, not finite or do not sum to 1, on a concentration that is not a
 * finite number above 0, and on one without `around`.
 */
export function dirichletWeights(
  rng: Rng,
  options: DirichletOptions = {},
): ForAllComponents {
  const { components } = checkOptions("dirichletWeights", options, "around concentration components");
  const names = componentNames(components), alphas = parameters(options, names);
  const logs = alphas.map((alpha) => logGamma(rng, alpha));
  const most = Math.max(...logs);
  const shares = logs.map((log) => Math.exp(log - most));
  const sum = shares.reduce((total, share) => total + share, 0);
  return Object.fromEntries(names.map((name, i) => [name, shares[i]! / sum])) as ForAllComponents;
}

function parameters({ around, concentration, components }: DirichletOptions, names: readonly string[]): number[] {
  if (around === undefined) {
    if (concentration === undefined) return names.map(() => 1);
    throw new RangeError(`a concentration (${concentration}) needs weights to be around`);
  }
  const scale = concentration ?? 100;
  if (!(Number.isFinite(scale) && scale > 0)) {
    throw new RangeError(`the concentration must be a finite number above 0, found ${scale}`);
  }
  const unit = unitWeights(around, { components });
  return names.map((name) => scale * (unit[name] ?? 0));
}

/** Logarithm of a gamma variate. A variate of α is one of α + 1 times the α-th root of a uniform one. */
function logGamma(rng: Rng, alpha: number): number {
  if (alpha === 0) return -Infinity;
  const gamma = randomGamma.source(rng.next);
  if (alpha >= 1) return Math.log(gamma(alpha)());
  return Math.log(gamma(alpha + 1)()) + Math.log(1 - rng.next()) / alpha;
}
