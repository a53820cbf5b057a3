import * as Plot from "@observablehq/plot";
import { fixedText } from "./number_text.ts";

const SCALE = Plot.scale({ color: { type: "linear", domain: [-0.12, 1], scheme: "blues" } });

/** The colour of a share in [0, 1]: deeper blue is larger. */
export const shareColour = (share: number): string => SCALE.apply(share);

/** A share as whole percent; one that would round to none or all of it without being so keeps its distance. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.01) return "<1 %";
  if (share < 1 && share > 0.99) return ">99 %";
  return `${fixedText(100 * share, 0)} %`;
}

/** The same to be read out. */
export const percentWords = (share: number): string => percentText(share).replace("<", "under ").replace(">", "over ");
