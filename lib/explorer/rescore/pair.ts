import { nearestFlip } from "../../quality/nearest_flip.ts";
import { nearestMoves, type WeightMove } from "../../quality/nearest_unsettled.ts";
import type { Interval } from "../../quality/published_row.ts";
import { pairOrder } from "../../quality/ranks.ts";
import { boundsSolver, fillOrder } from "../../quality/rescore_bounds.ts";
import { pairShares } from "../../quality/shares.ts";
import { componentNames } from "../../schema/quality_names.ts";
import type { Entry } from "./data.ts";
import type { ListedRun } from "./listing.ts";
import type { Breakdown } from "./pictures.ts";
import { DRAWS, drawsOf, scorerOf } from "./ranking.ts";
import { type FullWeights, fullWeights, type State } from "./state.ts";
import { decimals, labelOf, missingText } from "./texts.ts";

/** What each component of a run may be, given all that is known of it; absent where nothing is. */
export function knownComponents({ row, components }: Entry, weights: FullWeights): Breakdown["components"] {
  const names = Object.keys(weights), solve = row && boundsSolver(row);
  return Object.fromEntries(names.map((name) => {
    const value = components[name], exact = value === undefined ? undefined : { low: value, high: value };
    return [name, solve ? solve(fillOrder({ [name]: 1 }, names)) : exact];
  }));
}

type Contract = Pick<State, "weights" | "components">;

/** What is said of two runs, with weightings that the reader may go to. */
export interface Comparison {
  readonly sentences: readonly string[];
  readonly targets: readonly { readonly label: string; readonly weights: FullWeights }[];
}

/** The order of two runs, how often it holds over all weightings, and the nearest weights that turn it over. */
export function comparePair(a: ListedRun, b: ListedRun, contract: Contract): Comparison {
  const { weights, components } = contract;
  const score = scorerOf([a.entry, b.entry]), found = score(weights);
  const lacking = found.findIndex(({ q }) => q === undefined);
  if (lacking >= 0) {
    const { name } = [a, b][lacking]!;
    return { sentences: [`${name} cannot be compared: it ${missingText(found[lacking]!.missing)}.`], targets: [] };
  }
  const scores = found.map(({ q }) => q!), order = pairOrder(scores[0]!, scores[1]!);
  const [above, below] = order === "below" ? [b, a] : [a, b];
  const draws = drawsOf(components).map((weights) => score(weights).map(({ q }) => q)).filter((draw) =>
    draw.every((q) => q !== undefined)
  );
  const sentences = [orderWords(above, below, { order, exact: scores.every(({ low, high }) => low === high) })];
  if (draws.length === DRAWS) {
    const [share] = pairShares(scores, draws as Interval[][]);
    const [up, down] = order === "below" ? [share!.below, share!.above] : [share!.above, share!.below];
    sentences.push(
      `Over ${DRAWS} weightings, each as likely as any other: ${above.name} certainly above in ${percent(up)}, ` +
        `${below.name} in ${percent(down)}, undecided in ${percent(share!.undecided)}.`,
    );
  }
  if (order === "undecided") return { sentences, targets: [] };
  const turned = above.entry.row === undefined && below.entry.row === undefined
    ? exactFlip(above, below, contract)
    : boundedFlip(above, below, contract);
  return { sentences: [...sentences, ...turned.sentences], targets: turned.targets };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function orderWords(above: ListedRun, below: ListedRun, { order, exact }: { order: string; exact: boolean }): string {
  if (order !== "undecided") return `${above.name} is certainly above ${below.name} under these weights.`;
  return exact
    ? `${above.name} and ${below.name} have the same q under these weights.`
    : `Which is above, ${above.name} or ${below.name}, is undecided under these weights: what was printed allows both.`;
}

function exactFlip(above: ListedRun, below: ListedRun, { weights, components }: Contract): Comparison {
  // A component that no weight uses may be unknown of one run: a flip through it cannot be told.
  const names = componentNames(components);
  if ([above, below].some(({ entry }) => names.some((name) => entry.components[name] === undefined))) {
    return { sentences: ["The nearest flip is not known: a component of one of them is not."], targets: [] };
  }
  const [a, b] = [above.entry.components, below.entry.components];
  const { weights: found, distance, reason } = nearestFlip(a, b, weights, { components });
  if (found === undefined || reason !== undefined) {
    return { sentences: [`No weights put ${below.name} above: in no component is it ahead.`], targets: [] };
  }
  return {
    sentences: [`Nearest flip: ${decimals(distance! / 2)} of the weight has to be moved until they are level.`],
    targets: [{ label: "Go to the nearest flip", weights: found }],
  };
}

function boundedFlip(above: ListedRun, below: ListedRun, { weights, components }: Contract): Comparison {
  const score = scorerOf([above.entry, below.entry]);
  const { unsettled, reversed } = nearestMoves(
    (given) => score(fullWeights(given, { components })).map(({ q }) => q!),
    weights,
    { components },
  );
  const words = (what: string, move: WeightMove<string> | undefined) =>
    move === undefined
      ? `No move from one component to one other ${what}.`
      : `The smallest move from one component to one other that ${what}: ${decimals(move.moved)} from ${
        labelOf(move.from)
      } to ${labelOf(move.to)}.`;
  const after = ({ from, to, moved }: WeightMove<string>) => ({
    ...weights,
    [from]: Math.max(0, weights[from]! - moved),
    [to]: weights[to]! + moved,
  });
  return {
    sentences: [words("leaves the order undecided", unsettled), words(`puts ${below.name} certainly above`, reversed)],
    targets: [
      ...(unsettled ? [{ label: "Go where it is undecided", weights: after(unsettled) }] : []),
      ...(reversed ? [{ label: "Go where it turns over", weights: after(reversed) }] : []),
    ],
  };
}
