import assert from "node:assert/strict";
import { userErrorOf } from "../../lab/runs/user_error_of.ts";
import { withFiles } from "../../lab/runs/with_files.ts";
import { UserError } from "@/core/user_error.ts";
import { recomputeTables } from "./quality_tables.ts";
import { loadStationTables, type StationTables } from "@/lab/paper/published_station.ts";

const PUBLISHED = await loadStationTables();

const notAsPrinted = (published: StationTables) =>
  recomputeTables(published).flatMap((cell) => cell.verdict === "as printed" ? [] : [`${cell.name} ${cell.verdict}`]);
const cell = (published: StationTables, name: string) => recomputeTables(published).find((cell) => cell.name === name)!;

/** The published tables with one q of Table 11 replaced. */
const withQ = (model: string, seed: number, q: number): StationTables => ({
  ...PUBLISHED,
  runs: PUBLISHED.runs.map((run) => run.model === model && run.seed === seed ? { ...run, q } : run),
});

const TIES = ["Table 6 MIMO-v2.5 mean_q within rounding", "Table 6 Sonnet-4 mean_q within rounding"];

Deno.test("all cells of Tables 6 and 7 and Table 8's means come out as printed, but for two means that are ties", () => {
  // Six columns of five families, three of six seeds, five means and counts.
  assert.equal(recomputeTables(PUBLISHED).length, 6 * 5 + 3 * 6 + 5);
  assert.deepEqual(notAsPrinted(PUBLISHED), TIES);
});

Deno.test("the values behind the verdicts, added up by hand", () => {
  // 0.8 + 0.714 + 0.785 + 0.84 + 0.889 + 0.857 = 4.885; MIMO 5.349; seed 104 sums to 4.084; the margins to 1.049.
  const values = {
    "Table 6 GLM-5V Turbo mean_q": 4.885 / 6,
    "Table 6 MIMO-v2.5 mean_q": 0.8915,
    "Table 6 GLM-5V Turbo median_q": 0.82,
    "Table 7 104 mean_q": 0.8168,
    "Table 8 Mean mean_q": 0.713,
    "Table 8 Mean public_order_margin": 1.049 / 6,
    "Table 8 Mean active_rumors": 2.5,
  };
  for (const [name, value] of Object.entries(values)) {
    assert.ok(Math.abs(Number(cell(PUBLISHED, name).recomputed) - value) < 1e-12, name);
  }
  assert.equal(cell(PUBLISHED, "Table 6 Gemini-2.5-Pro classes").recomputed, "5S + 1F");
});

Deno.test("a changed q is caught in every cell that rests on it, and in no other", () => {
  // Gemini 112 from .880 to .890: the mean rises by .0017, the SD by .0006, the median by .005, seed 112's by .002.
  assert.deepEqual(notAsPrinted(withQ("Gemini-2.5-Pro", 112, 0.89)), [
    "Table 6 Gemini-2.5-Pro mean_q not compatible",
    "Table 6 Gemini-2.5-Pro sd_q not compatible",
    "Table 6 Gemini-2.5-Pro median_q not compatible",
    ...TIES,
    "Table 7 112 mean_q not compatible",
  ]);
});

Deno.test("within rounding ends where no inputs are left that round to the printed ones", () => {
  // MIMO is printed as .891, at most .8915; six q each .0005 lower allow sums up to 5.349 + .003.
  const mean = (q: number) => cell(withQ("MIMO-v2.5", 104, q), "Table 6 MIMO-v2.5 mean_q").verdict;
  assert.equal(mean(0.943), "as printed");
  assert.equal(mean(0.947), "within rounding");
  assert.equal(mean(0.948), "not compatible");
});

Deno.test("the deviation is judged on its own: one that its rounded inputs allow is not called wrong", () => {
  const models = PUBLISHED.models.map((row) => row.model === "GPT-5.5" ? { ...row, sd_q: 0.034 } : row);
  assert.equal(cell({ ...PUBLISHED, models }, "Table 6 GPT-5.5 sd_q").verdict, "not compatible");
  const sonnet = PUBLISHED.models.map((row) => row.model === "Sonnet-4" ? { ...row, sd_q: 0.038 } : row);
  assert.equal(cell({ ...PUBLISHED, models: sonnet }, "Table 6 Sonnet-4 sd_q").verdict, "within rounding");
});

Deno.test("counts and classes are the same or not", () => {
  const runs = PUBLISHED.runs.map((run) => run.class.startsWith("FAILED") ? { ...run, stabilized: true } : run);
  assert.deepEqual(notAsPrinted({ ...PUBLISHED, runs }), [
    "Table 6 Gemini-2.5-Pro stabilized not compatible",
    ...TIES,
    "Table 7 104 stabilized not compatible",
  ]);
  const rumors = PUBLISHED.floor.map((run) => ({ ...run, active_rumors: run.seed === 104 ? 2 : run.active_rumors }));
  assert.deepEqual(notAsPrinted({ ...PUBLISHED, floor: rumors }), [
    ...TIES,
    "Table 8 Mean active_rumors not compatible",
  ]);
});

Deno.test("a mean of Table 8 that is not among the facts is missed by name", () => {
  const facts = PUBLISHED.facts.filter(({ id }) => id !== "fallback-mean-q");
  assert.throws(
    () => recomputeTables({ ...PUBLISHED, facts }),
    (error) => error instanceof UserError && /unknown published fact "fallback-mean-q"/.test(error.message),
  );
});

Deno.test("loadStationTables() names the cell that must be published and is not", async () => {
  const folder = new URL("../../../data/published/station/", import.meta.url);
  const files: Record<string, string> = {};
  for await (const { name } of Deno.readDir(folder)) {
    files[`station/${name}`] = await Deno.readTextFile(new URL(name, folder));
  }
  const runs = "station/table_11_runs.csv";
  files[runs] = files[runs]!.replace("108,primary,0.714", "108,primary,not published");
  await withFiles(files, async (folder) => {
    const { message } = await userErrorOf(loadStationTables({ folder }));
    assert.ok(message.endsWith(`${runs}:3: q: must be known, bounds rest on it; leave the row out`), message);
  });
});
