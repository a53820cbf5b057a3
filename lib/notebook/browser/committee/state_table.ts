import { inertText } from "../../inert_text.ts";
import { element } from "../element.ts";
import type { RunEntry } from "./data.ts";
import { letter, type RunRound, type SeatState } from "./run_rounds.ts";
import { seatKey } from "./seat_marks.ts";

/** What every seat wrote on its STATE line in one round. */
export function stateTable({ options }: RunEntry, { round, seats }: RunRound): HTMLElement {
  const head = (words: string, name?: string) => element("th", { scope: "col", class: name }, words);
  const shares = options.map((_, k) => head(letter(k), "number"));
  const heads = [head("Seat"), ...shares, head("Top"), head("Conf.", "number"), head("Tags", "tags")];
  return element(
    "table",
    { class: "states" },
    element("caption", {}, `STATE lines of round ${round}: preferences, top option, confidence of 100, tags`),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...seats.map(seatRow)),
  );
}

function seatRow({ seat, name, preferences, confidence, tags, ...state }: SeatState): HTMLElement {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, seatKey(seat), ` ${inertText(name)}`),
    ...preferences.map((share) => element("td", { class: "number" }, share.toFixed(2))),
    element("td", {}, topText(state)),
    element("td", { class: "number" }, String(confidence)),
    element("td", { class: "tags" }, [inertText(tags.join(", ")), ...remarks(state)].join("; ")),
  );
}

/** The option preferred most; what it was a round before where that was another. */
export const topText = ({ top, tied, was }: Pick<SeatState, "top" | "tied" | "was">): string =>
  `${top}${tied ? " (tie)" : ""}${was === undefined ? "" : `, was ${was}`}`;

const remarks = ({ repaired, writtenSum }: Pick<SeatState, "repaired" | "writtenSum">): string[] => [
  ...(repaired ? ["asked twice"] : []),
  ...(writtenSum === undefined ? [] : [`rescaled from a sum of ${writtenSum}`]),
];
