import assert from "node:assert/strict";
import { type Measures, type PageRun, pageRun, serve } from "@/lab/explorer/committee/serve.ts";
import { createRng } from "@/core/rng.ts";
import { deliberate, deliberation } from "@/deliberation/deliberate.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { collectedRun } from "@/record/collected_run.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { perturb } from "@/lab/runs/perturb.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";

const fitted = await loadSurrogateParameters();
const condition = await loadCondition({ scenario: "IM-01", rounds: 4, temperature: 0.7 });

Deno.test("the page's runs are those of `run`: means, words and decision, and flagged runs say why", async () => {
  // So many replies are spoilt that some runs are lost.
  const parameters = { ...fitted, malformedShare: 0.3, malformedAgainShare: 0.1 };
  const [chat, seed, replicates] = [surrogate(parameters), 3, 8];
  const { runs, accounting } = await collectRuns(condition, { chat, replicates, seed });
  const made = await Promise.all(
    Array.from({ length: replicates }, (_, i) => pageRun({ condition, parameters, seed }, i)),
  );
  const complete = made.filter((run) => run!.flaw === undefined);
  assert.ok(accounting.deficit > 0 && runs.length > 0, "a case of both kinds");
  assert.deepEqual(
    complete.map((run) => [run!.replicate, run!.means, run!.decision]),
    runs.map(({ replicate, means, decision }) => [replicate, means, decision]),
  );
  assert.deepEqual(
    complete[0]!.turns.map(({ argument }) => argument),
    runs[0]!.state.turns.map(({ argument }) => argument),
  );
});

Deno.test("a turn asked again is the library's perturbation of it, continued with common dice", async () => {
  const [seed, replicate, round, seat] = [1, 2, 2, 3];
  const parameters = { ...fitted, malformedShare: 0 }, chat = surrogate(parameters);
  const events = await Array.fromAsync(deliberate(condition, { chat, replicate, seed }));
  const asked = events.find((event) => event.kind === "turn.answered" && event.round === round && event.seat === seat);
  const change = { seed: createRng((asked as { seed: number }).seed).fork("asked again").key };
  const prefix = await perturb(condition, events, { chat, round, seat, change });
  const rest = await Array.fromAsync(deliberate(condition, { chat, replicate, seed, resumeFrom: prefix }));
  const { means } = collectedRun(deliberation, condition, { replicate, events: [...prefix, ...rest] });
  const twin = await pageRun({ condition, parameters, seed, changed: { round, seat } }, replicate);
  assert.deepEqual(twin!.means, means);
  const plain = await pageRun({ condition, parameters, seed }, replicate);
  assert.deepEqual(plain!.means.slice(0, round - 1), means.slice(0, round - 1));
});

Deno.test("a job has its result; one that fails is reported, and the next is done", async () => {
  const errors: unknown[] = [],
    listener = (event: ErrorEvent) => {
      event.preventDefault();
      errors.push(event.error);
    };
  addEventListener("error", listener);
  const run = await serve({ kind: "run", given: [{ condition, parameters: fitted, seed: 1 }, 5] });
  const group = { name: "a", means: [[[0, 1], [0, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]]] };
  const options = { seed: 1, resamples: 20, from: 1, to: 3 };
  const impossible = await serve({ kind: "measure", given: [[group], { ...options, to: 4 }] });
  const measured = await serve({ kind: "measure", given: [[group], options] });
  removeEventListener("error", listener);
  assert.deepEqual([(run as PageRun).replicate, impossible, (measured as Measures).slopes.length], [5, undefined, 1]);
  assert.equal(errors.length, 1);
});
