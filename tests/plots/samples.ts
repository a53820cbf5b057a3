import type { Figure } from "@/plots/figure.ts";
import { EMPTY_STATION, STATION_SAMPLES } from "./station_samples.ts";

/** What a sample is drawn with: words put into every label, and whether it says that it is synthetic. */
export interface Look {
  /** Added to every label. */
  readonly extra?: string;
  readonly synthetic?: boolean;
}

/** A typical figure of every kind that is drawn whole; plots by marks are tested with `plotFigure`. */
export const SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = STATION_SAMPLES;

/** Every kind without any data. */
export const EMPTY: Readonly<Record<string, Figure>> = EMPTY_STATION;
