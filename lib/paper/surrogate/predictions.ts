import earlier from "../../../data/predictions/earlier_mechanism.json" with { type: "json" };
import expected from "../../../data/predictions/expected_scores.json" with { type: "json" };
import landscape from "../../../data/predictions/landscape.json" with { type: "json" };
import refits from "../../../data/predictions/refits.json" with { type: "json" };
import surrogate from "../../../data/predictions/surrogate.json" with { type: "json" };

/**
 * What was written down of the surrogate before it was run, what the mechanism before it scored, and stage 1 of the fit
 * from other starts: the files of `data/predictions/`, whose README says when each was made.
 */
export const PREDICTIONS = { earlier, expected, landscape, refits, surrogate };
