import earlier from "../../../data/predictions/earlier_mechanism.json" with { type: "json" };
import expected from "../../../data/predictions/expected_scores.json" with { type: "json" };
import landscape from "../../../data/predictions/landscape.json" with { type: "json" };
import refits from "../../../data/predictions/refits.json" with { type: "json" };
import readings from "../../../data/surrogate/readings.json" with { type: "json" };
import surrogate from "../../../data/predictions/surrogate.json" with { type: "json" };

/**
 * Predictions written down before the surrogate was run, the scores of the mechanism before it, and stage 1 of the fit
 * from other starts: the files of `data/predictions/`, whose README says when each was made. `readings` compares the
 * constants on file with alternatives.
 */
export const PREDICTIONS = { earlier, expected, landscape, readings, refits, surrogate };
