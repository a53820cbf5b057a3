import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { committeeExplorer } from "@/lab/notebook/committee_explorer.ts";
import { bundleBrowser } from "@/lab/notebook/bundle_browser.ts";
import { controlsBundle } from "@/lab/notebook/controls.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";

const spec = { scenario: "HL-01", roles: false };
const made = await committeeExplorer({ published: [{ spec, lambda: 0.0221, source: "a table" }], resamples: 50 });

Deno.test("the explorer holds every scenario, and published values by the name of their condition", () => {
  const { packets, published } = made.data;
  assert.deepEqual(packets.map(({ id }) => id).filter((id) => /^(HL|CL)/.test(id)), [
    "CL-01",
    "CL-04",
    "HL-01",
    "HL-02",
  ]);
  assert.ok(packets.every(({ variant }) => variant === undefined));
  assert.deepEqual(published, [{ name: "HL-01__T0.0__N5__rolesFalse", lambda: 0.0221, source: "a table" }]);
  assert.match(made.still.caption, /synthetic/i);
});

Deno.test("what the page measures of a committee is what its runs in a notebook give", async () => {
  const { chat } = await surrogateCouncil();
  const { name, runs } = await collectRuns(await loadCondition(spec), { chat, replicates: 20, seed: 1 });
  const means = runs.map((run) => run.means);
  const { draws: _, ...own } = bootstrapSlope(means, { rng: createRng(1).fork(name), resamples: 50 });
  const { slope } = await made.measure({ mandates: [] });
  assert.deepEqual(slope, { ...own, draws: [] });
});

Deno.test("the output is self-contained and inert, and its script is of a size to keep", async () => {
  const words = `</script><img src=x onerror=alert(1)>`;
  const published = [{ name: "x", lambda: 0, source: words }];
  const html = String((await controlsBundle({ ...made, data: { ...made.data, published } }))["text/html"]);
  const { document } = parseHTML(`<body>${html}</body>`);
  assert.deepEqual([document.querySelectorAll("script").length, document.querySelectorAll("img").length], [1, 1]);
  assert.doesNotMatch(html, /\bimport\s*\(|new Blob|currentScript|file:\/\/|<!--/);
  assert.ok(!html.includes(Deno.cwd()), "a path of the machine");
  const script = await bundleBrowser(made.entry);
  assert.ok(script.length < 600_000, `${script.length} characters`);
});
