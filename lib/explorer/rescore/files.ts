import { UserError } from "../../core/user_error.ts";
import type { OwnOptions, Weights } from "../../quality/weights.ts";
import type { OwnComponents } from "../../schema/quality_names.ts";
import { filesPanel, type Said } from "../files.ts";
import { button } from "../inputs.ts";
import type { Entry } from "./data.ts";
import { readGiven } from "./given.ts";
import { type FullWeights, fullWeights } from "./state.ts";

interface OwnFilesOptions {
  /** Told of all the reader's runs. */
  readonly onRuns: (all: readonly Entry[]) => void;
  readonly onWeights: (weights: FullWeights, components: OwnComponents | undefined) => void;
}

/** Where the reader gives runs and weights. */
export function ownFiles({ onRuns, onWeights }: OwnFilesOptions): HTMLElement {
  let runs: Entry[] = [], told = 0;
  const takeWeights = (name: string, weights: Weights, { components }: OwnOptions): Said[] => {
    const set = (normalise: boolean) => onWeights(fullWeights(weights, { normalise, components }), components);
    try {
      set(false);
      return [`${name}: its weights are set.`];
    } catch (error) {
      const sum = Object.values(weights).reduce((sum, weight) => sum + weight, 0), { message } = error as Error;
      // Only a sum is for the reader to decide; what else is wrong stays wrong when divided.
      if (!/sum to/.test(message)) throw new UserError(`${message}. The weights stay as they were`);
      return [
        `${name}: ${message}. The weights stay as they were.`,
        button(
          `Divide them by ${Number(sum.toPrecision(4))} and use them`,
          () => set(true),
        ),
      ];
    }
  };
  return filesPanel({
    legend: "Runs and weights of your own",
    about: "Drop, choose or paste final_summary.json files (one a line is fine too), the components.csv of " +
      "run … --csv, or weights as JSON, which may declare components of your own. Nothing is sent; a reload forgets the " +
      "runs, and the address does not hold them.",
    wanted: /^(final_summary\.json|components\.csv)$/,
    take(text, name) {
      const given = readGiven(text, runs.length);
      if ("weights" in given) return takeWeights(name, given.weights, given);
      // A new list: what is ranked may still be looked at.
      runs = [...runs, ...given.runs];
      return [];
    },
    done() {
      const added = runs.length - told;
      if (added === 0) return [];
      told = runs.length;
      onRuns(runs);
      return [`${added} runs read, ${runs.length} of yours in all.`];
    },
    remove() {
      [runs, told] = [[], 0];
      onRuns(runs);
    },
  });
}
