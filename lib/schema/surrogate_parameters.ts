import * as z from "zod";
import { Role } from "./scenario.ts";

/** Version 2: the Chair opens undecided, and openness and noise differ between mandates, the Chair and blank seats. */
const SCHEMA = "surrogate-parameters/2";

const share = z.number().min(0).max(1);
const nonNegative = z.number().min(0);

/** Parameters of an agent's moves, the same in every scenario. Logits are natural-log odds between options. */
const Mechanism = z.strictObject({
  openness: share.describe("weight of the new target against the agent's own last row, 0 = never moves: mandates"),
  chairOpenness: share.describe("the same for the mandated Chair"),
  blankOpenness: share.describe("the same for a seat without a mandate"),
  otherModelOpenness: nonNegative.describe(
    "multiplies blankOpenness for models other than the reference; the product stays at most 0.7",
  ),
  memoryGain: nonNegative.describe("logits per unit of summed transcript stance"),
  chairWeight: nonNegative.describe("how much a synthesis by the mandated Chair counts against another's argument"),
  chairGain: nonNegative.describe(
    "the mandated Chair's own responsiveness to the transcript, relative to a blank agent's",
  ),
  undecidedLead: share.describe("the mandated Chair names no option while its lead over the next is below this"),
  receptiveness: nonNegative.describe(
    "weight of prior and transcript for the four other mandates; 1 = as a blank agent",
  ),
  noiseShare: share.describe(
    "share of calls that differ from the noiseless answer, at any temperature (S1: 0.40 to 0.50)",
  ),
  noiseFloor: nonNegative.describe("width of that difference at temperature 0, logits"),
  chairNoise: nonNegative.describe("the same for the mandated Chair"),
  temperatureNoise: nonNegative.describe(
    "width added in quadrature to the calls that differ, logits per unit of temperature",
  ),
  modelSpread: nonNegative.describe("how far models' leanings differ, logits"),
  wordingSpread: nonNegative.describe("how far another wording of a scenario's packet moves its prior, logits"),
});

/** Strength with which each mandate holds to its own option, logits, before the scenario's role spread. */
const Anchors = z.record(Role.exclude(["Chair"]), nonNegative);

/** A model's deviation from the reference model in one scenario, in which it then has neither prior nor leaning. */
const Character = z.strictObject({
  responsiveness: nonNegative.describe("multiplies the memory gain"),
  noise: nonNegative.describe("multiplies the width of its noisy calls at temperature 0"),
});

const SurrogateScenario = z.strictObject({
  prior: z.array(z.number()).min(2).describe("leaning of an agent without mandate, logits by option"),
  roleSpread: nonNegative.describe("multiplies the anchors"),
  contestability: nonNegative.describe("multiplies the memory gain"),
  anchors: z.record(Role.exclude(["Chair"]), z.array(nonNegative)).describe(
    "what each mandate favours, weight by option",
  ),
  fitted: z.boolean().describe("false: set by hand to run, not fitted to anything published"),
  wording: z.string().optional().describe(
    "hash of the packet's text that the prior belongs to; absent: it belongs to every wording",
  ),
  characters: z.record(z.string(), Character).optional().describe(
    "by model id; a model that is not listed has 1 and 1, prior and leaning",
  ),
});
export type SurrogateScenario = z.infer<typeof SurrogateScenario>;

/** All that makes a surrogate committee behave as it does; written by the fit, explained in `lib/model/surrogate/`. */
export const SurrogateParameters = z.strictObject({
  schema: z.literal(SCHEMA, {
    error: ({ input }) =>
      input === "surrogate-parameters/1"
        ? `is "surrogate-parameters/1", of an earlier mechanism whose numbers mean something else: ` +
          `take scenarios/surrogate.json or fit again with deno task dev fit`
        : `must be "${SCHEMA}"`,
  }),
  malformedShare: share.describe("share of replies whose STATE line or JSON is spoilt"),
  malformedAgainShare: share.describe("the same for the second request"),
  mechanism: Mechanism,
  anchors: Anchors,
  models: z.strictObject({
    seed: z.int().describe("draws every model's leaning, by scenario"),
    reference: z.string().describe("the model that the priors describe: it has no leaning of its own"),
    centredOver: z.array(z.string()).describe(
      "models whose leanings sum to zero, so that a mixed committee is not biased",
    ),
  }),
  scenarios: z.record(z.string(), SurrogateScenario),
  fit: z.array(z.strictObject({
    stage: z.string().describe("which numbers were moved"),
    command: z.string(),
    loss: z.number().min(0).describe("squared misfits in the units of data/predictions/split.json, with the ridge"),
    targets: z.int().min(1),
  })).optional().describe("how the fitted numbers came about, one entry a search"),
});
export type SurrogateParameters = z.infer<typeof SurrogateParameters>;
