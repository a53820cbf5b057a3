import assert from "node:assert/strict";
import { judgedPlaces, loadPlaces } from "@/lab/paper/places.ts";

const NOTEBOOKS = new URL("../../../notebooks/", import.meta.url);

Deno.test("every figure and table of the papers has a notebook that names it", async () => {
  const places = await loadPlaces();
  const items = (paper: string) => places.filter((place) => place.paper === paper).map(({ item }) => item);
  const numbered = (kind: string, numbers: string) => numbers.split(" ").map((number) => `${kind} ${number}`);
  assert.deepEqual(items("deliberation"), [
    ...numbered("Figure", "1 2 3 4 S1 S2 S3 S4 S5 S6 S7"),
    ...numbered("Table", "S1 S2 S3 S4 S5 S6 S7 S8"),
  ]);
  assert.deepEqual(items("station"), ["Figure 1", ...numbered("Table", "1 2 3 4 5 6 7 8 9 10 11 12")]);
  for (const { item, notebook } of places) {
    const { cells } = JSON.parse(await Deno.readTextFile(new URL(`${notebook}.ipynb`, NOTEBOOKS)));
    const words = cells.map(({ source }: { source: string[] }) => source.join("")).join("\n").replace(/\s+/g, " ");
    const [kind, number] = item.split(" ");
    assert.match(
      words,
      new RegExp(`\\b${kind}s?( S?\\d+[A-Z]?(,| and| to))* ${number}(?!\\d)`),
      `${notebook} does not name ${item}`,
    );
  }
});

Deno.test("an item's verdicts count the claims that name it or rest on its file", async () => {
  const places = await judgedPlaces();
  const tableS1 = places.find(({ paper, item }) => paper === "deliberation" && item === "Table S1")!;
  const { claims } = JSON.parse(
    await Deno.readTextFile(new URL("../../../data/claims/deliberation.json", import.meta.url)),
  );
  const naming = claims.filter(({ section, needs = [] }: { section: string; needs?: string[] }) =>
    /Table S1(?!\d)/.test(section) || needs.includes("deliberation/table_s1_run_accounting.csv")
  );
  assert.equal(Object.values(tableS1.verdicts).reduce((sum, count) => sum + count, 0), naming.length);
  assert.ok(naming.length > 0);
});
