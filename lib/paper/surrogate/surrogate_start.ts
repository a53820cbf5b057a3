import { loadLineups } from "../../runs/scenarios.ts";
import type { Role } from "../../schema/scenario.ts";
import type { SurrogateParameters, SurrogateScenario } from "../../schema/surrogate_parameters.ts";

/** Humanitarian, single-payer: A. Points, public option: B. The most cautious option: C. */
const THREE_OPTIONS = { Rights: [1, 0, 0], Equity: [1, 0, 0], Welfare: [0, 1, 0], Security: [0, 0.9516, 0.0484] };

/**
 * Which option each mandate favours where the second stage fits a scenario, by letter: read from what the options say
 * (Table S4), before fitting, and not moved by it.
 */
const FAVOURED: Readonly<Record<string, Readonly<Record<Exclude<Role, "Chair">, "A" | "B" | "C">>>> = {
  "IM-02": { Rights: "C", Equity: "C", Welfare: "B", Security: "A" },
  "HL-02": { Rights: "C", Equity: "C", Welfare: "B", Security: "A" },
  "IN-01": { Rights: "A", Equity: "A", Welfare: "C", Security: "B" },
  "IN-02": { Rights: "C", Equity: "C", Welfare: "B", Security: "A" },
  "CL-01": { Rights: "A", Equity: "A", Welfare: "B", Security: "C" },
  "SP-01": { Rights: "C", Equity: "A", Welfare: "B", Security: "A" },
  "SP-03": { Rights: "C", Equity: "C", Welfare: "A", Security: "B" },
  "AI-01": { Rights: "A", Equity: "A", Welfare: "B", Security: "C" },
  "AI-02": { Rights: "A", Equity: "A", Welfare: "B", Security: "A" },
};

/**
 * Where the fit begins: what the mandates favour in each scenario, the shares of noisy and malformed replies, and for
 * all that is fitted the numbers at which searches before this one ended, to four digits.
 *
 * Those searches (some two dozen, by covariance matrix adaptation, most in C) began at an earlier study's numbers, used this
 * loss and none of the held-out numbers, and looked around widely; `deno task fit` only goes on from where the best of
 * them stopped. What the targets leave open is not to be read from it: see `refits`.
 *
 * `noiseShare` is the middle of the published 40-50 % of identical calls that differ (S1); `temperatureNoise` is small
 * because the published λ̂ hardly depends on temperature; `wordingSpread` is about one noisy call's worth. None is fitted.
 */
export async function surrogateStart(): Promise<SurrogateParameters> {
  const { lineups } = await loadLineups();
  const reference = lineups.uniform!.models.Chair;
  return {
    schema: "surrogate-parameters/2",
    malformedShare: 0.01,
    malformedAgainShare: 0.02,
    mechanism: {
      openness: 0.1507,
      chairOpenness: 0.7899,
      blankOpenness: 0.00329,
      otherModelOpenness: 13.21,
      memoryGain: 27.12,
      chairWeight: 8.223,
      chairGain: 0.1034,
      undecidedLead: 0.04482,
      receptiveness: 0.02841,
      noiseShare: 0.45,
      noiseFloor: 0.07486,
      chairNoise: 0.7973,
      temperatureNoise: 0.1,
      modelSpread: 4.339,
      wordingSpread: 0.1,
    },
    anchors: { Welfare: 0.9721, Rights: 7.661, Equity: 1.387, Security: 5.009 },
    models: {
      seed: 1,
      reference,
      centredOver: Object.values(lineups.mixed!.models).filter((model) => model !== reference),
    },
    scenarios: {
      "IM-01": { prior: [-4.344, -2.28, 0], roleSpread: 1, contestability: 1, anchors: THREE_OPTIONS, fitted: true },
      "HL-01": {
        prior: [-3.378, -0.1048, 0],
        roleSpread: 0.8701,
        contestability: 1,
        anchors: THREE_OPTIONS,
        fitted: true,
      },
      ...Object.fromEntries(Object.entries(FAVOURED).map(([id, favoured]) => [id, unfitted(favoured)])),
      "CL-04": {
        prior: [0, 0, 0, 0, 0],
        roleSpread: 1,
        contestability: 0.5,
        anchors: {
          Rights: [0, 1, 0, 0, 0],
          Equity: [0, 0.3, 0, 0.7, 0],
          Welfare: [1, 0, 0, 0, 0],
          Security: [0.5, 0, 0, 0, 0.5],
        },
        fitted: false,
      },
    },
  };
}

function unfitted(favoured: typeof FAVOURED[string]): SurrogateScenario {
  const only = (letter: string) => ["A", "B", "C"].map((option) => (option === letter ? 1 : 0));
  const { Rights, Equity, Welfare, Security } = favoured;
  return {
    prior: [0, 0, 0],
    roleSpread: 1,
    contestability: 0.5,
    anchors: { Rights: only(Rights), Equity: only(Equity), Welfare: only(Welfare), Security: only(Security) },
    fitted: false,
  };
}
