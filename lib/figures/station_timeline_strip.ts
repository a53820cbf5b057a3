import type { ShockKind } from "../schema/seed_card.ts";
import { BOLD_SIZE, type Canvas, LINE_HEIGHT, TEXT_SIZE, type TextStyle } from "./canvas.ts";
import { wrapText } from "./label_text.ts";
import { fixedText } from "./number_text.ts";
import { COLOURS, INK, MUTED } from "./palette.ts";
import { drawColumnRules, drawRoundHeadings, LAST_ROUND, type RoundColumns } from "./round_columns.ts";
import type { TimelinePass, TimelineShock } from "./station_timeline.ts";

/** A shock's kind in a word that fits a round's column. */
const WORDS: Readonly<Record<ShockKind, string>> = {
  rumor: "rumour",
  power_fault: "fault",
  market_offer: "offer",
  scandal: "scandal",
  leak: "leak",
  panic_outer: "outer panic",
  panic_sponsor: "sponsor panic",
};

interface Happenings {
  readonly shocks: readonly TimelineShock[];
  readonly passes: readonly TimelinePass[];
  readonly executions: readonly TimelinePass[];
}

/** What happened in each round, in words below its number; returns the `y` below them. */
export function drawHappenings(canvas: Canvas, happenings: Happenings, columns: RoundColumns, y: number): number {
  const top = y + LINE_HEIGHT;
  drawRoundHeadings(canvas, columns, top);
  let bottom = top + 4;
  for (let round = 0; round <= LAST_ROUND; round++) {
    let below = top + LINE_HEIGHT + 4;
    for (const { word, detail, fill } of entries(happenings, round)) {
      const style: TextStyle = fill === undefined ? {} : { weight: "bold", fill };
      below = canvas.lines(wrapText(word, columns.width, BOLD_SIZE), columns.middle(round), below, {
        anchor: "middle",
        ...style,
      });
      const lines = wrapText(detail, columns.width - 8, TEXT_SIZE, 3);
      below = canvas.lines(lines, columns.middle(round), below, { anchor: "middle", fill: MUTED }) + 3;
    }
    bottom = Math.max(bottom, below - LINE_HEIGHT + 6);
  }
  drawColumnRules(canvas, columns, top - 12, bottom);
  return bottom;
}

interface Entry {
  readonly word: string;
  readonly detail: string;
  /** For what is told apart from shocks: bold, and in this colour. */
  readonly fill?: string;
}

function entries({ shocks, passes, executions }: Happenings, round: number): Entry[] {
  const here = <T extends { readonly round: number }>(all: readonly T[]) => all.filter((one) => one.round === round);
  return [
    ...here(shocks).map(({ id, kind, severity }) => ({
      word: WORDS[kind],
      detail: severity === undefined ? id : `${id} (${fixedText(severity, 2)})`,
    })),
    ...here(passes).map(({ proposal }) => ({ word: "passed", detail: proposal, fill: COLOURS[0] })),
    ...here(executions).map(({ proposal }) => ({ word: "executed", detail: proposal, fill: INK })),
  ];
}
