import { maxIndex } from "d3-array";
import type { Rng } from "../../core/rng.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import type { Disposition } from "./disposition.ts";

/** One argument as a surrogate hears it: which option it speaks for, how strongly, and whether it is the Chair's synthesis. */
export interface Heard {
  readonly option: number;
  /** 0.25, 0.5, 0.75 or 1, from the words used. */
  readonly strength: number;
  readonly synthesis: boolean;
}

/**
 * The transcript field M, [K]: what the window pulls towards. Each argument adds its strength towards its option and
 * takes it evenly from all. The sum is divided by 15 whatever the window's length, so that a short memory is a weak one.
 */
export function transcriptField(heard: readonly Heard[], optionCount: number, chairWeight: number): number[] {
  const field = new Array<number>(optionCount).fill(0);
  let total = 0;
  for (const { option, strength, synthesis } of heard) {
    const weight = synthesis ? chairWeight * strength : strength;
    field[option]! += weight;
    total += weight;
  }
  for (let k = 0; k < optionCount; k++) field[k] = (field[k]! - total / optionCount) / 15;
  return field;
}

/** What one call answers. */
interface Response {
  /** Hundredths that sum to 100, [K]. */
  readonly hundredths: readonly number[];
  /** Whether this call differs from the noiseless one. */
  readonly noisy: boolean;
}

/**
 * A surrogate's preferences after one call.
 *
 * Target logits are `base + gain · M`; the agent goes the share `openness` of the way there from the logits of its own
 * row of the state table (all of it on its first turn), noise is added, and the softmax is rounded to hundredths, the
 * remainder going to the largest. Noise is there at temperature 0 too, in a share of calls: hosted models differ
 * between identical calls (S1).
 *
 * @param own the agent's last row, [K]; undefined on its first turn.
 */
export function respond(
  { base, gain }: Disposition,
  field: readonly number[],
  own: readonly number[] | undefined,
  temperature: number,
  { openness, noiseShare, noiseFloor, temperatureNoise }: SurrogateParameters["mechanism"],
  rng: Rng,
): Response {
  const optionCount = base.length;
  // Plain loops: this is where a simulated committee spends its time.
  const logits = new Array<number>(optionCount);
  let [aimMean, heldMean] = [0, 0];
  for (let k = 0; k < optionCount; k++) {
    logits[k] = base[k]! + gain * field[k]!;
    aimMean += logits[k]! / optionCount;
    if (own) heldMean += Math.log(Math.max(own[k]!, 0.01)) / optionCount;
  }
  for (let k = 0; k < optionCount; k++) {
    const aim = logits[k]! - aimMean;
    logits[k] = own ? (1 - openness) * (Math.log(Math.max(own[k]!, 0.01)) - heldMean) + openness * aim : aim;
  }
  const noisy = rng.next() < noiseShare;
  if (noisy) { for (let k = 0; k < optionCount; k++) logits[k]! += noiseFloor * rng.normal(); }
  if (temperature > 0) {
    for (let k = 0; k < optionCount; k++) logits[k]! += temperatureNoise * temperature * rng.normal();
  }
  return { hundredths: softmaxHundredths(logits), noisy: noisy || temperature > 0 };
}

function softmaxHundredths(logits: readonly number[]): number[] {
  const top = logits[maxIndex(logits)]!;
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - top);
  const hundredths = logits.map((logit) => Math.round((100 * Math.exp(logit - top)) / total));
  let rest = 100;
  for (const h of hundredths) rest -= h;
  hundredths[maxIndex(hundredths)]! += rest;
  return hundredths;
}

/** How strongly an agent words its stance: a quarter for each started 0.25 of lead over the next option. */
export function stanceStrength(hundredths: readonly number[]): number {
  const top = maxIndex(hundredths);
  let next = 0;
  for (let k = 0; k < hundredths.length; k++) if (k !== top && hundredths[k]! > next) next = hundredths[k]!;
  return Math.max(1, Math.ceil((hundredths[top]! - next) / 25)) / 4;
}
