import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { runPlan } from "@/lab/live/run_condition.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { plot } from "@/lab/notebook/plot.ts";
import * as Plot from "@observablehq/plot";
import { collect, collected } from "@/record/collected.ts";
import { answeredOf, outcomeIn, rereadRun, type RunEvent } from "@/record/protocol.ts";
import { readRecord } from "@/record/read_ledger.ts";
import { divergenceRows, meanRows } from "@/lab/runs/rows.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import { divergence } from "@/stats/divergence.ts";
import { colours, painter, PLAN as plan } from "./colours.ts";

const council = { chat: painter, identity: "painter", synthetic: true, live: false, concurrency: 1 };
const asked = { council, replicates: 6, seed: 3 };

/** The outcomes that answered events hold, by the seed that each call was made under. */
function outcomesIn(events: readonly RunEvent[]): Parameters<typeof rereadRun>[2]["outcomes"] {
  const bySeed = new Map(events.flatMap((event) => {
    const answered = answeredOf(event);
    return answered ? [[answered.seed, outcomeIn(answered)] as const] : [];
  }));
  return ({ request }) => bySeed.get(request.seed);
}

const eventsOf = (runs: readonly { events: readonly unknown[] }[]) => runs.map(({ events }) => events);

Deno.test("a third protocol is collected in memory: every run ends in the round in which all agree, or after the last", async () => {
  const { runs, accounting, synthetic } = await collect(colours, plan, { chat: painter, replicates: 6, seed: 3 });
  assert.deepEqual([accounting.realised, synthetic, runs.length], [6, true, 6]);
  for (const { means, decision, events } of runs) {
    const last = means.at(-1)!;
    assert.ok(means.slice(0, -1).every((mean) => Math.max(...mean) < 1), "an earlier round agreed already");
    assert.ok(Math.max(...last) === 1 || means.length === plan.rounds);
    if (Math.max(...last) === 1) assert.equal(decision, plan.colours[last.indexOf(1)]);
    assert.equal(events.length, 2 + 5 * means.length);
  }
  assert.ok(new Set(runs.map(({ means }) => means.length)).size > 1, "all runs are equally long");
});

Deno.test("a third protocol's ledger holds the same runs, and one that was killed resumes to the same events", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const whole = await runPlan(colours, plan, { ...asked, path: `${folder}/whole.jsonl` });
    const inMemory = await collect(colours, plan, { chat: painter, replicates: 6, seed: 3 });
    assert.deepEqual(eventsOf(collected(colours, whole).runs), eventsOf(inMemory.runs));
    assert.match(await Deno.readTextFile(`${folder}/whole.jsonl`), /^\{"schema":"colours-ledger\/2"/);

    const path = `${folder}/killed.jsonl`, stop = new AbortController();
    let calls = 0;
    const dying: ChatModel = (request, options) => {
      if (++calls === 23) stop.abort(new Error("killed"));
      return painter(request, options);
    };
    const cut = { ...asked, council: { ...council, chat: dying }, path, signal: stop.signal };
    await assert.rejects(() => runPlan(colours, plan, cut), /killed/);
    // The kill came in the middle of a line.
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.subarray(0, bytes.length - 7));
    const resumed = await runPlan(colours, plan, { ...asked, path });
    assert.deepEqual(eventsOf(resumed.runs), eventsOf(whole.runs));
    assert.deepEqual(eventsOf((await readRecord(path, colours)).runs), eventsOf(whole.runs));
    await assert.rejects(
      () => runPlan(colours, { ...plan, rounds: 3 }, { ...asked, path }),
      /condition\.rounds: ledger 12, now 3/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a third protocol's events are read again under another parser: the strict one stops at the first large letter", async () => {
  const { runs } = await collect(colours, plan, { chat: painter, replicates: 40, seed: 3 });
  let flagged = 0;
  for (const { events, replicate } of runs) {
    const outcomes = outcomesIn(events), run = { seed: 3, replicate, outcomes };
    assert.deepEqual([...rereadRun(colours, plan, run)], events);
    const strict = [...rereadRun(colours, { ...plan, anyCase: false }, run)];
    const large = events.findIndex((event) => event.kind === "named" && /[A-Z]/.test(event.reply.text));
    if (large < 0) assert.deepEqual(strict, events);
    else {
      flagged++;
      assert.deepEqual(strict.slice(0, large), events.slice(0, large));
      assert.deepEqual(strict.slice(large + 1), [
        { kind: "run.closed", outcome: "flagged", cause: "unreadable_colour" },
      ]);
    }
  }
  assert.ok(flagged > 5, `${flagged} runs hold a large letter`);
});

Deno.test("a third protocol is measured and drawn by what measures and draws committees", async () => {
  // Deaf to the others, so that runs stay apart.
  const stubborn: ChatModel = ({ messages: [message], ...request }) =>
    painter({ ...request, messages: [{ role: "user", content: message!.content.replace(/Heard: .*/, "Heard:") }] });
  const result = {
    label: "three colours",
    ...await collect(colours, plan, { chat: stubborn, replicates: 6, seed: 3 }),
  };
  const rows = meanRows([result]);
  const shortest = Math.min(...result.runs.map(({ means }) => means.length));
  assert.deepEqual(rows[0], {
    ...{ condition: "three colours", rounds: 12, anyCase: true, synthetic: true, replicate: 0, round: 1 },
    ...{ option: "red", p: result.runs[0]!.means[0]![0]! },
  });
  const level = { ...result, runs: result.runs.map((run) => ({ ...run, means: run.means.slice(0, shortest) })) };
  const distances = divergenceRows([level], { rng: createRng(1) });
  assert.deepEqual(distances.map(({ D }) => D), divergence(level.runs.map(({ means }) => means)));
  assert.equal(typeof lyapunovSlope(distances.map(({ D }) => D), { from: 1, to: shortest }).lambda, "number");
  const figure = plot({
    ...{ name: "colours", about: distances, marks: [Plot.lineY(distances, { x: "round", y: "D" })] },
  });
  assert.match(JSON.stringify(figure), /path/);
});
