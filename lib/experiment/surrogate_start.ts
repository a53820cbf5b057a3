import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { loadLineups } from "../storage/scenarios.ts";

/** Humanitarian, single-payer: A. Points, public option: B. The most cautious option: C. */
const THREE_OPTIONS = { Rights: [1, 0, 0], Equity: [1, 0, 0], Welfare: [0, 1, 0], Security: [0, 0.28, 0.72] };

/**
 * Where the fit begins: what the mandates favour in each scenario, the shares of noisy and malformed replies, and round
 * numbers for all that is fitted, from an earlier study of the mechanism. That study also looked at flip rates, times
 * to majority and switches of IM-01; this fit does not.
 *
 * `noiseShare` is the middle of the published 40-50 % of identical calls that differ (S1); `temperatureNoise` is small
 * because the published λ̂ hardly depends on temperature. Neither is fitted.
 */
export async function surrogateStart(): Promise<SurrogateParameters> {
  const { lineups } = await loadLineups();
  const reference = lineups.uniform!.models.Chair;
  return {
    schema: "surrogate-parameters/1",
    malformedShare: 0.01,
    malformedAgainShare: 0.02,
    mechanism: {
      openness: 0.158,
      memoryGain: 3,
      chairWeight: 5.77,
      chairGain: 0.56,
      receptiveness: 0.765,
      noiseShare: 0.45,
      noiseFloor: 0.097,
      temperatureNoise: 0.1,
      modelSpread: 0.577,
    },
    anchors: { Welfare: 1.22, Rights: 0.36, Equity: 0.88, Security: 2.64 },
    models: {
      seed: 1,
      reference,
      centredOver: Object.values(lineups.mixed!.models).filter((model) => model !== reference),
    },
    scenarios: {
      "IM-01": { prior: [-0.23, -0.56, 0], roleSpread: 1, contestability: 1, anchors: THREE_OPTIONS, fitted: true },
      "HL-01": { prior: [1, 0.89, 0], roleSpread: 1.93, contestability: 1, anchors: THREE_OPTIONS, fitted: true },
      "CL-04": {
        prior: [0.2, 0, 0.1, 0.1, 0],
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
