import { normalQuantile } from "./distributions.ts";

/**
 * The error spent by the time a share t of the information is there, of α in all. Pocock's type lets early looks stop;
 * O'Brien and Fleming's keeps almost all for the last ones.
 *
 * Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983).
 */
export const SPENDING = {
  "pocock": (t: number, alpha: number): number => alpha * Math.log(1 + (Math.E - 1) * t),
  "obrien-fleming": (t: number, alpha: number): number => 2 * normalCdf(normalQuantile(alpha / 2) / Math.sqrt(t)),
} as const;
export type Spending = keyof typeof SPENDING;

/**
 * P(Z ≤ z) of a standard normal, to fifteen decimals.
 *
 * Source: G. Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004).
 */
export function normalCdf(z: number): number {
  if (Math.abs(z) > 8.3) return z > 0 ? 1 : 0;
  let term = z, sum = z;
  for (let k = 3, before = NaN; sum !== before; k += 2) {
    before = sum;
    sum += term *= z * z / k;
  }
  return 0.5 + sum * Math.exp(-z * z / 2) / ROOT_2_PI;
}

const ROOT_2_PI = Math.sqrt(2 * Math.PI);

/** A look at growing data; the next one comes only where Z lies between the bounds. */
export interface Bounds {
  /** In any unit: Z has mean θ·√information, variance 1, and correlation √(I_j/I_k) between two looks. */
  readonly information: number;
  /** Infinite at a look that cannot stop. */
  readonly upper: number;
  readonly lower: number;
}

/** Points that Z may lie about at a look, each with its probability and that of no stop before or then. */
interface Going {
  readonly information: number;
  readonly z: Float64Array;
  readonly mass: Float64Array;
}

/** Before the first look: no information, and Z of no consequence. */
const START: Going = { information: 0, z: new Float64Array(1), mass: new Float64Array([1]) };

/** Mean and spread of Z at the next look from each point of the one before. */
function stepFrom({ information: before, z }: Going, information: number, theta: number) {
  const scale = Math.sqrt(information), spread = Math.sqrt(information - before) / scale;
  const kept = Math.sqrt(before) / scale, drift = theta * (information - before) / scale;
  return { mean: z.map((value) => kept * value + drift), spread };
}

/** P(no stop before, and Z ≥ z at the next look); with `side` −1, Z ≤ z. */
function beyond(going: Going, information: number, theta: number, z: number, side: 1 | -1 = 1): number {
  const { mean, spread } = stepFrom(going, information, theta);
  return going.mass.reduce((sum, mass, i) => sum + mass * normalCdf(side * (mean[i]! - z) / spread), 0);
}

/** Further from its mean Z is not followed: less than 1e-12 of its mass lies there. */
const REACH = 7.1;
/** Length of the intervals of Simpson's rule, in spreads of a step. */
const STEP = 0.25;

/** The points between the bounds of the next look, by Simpson's rule. */
function goOn(going: Going, { information, upper, lower }: Bounds, theta: number): Going {
  const { mean, spread } = stepFrom(going, information, theta);
  const centre = theta * Math.sqrt(information);
  const low = Math.max(lower, centre - REACH), high = Math.max(low, Math.min(upper, centre + REACH));
  const parts = 2 * Math.ceil((high - low) / (2 * STEP * spread)) || 2, step = (high - low) / parts;
  const z = Float64Array.from({ length: parts + 1 }, (_, i) => low + i * step);
  const mass = z.map((value, i) => {
    const height = mean.reduce((sum, m, j) => sum + going.mass[j]! * Math.exp(-(((value - m) / spread) ** 2) / 2), 0);
    return height / (spread * ROOT_2_PI) * step / 3 * (i === 0 || i === parts ? 1 : i % 2 ? 4 : 2);
  });
  return { information, z, mass };
}

/** The looks one after another, with what was going on before each. */
function* walkOver(looks: readonly Bounds[], theta: number): Generator<{ look: Bounds; going: Going }> {
  let going = START;
  for (const look of looks) {
    yield { look, going };
    going = goOn(going, look, theta);
  }
}

/**
 * The chance to stop at each look, above the upper bound and below the lower one, by integration from look to look.
 *
 * Source: P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated significance tests on accumulating data", Journal of the
 * Royal Statistical Society A 132 (1969).
 */
export const stopChances = (looks: readonly Bounds[], theta: number): { above: number; below: number }[] =>
  Array.from(walkOver(looks, theta), ({ look: { information, upper, lower }, going }) => ({
    above: beyond(going, information, theta, upper),
    below: beyond(going, information, theta, lower, -1),
  }));

export interface SpendingDesign {
  readonly alpha: number;
  readonly spending: Spending;
  /** 1: only growth stops; 2: a difference either way, α in all. */
  readonly sides: 1 | 2;
  /** The information that is planned for the last look. */
  readonly largest: number;
  /** A nominal level below this cannot be resolved: the look is passed over, and its share of α kept. */
  readonly finest: number;
}

/** A look by the time of which so much information was there. */
export interface TakenLook {
  readonly information: number;
  /** It has no p, and keeps its share of α for those after it. */
  readonly passed?: boolean;
  /** It spends all that is left of α, also where less information came than was planned. */
  readonly isLast?: boolean;
}

/** The nominal level of a look's own p, `sides` as designed; absent where the look cannot stop. */
export type SpentLook = Bounds & { readonly level?: number };

/**
 * Bounds of looks such that under H0 the chance to have stopped by each is what the spending function allows.
 *
 * @param looks in order, of rising information.
 */
export function spend(
  looks: readonly TakenLook[],
  { alpha, spending, sides, largest, finest }: SpendingDesign,
): SpentLook[] {
  let going = START, spent = 0;
  return looks.map(({ information, passed = false, isLast = false }) => {
    const share = isLast ? 1 : Math.min(1, information / largest);
    const allowed = sides * SPENDING[spending](share, alpha / sides) - spent;
    const exceeded = (z: number) => sides * beyond(going, information, 0, z);
    const upper = passed || allowed <= 0 ? Infinity : rootOf((z) => allowed - exceeded(z), 0, REACH, 1e-12);
    const level = sides * (1 - normalCdf(upper));
    const stops = upper < REACH && level >= finest;
    const bound = stops ? upper : Infinity;
    const look = { information, upper: bound, lower: sides === 2 ? -bound : -Infinity };
    if (stops) spent += allowed;
    going = goOn(going, look, 0);
    return { ...look, ...(stops && { level }) };
  });
}

/**
 * Estimate and interval of θ that allow for the looks before: outcomes are ordered by when they stopped and then by Z, and
 * θ is such that the outcome, or a larger one, has chance ½ (the median-unbiased estimate) or (1 ∓ level)/2 (the ends).
 * After a single look that is z·error and z·error ± q·error.
 *
 * Source: A. A. Tsiatis, G. L. Rosner and C. R. Mehta, "Exact confidence intervals following a group sequential test",
 * Biometrics 40 (1984).
 *
 * @param before the looks that did not stop; their information is one over the square of a standard error of θ.
 * @param last the last look: Z = θ̂/error.
 */
export function stagedInterval(
  before: readonly Bounds[],
  { error, z, level }: { readonly error: number; readonly z: number; readonly level: number },
): { theta: number; low: number; high: number } {
  const looks = [...before, { information: error ** -2, upper: z, lower: -Infinity }];
  const asLarge = (theta: number) => stopChances(looks, theta).reduce((sum, { above }) => sum + above, 0);
  const at = (chance: number) => {
    const single = z + normalQuantile(chance);
    return error * rootOf((x) => asLarge(x * error) - chance, single - 1, single + 1, 1e-7);
  };
  return { theta: at(0.5), low: at((1 - level) / 2), high: at((1 + level) / 2) };
}

/** The zero of a rising function: from two guesses outwards, then by secants that keep it between them (Illinois). */
function rootOf(f: (x: number) => number, low: number, high: number, tolerance: number): number {
  let [a, b] = [low, high], [fa, fb] = [f(a), f(b)];
  for (let reach = b - a; fa > 0 && reach < 1e3; reach *= 2) [b, fb, a, fa] = [a, fa, a - reach, f(a - reach)];
  for (let reach = b - a; fb < 0 && reach < 1e3; reach *= 2) [a, fa, b, fb] = [b, fb, b + reach, f(b + reach)];
  if (fa >= 0) return a;
  if (fb <= 0) return b;
  for (let side = 0, i = 0; b - a > tolerance && i < 100; i++) {
    const x = (a * fb - b * fa) / (fb - fa), fx = f(x);
    if (fx === 0) return x;
    if (fx < 0) {
      [a, fa] = [x, fx];
      if (side === -1) fb /= 2;
      side = -1;
    } else {
      [b, fb] = [x, fx];
      if (side === 1) fa /= 2;
      side = 1;
    }
    if (Math.abs(fx) < tolerance * 1e-3) return x;
  }
  return (a + b) / 2;
}
