import { wholeGames } from "./negotiations.ts";

export { options } from "./negotiations.ts";

/** Negotiations of seven parties over six issues in 28 rounds. */
export default function* negotiationsSevenParties(folder: string) {
  yield* wholeGames(folder, "ABCDEF", 28);
}
