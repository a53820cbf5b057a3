import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { fitKnobs, type FitOptions, type Knob } from "./fit_knobs.ts";
import type { FitTarget } from "./fit_targets.ts";

const mechanism = (name: keyof SurrogateParameters["mechanism"], scale: Knob["scale"] = "log"): Knob => ({
  get: (p) => p.mechanism[name],
  set: (p, value) => p.mechanism[name] = value,
  scale,
});
const anchor = (role: keyof SurrogateParameters["anchors"]): Knob => ({
  get: (p) => p.anchors[role],
  set: (p, value) => p.anchors[role] = value,
  scale: "log",
});
/** Only differences between options count, so the last option's prior stays 0. */
const prior = (scenario: string, option: number): Knob => ({
  get: (p) => p.scenarios[scenario]!.prior[option]!,
  set: (p, value) => p.scenarios[scenario]!.prior[option] = value,
  scale: "linear",
});
/** How much of Security's weight goes to the most cautious option C rather than to B, in both scenarios alike. */
const precaution: Knob = {
  get: (p) => p.scenarios["IM-01"]!.anchors.Security[2]!,
  set: (p, value) =>
    ["IM-01", "HL-01"].forEach((id) => p.scenarios[id]!.anchors.Security = [0, Number((1 - value).toFixed(12)), value]),
  scale: "logit",
};
const hl01RoleSpread: Knob = {
  get: (p) => p.scenarios["HL-01"]!.roleSpread,
  set: (p, value) => p.scenarios["HL-01"]!.roleSpread = value,
  scale: "log",
};

/** The seventeen fitted numbers. More numbers than targets: agreement with the targets is no evidence for the mechanism. */
const KNOBS: readonly Knob[] = [
  mechanism("openness", "logit"),
  mechanism("memoryGain"),
  mechanism("chairWeight"),
  mechanism("chairGain"),
  mechanism("receptiveness"),
  mechanism("noiseFloor"),
  mechanism("modelSpread"),
  anchor("Welfare"),
  anchor("Rights"),
  anchor("Equity"),
  anchor("Security"),
  precaution,
  prior("IM-01", 0),
  prior("IM-01", 1),
  prior("HL-01", 0),
  prior("HL-01", 1),
  hl01RoleSpread,
];

/** A synthesis may count for several arguments, but not for a whole window of them. */
const CHAIR_WEIGHT_CAP = 8;

/**
 * First stage: the mechanism, the anchors, and the priors of IM-01 and HL-01, fitted to the λ̂ of `fitTargets`.
 *
 * @param start parameters to begin at; everything that is not fitted is kept from them.
 * @returns the fitted parameters, rounded to four digits, and their loss.
 */
export async function fitSurrogate(
  start: SurrogateParameters,
  targets: readonly FitTarget[],
  options: Omit<FitOptions, "replicates"> & { replicates?: number },
): Promise<{ parameters: SurrogateParameters; loss: number }> {
  const penalty = ({ mechanism: { chairWeight } }: SurrogateParameters) =>
    10 * Math.max(0, Math.log(chairWeight / CHAIR_WEIGHT_CAP)) ** 2;
  return await fitKnobs(start, KNOBS, targets, { replicates: 96, ...options, population: 16, step: 0.25, penalty });
}
