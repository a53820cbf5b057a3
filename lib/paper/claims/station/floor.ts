import { mean } from "simple-statistics";
import { PUBLISHED_THRESHOLDS } from "../../../quality/classify.ts";
import { factValue } from "../../published_facts.ts";
import type { FloorRun, StationTables } from "../../published_station.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, listed, qOf, rangeOf, rumours, survivors, threeDecimals, words } from "../words.ts";

/** Table 8 prints public order as its margin above this. */
const COLLAPSE = 0.35;

/** How near to a threshold is "just above" it. */
const JUST = 0.02;

/** What is said of runs without a model. */
export const FLOOR: Checks<StationTables> = {
  /** The run that the introduction tells of is one of Table 8. */
  storyIsInTable8({ floor, facts }) {
    const order = factValue(facts, "fallback-111-public-order");
    const rumors = factValue(facts, "fallback-111-active-rumors");
    const found = floor.filter((run) =>
      run.active_rumors === rumors && threeDecimals(orderOf(run)) === threeDecimals(order)
    );
    const seeds = found.map((run) =>
      `${run.seed}: ${threeDecimals(run.public_order_margin)} + ${COLLAPSE} = ${threeDecimals(orderOf(run))}`
    );
    return {
      holds: found.length > 0,
      evidence: `Public order ${threeDecimals(order)} with ${rumours(rumors)} is Table 8's seed ${listed(seeds)}.`,
    };
  },

  /** That run ended nearer to the collapse of public order than any other published run. */
  lowestOrder({ runs, floor }) {
    const lowest = floor.reduce((a, b) => (b.public_order_margin < a.public_order_margin ? b : a));
    const live = Math.min(...runs.map(({ public_order }) => public_order));
    return {
      holds: lowest.active_rumors === Math.max(...floor.map((run) => run.active_rumors)) && orderOf(lowest) < live,
      evidence: words`Lowest public order without a model: ${threeDecimals(orderOf(lowest))} on seed ${lowest.seed},
        ${threeDecimals(lowest.public_order_margin)} above the threshold, with ${rumours(lowest.active_rumors)};
        lowest of a live run: ${threeDecimals(live)}.`,
    };
  },

  /** The floor's mean is just above adequate, and further below the lowest family than the families lie apart. */
  floorWellBelow({ floor, models }) {
    const own = mean(qOf(floor));
    const means = models.map(({ mean_q }) => mean_q);
    const [above, below] = [own - PUBLISHED_THRESHOLDS.adequate, Math.min(...means) - own];
    return {
      holds: above >= 0 && above <= JUST && below > rangeOf(means),
      evidence: words`The mean without a model, ${threeDecimals(own)}, is ${threeDecimals(above)} above adequate and
        ${threeDecimals(below)} below the lowest family's; the families' means lie within
        ${threeDecimals(rangeOf(means))} of one another.`,
    };
  },

  /** Half of the runs without a model are adequate. */
  floorAdequateOnHalf({ floor }) {
    const clear = floor.filter(({ q }) => q >= PUBLISHED_THRESHOLDS.adequate);
    return {
      holds: 2 * clear.length === floor.length,
      evidence: words`${countOf(clear, floor)} runs without a model reach
        ${threeDecimals(PUBLISHED_THRESHOLDS.adequate)}: seeds ${listed(clear.map(({ seed }) => String(seed)))}.`,
    };
  },

  /** Survival without a model leaves less public order and more rumours than a live council. */
  floorDegraded({ runs, floor }) {
    const live = survivors(runs);
    const order = [mean(floor.map(orderOf)), mean(live.map(({ public_order }) => public_order))] as const;
    const rumors = [mean(floor.map((run) => run.active_rumors)), mean(live.map((run) => run.active_rumors))] as const;
    return {
      holds: order[0] < order[1] && rumors[0] > rumors[1],
      evidence: words`Means without a model and of the ${live.length} live survivors: public order
        ${threeDecimals(order[0])} and ${threeDecimals(order[1])}, active rumours ${rumors[0].toFixed(2)} and
        ${rumors[1].toFixed(2)}.`,
    };
  },

  /** Two runs without a model on one seed end alike; undecided while no seed is printed twice. */
  floorSetBySeed({ floor, batches, runs }) {
    const logged = floorRunsMade({ batches, runs });
    const twice = [...Map.groupBy(floor, ({ seed }) => seed).values()].filter((own) => own.length > 1);
    const alike = twice.filter((own) => new Set(own.map(({ seed: _, ...rest }) => JSON.stringify(rest))).size === 1);
    return {
      holds: twice.length === 0 ? undefined : alike.length === twice.length,
      evidence: words`The primary batch leaves ${logged} runs without a model; Table 8 prints ${floor.length}, and
        ${twice.length === 0 ? "no seed" : listed(twice.map(([run]) => `seed ${run!.seed}`))}
        twice${twice.length === 0 ? "" : `, ${countOf(alike, twice)} of them alike`}.`,
    };
  },

  /** A run without a model has a fallback in every slot of six roles and six rounds. */
  everySlotFallback({ facts }) {
    const [roles, rounds] = [factValue(facts, "council-roles"), factValue(facts, "rounds")];
    const [fallbacks, actions] = [factValue(facts, "fallback-actions"), factValue(facts, "fallback-model-actions")];
    return {
      holds: roles * rounds === fallbacks && actions === 0,
      evidence: words`${roles} roles in ${rounds} rounds are ${roles * rounds} slots; stated are ${fallbacks} fallbacks
        and ${actions} model actions.`,
    };
  },

  /** All printed runs without a model stabilised; whether all that were made did is not printed. */
  everyFloorRunStabilised({ floor, batches, runs }) {
    const made = floorRunsMade({ batches, runs });
    const stable = floor.filter(({ stabilized }) => stabilized);
    return {
      holds: stable.length < floor.length ? false : floor.length >= made ? true : undefined,
      evidence: words`${countOf(stable, floor)} printed runs without a model stabilised; the primary batch has ${made}
        of them, so ${made - floor.length} are not printed, nor is it said which were taken.`,
    };
  },

  /** What a live council adds on each seed; that it is positive everywhere does not show its cause. */
  gapIsDeliberation({ runs, floor }) {
    const gaps = floor.map(({ seed, q }) => ({ seed, gap: mean(qOf(runs.filter((run) => run.seed === seed))) - q }));
    const least = gaps.reduce((a, b) => (b.gap < a.gap ? b : a));
    const positive = gaps.filter(({ gap }) => gap > 0);
    return {
      holds: positive.length === gaps.length ? undefined : false,
      evidence: words`Live runs are above the run without a model on ${countOf(positive, gaps)} seeds, by
        ${threeDecimals(mean(gaps.map(({ gap }) => gap)))} on average and ${threeDecimals(least.gap)} at least (seed
        ${least.seed}); no published run has readable plans without deliberation.`,
    };
  },
};

/** Of the primary batch, what is no clean-live run ran without a model. */
function floorRunsMade({ batches, runs }: Pick<StationTables, "batches" | "runs">): number {
  const primary = batches.find(({ batch }) => batch.startsWith("Quality-of-survival"));
  return (primary?.runs ?? 0) - runs.filter(({ batch }) => batch === "primary").length;
}

const orderOf = ({ public_order_margin }: FloorRun): number => public_order_margin + COLLAPSE;
