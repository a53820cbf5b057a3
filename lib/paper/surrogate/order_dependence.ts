import { createRng } from "../../core/rng.ts";
import { ROLES } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { type CommitteeSpec, drawRuns, ensembleFacts, runEnsemble, seatCommittee } from "./fast_committee.ts";
import type { CellFacts } from "./loss.ts";
import { committeeSpec, oneModel } from "./simulate_committee.ts";

/** What IM-01's committees show when they speak in one order. */
export interface OrderRow {
  /** Roles in speaking order. */
  readonly order: string;
  /** Whether it is the order in which the project's conditions speak, and the one the fit saw. */
  readonly fitted: boolean;
  /** λ̂ with roles and without the Chair's mandate, nats per round. */
  readonly lambda: number | undefined;
  readonly lambdaWithoutChair: number | undefined;
  readonly flip: number;
  /** Median rounds to the first majority (grouped), with roles and without the Chair's mandate; 21 is never. */
  readonly majority: number;
  readonly majorityWithoutChair: number;
}

/**
 * IM-01 at T = 0 in its own speaking order and in others drawn at random. The paper draws one order and keeps it (S2.1)
 * without saying which, and the fit saw one: what changes with the order is no property of the mechanism alone.
 *
 * @param options `orders`: how many besides its own; `runs` of each committee; equal seeds give equal rows.
 */
export function orderDependence(
  parameters: SurrogateParameters,
  { seed, orders = 20, runs = 200 }: { seed: number; orders?: number; runs?: number },
): OrderRow[] {
  const rng = createRng(seed).fork("orders");
  const models = oneModel(parameters.models.reference);
  const specs = [
    committeeSpec("IM-01", 3, models, { roles: true }),
    committeeSpec("IM-01", 3, models, { roles: true, ablated: "Chair" }),
  ];
  const [own, without] = specs as [CommitteeSpec, CommitteeSpec];
  const facts = (spec: CommitteeSpec, order: readonly number[], name: string): CellFacts => {
    const committee = seatCommittee({ ...spec, order }, parameters);
    const { noiseShare } = parameters.mechanism;
    return ensembleFacts(committee, runEnsemble(committee, drawRuns(spec, { runs, noiseShare, rng: rng.fork(name) })));
  };
  const drawn = Array.from({ length: orders }, (_, i) => rng.fork(i).shuffle(own.order));
  return [own.order, ...drawn].map((order, i) => {
    const [full, chairless] = [facts(own, order, `full ${i}`), facts(without, order, `without ${i}`)];
    return {
      order: order.map((seat) => ROLES[seat]).join(", "),
      fitted: i === 0,
      ...{ lambda: full.lambda, lambdaWithoutChair: chairless.lambda, flip: full.flip },
      ...{ majority: full.majority, majorityWithoutChair: chairless.majority },
    };
  });
}
