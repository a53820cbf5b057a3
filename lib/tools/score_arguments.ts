import { UserError } from "../core/user_error.ts";
import { PUBLISHED_THRESHOLDS, type Thresholds } from "../quality/classify.ts";
import { NAMED_WEIGHTS, namedWeights, PUBLISHED_WEIGHTS, unitWeights, type Weights } from "../quality/weights.ts";
import { readJson } from "../runs/read_json.ts";
import { COMPONENTS, type OwnComponents } from "../schema/quality_names.ts";
import { WeightsFile } from "../schema/station_summary.ts";

/** The contract that summaries are scored under. */
export interface Contract {
  /** How the weights were named: `published`, another name, or a file. */
  readonly label: string;
  /** Summing to 1. */
  readonly weights: Weights;
  /** Of one's own, where the file declares some. */
  readonly components?: OwnComponents;
  readonly thresholds: Thresholds;
  readonly normalised: boolean;
}

/** The flags of `score` that make a contract. */
interface ContractFlags {
  readonly weights?: string | undefined;
  readonly thresholds?: string | undefined;
  readonly normalise: boolean;
}

/** Reads the contract. Throws a UserError naming flag or file and rule; where an argument was bad, with `exitCode` 2. */
export async function readContract({ weights = "published", thresholds, normalise }: ContractFlags): Promise<Contract> {
  const { components, ...given } = await weightsOf(weights);
  return {
    label: weights,
    weights: argument(`--weights ${weights}`, () => unitWeights(given, { normalise, components })),
    ...(components && { components }),
    thresholds: thresholds === undefined ? PUBLISHED_THRESHOLDS : readThresholds(thresholds),
    normalised: normalise,
  };
}

/** Whether a contract says nothing else than the published one: scoring under it is no re-scoring. */
export function isPublished({ weights, thresholds }: Contract): boolean {
  // Normalising moves last digits.
  return COMPONENTS.every((name) => Math.abs((weights[name] ?? 0) - PUBLISHED_WEIGHTS[name]) < 1e-12) &&
    thresholds.strong === PUBLISHED_THRESHOLDS.strong && thresholds.adequate === PUBLISHED_THRESHOLDS.adequate;
}

/** A tolerance as in `rescore`. */
export function readTolerance(text: string): number {
  return number("--tolerance", text, "a number of at least 0, such as 0.001");
}

async function weightsOf(text: string): Promise<WeightsFile> {
  if (Object.hasOwn(NAMED_WEIGHTS, text) || !looksLikeFile(text)) return namedWeights(text);
  return await readJson(text, WeightsFile);
}

const looksLikeFile = (text: string): boolean => /[./\\]/.test(text);

function readThresholds(text: string): Thresholds {
  const rule = "two numbers in [0, 1], STRONG,ADEQUATE, such as 0.82,0.70";
  const parts = text.split(",");
  const [strong, adequate] = parts.map((part) => number("--thresholds", part.trim(), rule));
  if (parts.length === 2 && strong! <= 1 && adequate! <= strong!) return { strong: strong!, adequate: adequate! };
  throw new UserError(`--thresholds must be ${rule}, the first at least the second; got "${text}"`, { exitCode: 2 });
}

function number(flag: string, text: string, rule: string): number {
  if (/^\d*\.?\d+(e-?\d+)?$/i.test(text) && Number.isFinite(Number(text))) return Number(text);
  throw new UserError(`${flag} must be ${rule}; got "${text}"`, { exitCode: 2 });
}

function argument<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof UserError)) throw error;
    throw new UserError(`${name}: ${error.message}`, { exitCode: 2, cause: error });
  }
}
