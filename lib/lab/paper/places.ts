import { z } from "zod";
import { type ClaimVerdict, judgeClaims } from "./claims.ts";
import { Text } from "./published_cells.ts";
import { publishedTable } from "./published_table.ts";

/** Places where each figure and table of the papers is reproduced. */
export const loadPlaces = publishedTable("places.csv", {
  paper: z.enum(["deliberation", "station"]),
  item: Text.describe("as the paper numbers it, such as Figure S5"),
  title: Text,
  notebook: Text.describe("its path in notebooks/, without ending"),
  file: Text.describe("its numbers in data/published/, or none"),
});

/**
 * Every figure and table of the papers with its notebook and the verdicts on the claims that name it.
 *
 * @throws {UserError} when a file of published values or claims is malformed.
 */
export async function judgedPlaces() {
  const judged = { deliberation: await judgeClaims("deliberation"), station: await judgeClaims("station") };
  return (await loadPlaces()).map(({ file, ...place }) => {
    const verdicts: Record<ClaimVerdict, number> = { supported: 0, contradicted: 0, "not-checkable": 0 };
    for (const { section, needs = [], verdict } of judged[place.paper].claims) {
      if (names(section, place.item) || needs.includes(file)) verdicts[verdict]++;
    }
    return { ...place, verdicts };
  });
}

/** A figure or table with its place, and what the checks of the claims that name it or rest on its numbers say. */
export type JudgedPlace = Awaited<ReturnType<typeof judgedPlaces>>[number];

/** True if a claim's sections name a figure or table: `Results, Fig. 1B` names Figure 1, `Table S10` not Table S1. */
function names(section: string, item: string): boolean {
  const [kind, number] = item.split(" ") as ["Figure" | "Table", string];
  const words = kind === "Figure" ? "(?:Figure|Figures|Fig\\.|Figs\\.)" : "Tables?";
  return new RegExp(`\\b${words} (?:S?\\d+[A-Z]?(?:,| and) )*${number}(?!\\d)`).test(section);
}
