import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";

/** Parameters for tests of the surrogate: of the shipped ones' kind, and unmoved by a new fit. */

const anchors = { Rights: [1, 0, 0], Equity: [1, 0, 0], Welfare: [0, 1, 0], Security: [0, 0.3, 0.7] };

export const parameters: SurrogateParameters = {
  schema: "surrogate-parameters/2",
  malformedShare: 0,
  malformedAgainShare: 0,
  mechanism: {
    openness: 0.15,
    chairOpenness: 0.3,
    blankOpenness: 0.1,
    otherModelOpenness: 4,
    memoryGain: 3,
    chairWeight: 5,
    chairGain: 0.6,
    undecidedLead: 0.05,
    receptiveness: 0.75,
    noiseShare: 0.45,
    noiseFloor: 0.1,
    chairNoise: 0.25,
    temperatureNoise: 0.2,
    modelSpread: 0.6,
    wordingSpread: 0.3,
  },
  anchors: { Welfare: 1.2, Rights: 0.4, Equity: 0.9, Security: 2.5 },
  models: {
    seed: 1,
    reference: "openai/gpt-4.1-mini",
    centredOver: ["openai/gpt-4.1", "anthropic/claude-sonnet-4.6", "google/gemini-2.5-flash", "x-ai/grok-3-mini"],
  },
  scenarios: {
    "IM-01": { prior: [-0.2, -0.5, 0], roleSpread: 1, contestability: 1, anchors, fitted: true },
    "HL-01": { prior: [1, 0.9, 0], roleSpread: 1.9, contestability: 0.8, anchors, fitted: true },
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
