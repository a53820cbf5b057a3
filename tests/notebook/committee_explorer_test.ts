import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { committeeExplorer } from "@/notebook/committee_explorer.ts";
import { bundleBrowser, controlsBundle } from "@/notebook/controls.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { surrogateCouncil } from "@/runs/council.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { measureRuns } from "@/runs/measure_runs.ts";
import { divergence } from "@/stats/divergence.ts";

const { chat } = await surrogateCouncil();
const condition = await loadCondition({ scenario: "HL-01" });
const explored = await collectRuns(condition, { chat, replicates: 3, seed: 1 });
const read = [{ condition, run: explored.runs[0]! }];
const made = committeeExplorer({ conditions: [explored], read });

Deno.test("the explorer is given every run's means and one run's words, and says that they are synthetic", () => {
  const { data: { conditions: [entry], runs: [run] } } = made;
  assert.deepEqual([entry!.label, entry!.target, entry!.synthetic], ["HL-01, roles on", 3, true]);
  const whole = measureRuns(explored.runs.map(({ means }) => means), { permutations: 1 });
  divergence(entry!.means).forEach((d, t) => assert.ok(Math.abs(d - whole.D![t]!) < 1e-4, `round ${t + 1}: ${d}`));
  assert.ok(entry!.means.flat(2).every((share) => share === Number(share.toFixed(4))));
  assert.deepEqual([run!.turns.length, run!.seats[0], run!.options[1]], [100, "Chair", "B: Public option"]);
  assert.equal(run!.turns[7]!.argument, explored.runs[0]!.state.turns[7]!.argument);
  assert.match(made.still.caption, /synthetic/i);
});

Deno.test("the output is self-contained, inert and small", async () => {
  const words = `</script><img src=x onerror=alert(1)>`;
  const { state } = explored.runs[0]!;
  const turns = state.turns.map((turn) => ({ ...turn, argument: words }));
  const evil = { ...explored.runs[0]!, state: { ...state, turns } };
  const bundle = await controlsBundle(committeeExplorer({ conditions: [explored], read: [{ condition, run: evil }] }));
  const html = String(bundle["text/html"]);
  const { document } = parseHTML(`<body>${html}</body>`);
  assert.deepEqual([document.querySelectorAll("script").length, document.querySelectorAll("img").length], [1, 1]);
  // The name of a drawing's elements is no address.
  assert.doesNotMatch(
    html.replaceAll("http://www.w3.org/2000/svg", ""),
    /https?:|\bimport\s*\(|\bnew Function\b|\beval\(|new Blob|currentScript|innerHTML|file:\/\//,
  );
  assert.ok(!html.includes(Deno.cwd()), "a path of the machine");
  const script = await bundleBrowser(made.entry);
  assert.ok(script.length < 60_000, `${script.length} characters: estimators come without schemas`);
});

Deno.test("what cannot be compared is refused by name", () => {
  const few = { ...explored, runs: explored.runs.slice(0, 1) };
  assert.throws(
    () => committeeExplorer({ conditions: [few] }),
    /^RangeError: HL-01, roles on: 1 complete runs, .* at least 2/,
  );
  const short = { ...explored, runs: explored.runs.map((run) => ({ ...run, means: run.means.slice(0, 2) })) };
  assert.throws(
    () => committeeExplorer({ conditions: [short] }),
    /^RangeError: HL-01, roles on: 2 rounds, .* at least 3/,
  );
  assert.throws(() => committeeExplorer({ conditions: [] }), /^RangeError: conditions is empty/);
});
