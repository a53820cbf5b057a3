import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";
import { loadPublishedRows, readPublishedRows } from "@/lab/paper/published_rows.ts";
import { rescoreBounds } from "@/quality/rescore_bounds.ts";
import { PUBLISHED_WEIGHTS } from "@/quality/weights.ts";

const TABLE_11 = new URL("../../../data/published/station/table_11_runs.csv", import.meta.url);
const LIVE = "model,seed,batch,q,class,time_to_first_pass,passed_count,public_order,active_rumors\n";
const FLOOR = "seed,stabilized,q,classification,public_order_margin,active_rumors\n";

Deno.test("all 36 printed runs: 30 with a model, six without, labelled by model and seed", async () => {
  const runs = await loadPublishedRows();
  assert.deepEqual(runs.map(({ source }) => source), [
    ...Array<string>(30).fill("Table 11"),
    ...Array<string>(6).fill("Table 8"),
  ]);
  assert.equal(new Set(runs.map(({ label }) => label)).size, 36);
  assert.ok(runs.every(({ label, model, seed }) => label === `${model} ${seed}`));
  assert.equal(runs[30]!.label, "no model 104");
});

Deno.test("runs that the text tells more of have its values; a failure has a first pass of null", async () => {
  const runs = await loadPublishedRows();
  const rowOf = (wanted: string) => runs.find(({ label }) => label === wanted)!.row;
  assert.deepEqual(rowOf("MIMO-v2.5 109"), {
    ...{ q: 0.961, public_order: 0.963, active_rumors: 0, stabilized: true, time_to_first_pass: 1, passed_count: 2 },
    ...{ plan_executability: 0.972, info_integrity: 1 },
  });
  assert.deepEqual(rowOf("Gemini-2.5-Pro 104"), {
    ...{ q: 0.659, public_order: 0.774, active_rumors: 1, stabilized: false, time_to_first_pass: null },
    ...{ passed_count: 0, trust: 0.864 },
  });
  const told = runs.filter(({ row }) => Object.keys(row).length > 6);
  assert.deepEqual(told.map(({ label }) => label), ["Gemini-2.5-Pro 104", "MIMO-v2.5 109"]);
});

Deno.test("Table 8: order is the margin and 0.35, as the introduction prints it for seed 111; passes are not known", async () => {
  const seed111 = (await loadPublishedRows()).find(({ label }) => label === "no model 111")!;
  assert.deepEqual(seed111.row, { q: 0.652, public_order: 0.409, active_rumors: 5, stabilized: true });
  assert.equal(seed111.classification, "BENCHMARK_BRITTLE");
});

Deno.test("under the published weights the bounds of every printed run lie within the rounding of its q", async () => {
  for (const { label, row } of await loadPublishedRows()) {
    const { low, high } = rescoreBounds(row, PUBLISHED_WEIGHTS);
    assert.ok(row.q - 0.0005 - 1e-12 <= low && high <= row.q + 0.0005 + 1e-12, `${label}: ${low} to ${high}`);
  }
});

Deno.test("the published file alone has the values of the text; the same table of somebody else's has not", async () => {
  const ours = await readPublishedRows(fileURLToPath(TABLE_11));
  const all = await loadPublishedRows();
  assert.deepEqual(ours.map(({ label, row }) => [label, row]), all.slice(0, 30).map(({ label, row }) => [label, row]));
  assert.equal(ours[29]!.name, `${fileURLToPath(TABLE_11)}:31`);
  await withFiles({ "copy.csv": await Deno.readTextFile(TABLE_11) }, async (folder) => {
    const theirs = await readPublishedRows(`${folder}/copy.csv`);
    assert.equal(theirs.length, 30);
    assert.ok(theirs.every(({ row }) => !("trust" in row) && !("info_integrity" in row)));
  });
});

Deno.test("columns may stand in any order; what is not published stays absent", async () => {
  const files = {
    "live.csv": "seed,model,batch,q,class,time_to_first_pass,passed_count,active_rumors,public_order\n" +
      "7,<b>x</b>,primary,0.8,A,not published,not published,1,0.6\n",
    "floor.csv": `${FLOOR}7,true,0.7,BENCHMARK_ADEQUATE,0.1,2\n`,
  };
  await withFiles(files, async (folder) => {
    const [live] = await readPublishedRows(`${folder}/live.csv`);
    assert.equal(live!.label, "<b>x</b> 7");
    assert.deepEqual(live!.row, { q: 0.8, public_order: 0.6, active_rumors: 1, stabilized: true });
    const [floor] = await readPublishedRows(`${folder}/floor.csv`);
    assert.deepEqual([floor!.label, floor!.row.public_order, floor!.source], ["no model 7", 0.45, "Table 8"]);
  });
});

Deno.test("another header names both shapes; a value that bounds rest on is asked for, with its line", async () => {
  const files = {
    "other.csv": "model,q\nx,0.5\n",
    "lacking.csv": `${LIVE}x,7,primary,0.8,A,3,1,0.6,1\ny,7,primary,0.8,A,3,1,not published,not published\n`,
    "wrong.csv": `${LIVE}x,7,primary,1.8,A,3,1,0.6,1\n`,
  };
  await withFiles(files, async (folder) => {
    const other = await userErrorOf(readPublishedRows(`${folder}/other.csv`));
    assert.ok(other.message.startsWith(`${folder}/other.csv:1: `));
    for (const shape of [LIVE, FLOOR]) assert.ok(other.message.includes(shape.trim()));
    assert.ok(other.message.endsWith("found model,q"));
    const lacking = await userErrorOf(readPublishedRows(`${folder}/lacking.csv`));
    const rule = "must be known, bounds rest on it; leave the row out";
    assert.equal(
      lacking.message,
      ["public_order", "active_rumors"].map((cell) => `${folder}/lacking.csv:3: ${cell}: ${rule}`).join(
        "\n",
      ),
    );
    const wrong = await userErrorOf(readPublishedRows(`${folder}/wrong.csv`));
    assert.equal(wrong.message, `${folder}/wrong.csv:2: q: must be at most 1, found 1.8`);
  });
});
