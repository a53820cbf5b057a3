import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type Purse, Unanswered } from "@/model/chat_model.ts";
import { Database } from "@/runs/postgres/database.ts";
import { callsUsed } from "@/runs/read_station_folder.ts";
import { Desk, Fenced } from "@/runs/postgres/postgres_store.ts";
import { planSweep, type SweepPlan } from "@/runs/postgres/sweep_plan.ts";
import { sweepStatus } from "@/runs/postgres/sweep_status.ts";
import { declareSweep, giveBack, takeRun } from "@/runs/postgres/sweeps.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { serverOfFile } from "./server.ts";

/** The two functions of the store on a server of their own: what is paid, who may write, and what nobody knows. */

const MODEL = "a/model";
/** US$ for a million tokens, so that a prompt of few bytes with 1000 tokens of reply costs US$ 0.001 and a little at most. */
const prices = { [MODEL]: { input: 0, output: 1 } };
const request: ChatRequest = {
  ...{ model: MODEL, messages: [{ role: "user", content: "yes?" }], temperature: 0, seed: 1, maxTokens: 1000 },
};
const WORST = 0.001;

const plan: SweepPlan = {
  ...{ wanted: [{ scenario: ["HL-01"], rounds: [2] }], council: `live:${MODEL}`, replicates: 2, seed: 1 },
  given: { own: prices },
};

/** A sweep of two live runs, declared but not worked on. */
async function declared(database: Database, name: string, options: { capUsd?: number; unknown?: "flag" } = {}) {
  const { ledgers, providers, prices: own } = await planSweep(plan, { get: () => undefined });
  await declareSweep(database, { name, plan, ledgers, providers, prices: own, ...options });
  // Whoever holds a run holds its job.
  await database.query("update chaos_lab_queue.job set state = 'active'");
  const runs = await database.query<{ id: string }>(
    "select run.id from run join ledger on ledger.id = ledger where sweep = $1 order by run.id",
    [name],
  );
  const desk = (worker: string) =>
    new Desk(database, { sweep: name, worker, providers: {}, terms: { prices, limits: {} } });
  return { runs: runs.map(({ id }) => Number(id)) as [number, number], desk };
}

const atServer = serverOfFile();

const withStore = (name: string, test: (database: Database) => Promise<void>) =>
  Deno.test(name, () =>
    atServer(async (url) => {
      await using database = await Database.open(url);
      await test(database);
    }));

withStore(
  "a run that was taken over keeps nothing of its earlier worker but what the late reply cost",
  async (database) => {
    const { runs: [run], desk } = await declared(database, "taken");
    const [slow, quick] = ["slow", "quick"].map(desk) as [Desk, Desk];
    assert.equal((await takeRun(database, { run, fence: 0, worker: "slow" }))?.state, "running");
    let paid = {};
    const late = await slow.purse({ run, fence: 0, free: false }, (reply) => paid = reply).reserve(request, {
      place: "turn",
    });

    const second = await takeRun(database, { run, fence: 1, worker: "quick" });
    assert.deepEqual(second?.unknown, ["turn"]);
    await quick.settle({ run, fence: 1, lines: [{ file: "events", n: 0, text: `"quick"` }] });

    await late({ promptTokens: 5, completionTokens: 400 }, "answered");
    const lines = [{ file: "events", n: 1, text: `"slow"` }];
    await assert.rejects(slow.settle({ run, fence: 0, ...paid, lines }), Fenced);
    await assert.rejects(slow.purse({ run, fence: 0, free: false }, () => {}).reserve(request), Fenced);
    assert.equal(await takeRun(database, { run, fence: 0, worker: "slow" }), undefined);
    assert.deepEqual((await takeRun(database, { run, fence: 2, worker: "third" }))?.claim.lines, {
      events: [`"quick"`],
    });

    const { calls, usd, atMost } = await sweepStatus(database, "taken");
    assert.deepEqual(calls, { sent: 0, answered: 0, failed: 0, unknown: 1 });
    assert.ok(Math.abs(usd - 0.0004) < 1e-9, String(usd));
    assert.equal(atMost, 0);
  },
);

withStore("of a call that stays unknown the most that it can have cost counts", async (database) => {
  const { runs: [run], desk } = await declared(database, "unknown");
  await takeRun(database, { run, fence: 0, worker: "dead" });
  await desk("dead").purse({ run, fence: 0, free: false }, () => {}).reserve(request);
  await takeRun(database, { run, fence: 1, worker: "next" });
  const { usd, atMost } = await sweepStatus(database, "unknown");
  assert.ok(Math.abs(usd - WORST) < 1e-12 && Math.abs(atMost - WORST) < 1e-12, `${usd} ${atMost}`);
});

withStore("what is told twice, since its answer was lost, counts once", async (database) => {
  const { runs: [run] } = await declared(database, "twice", { capUsd: 1 });
  await takeRun(database, { run, fence: 0, worker: "w" });
  await takeRun(database, { run, fence: 0, worker: "w" });
  const id = crypto.randomUUID();
  const intent = { id, sweep: "twice", run, fence: 0, place: "p", model: MODEL, worker: "w", atMost: WORST };
  const outcome = {
    run,
    fence: 0,
    call: id,
    outcome: "answered",
    cost: 0.0002,
    lines: [{ file: "events", n: 0, text: "{}" }],
  };
  for (let time = 0; time < 2; time++) {
    await database.query("select * from begin_calls($1)", [JSON.stringify([intent])]);
  }
  for (let time = 0; time < 2; time++) {
    await database.query("select * from end_calls($1)", [JSON.stringify([outcome])]);
  }
  const [row] = await database.query(
    `select (select count(*)::int from call) as calls, (select count(*)::int from line) as lines,
       (select sum(usd)::float from refund) as refund, (select set_aside::float from sweep) as "setAside"`,
  );
  assert.deepEqual(row, { calls: 1, lines: 1, refund: 0.0008, setAside: 0.001 });
});

withStore("a cap is never exceeded, and what tries give back is spent before the sweep stops", async (database) => {
  // Ten tries can be under way; each takes a quarter of what it can cost, so forty fit in all, less what the last can cost.
  const cap = 10 * WORST;
  const { runs, desk } = await declared(database, "capped", { capUsd: cap });
  const purses: Purse[] = [];
  for (const [i, run] of runs.entries()) {
    await takeRun(database, { run, fence: 0, worker: `w${i}` });
    purses.push(desk(`w${i}`).purse({ run, fence: 0, free: false }, () => {}));
  }
  let [spent, most, done] = [0, 0, 0];
  const asks = async (purse: Purse): Promise<void> => {
    for (;;) {
      const settle = await purse.reserve(request);
      const { usd } = await sweepStatus(database, "capped");
      most = Math.max(most, usd);
      await settle({ promptTokens: 0, completionTokens: 250 }, "failed");
      [spent, done] = [spent + WORST / 4, done + 1];
    }
  };
  const ends = await Promise.allSettled(purses.flatMap((purse) => Array.from({ length: 8 }, () => asks(purse))));
  for (const end of ends) {
    assert.ok(
      end.status === "rejected" && end.reason instanceof Unanswered,
      String((end as PromiseRejectedResult).reason),
    );
    assert.deepEqual([end.reason.code, end.reason.scope], ["budget_stop", "endpoint"]);
    assert.match(end.reason.message, /run capped again with a larger --budget-usd/);
  }
  assert.ok(most <= cap + 1e-12, `${most} of ${cap}`);
  // 37 · ¼ + 1 > 10 is the first sum that cannot be paid.
  assert.equal(done, 37);
  assert.ok(Math.abs(spent - (await sweepStatus(database, "capped")).usd) < 1e-9);
});

withStore("a try that cannot be paid for waits for what others give back, at other workers too", async (database) => {
  const { runs, desk } = await declared(database, "short", { capUsd: 1.5 * WORST });
  const [first, second] = await Promise.all(runs.map(async (run, i) => {
    await takeRun(database, { run, fence: 0, worker: `w${i}` });
    return desk(`w${i}`).purse({ run, fence: 0, free: false }, () => {});
  })) as [Purse, Purse];
  const settle = await first.reserve(request);
  const waiting = second.reserve(request);
  assert.equal(await Promise.race([waiting, delay(600, "waits")]), "waits");
  await settle({ promptTokens: 0, completionTokens: 100 }, "failed");
  await (await waiting)({ promptTokens: 0, completionTokens: 100 }, "failed");
});

withStore("a larger cap lets a sweep go on, and a smaller one stops it at what was spent before", async (database) => {
  const { runs: [run], desk } = await declared(database, "raised", { capUsd: WORST });
  await takeRun(database, { run, fence: 0, worker: "w" });
  const purse = desk("w").purse({ run, fence: 0, free: false }, () => {});
  await (await purse.reserve(request))({ promptTokens: 0, completionTokens: 600 }, "failed");
  await assert.rejects(purse.reserve(request), Unanswered);
  await declared(database, "raised", { capUsd: 2 * WORST });
  await (await purse.reserve(request))({ promptTokens: 0, completionTokens: 600 }, "failed");
  await declared(database, "raised", { capUsd: WORST });
  await assert.rejects(purse.reserve(request), /US\$ 0.0012 of US\$ 0.0010 are spent/);
});

withStore("permits of one provider are spaced over all who ask, and none is given twice", async (database) => {
  const takes = Array.from({ length: 20 }, () =>
    database.query<{ wait: number; now: number }>(
      "select take_permits('p', 50) as wait, 1000 * extract(epoch from clock_timestamp())::float as now",
    ));
  const at = (await Promise.all(takes)).map(([row]) => row!.wait + row!.now).sort((a, b) => a - b);
  const gaps = at.slice(1).map((time, i) => time - at[i]!);
  // The clock is read a moment after the permit was taken.
  for (const gap of gaps) assert.ok(Math.abs(gap - 50) < 20, String(gap));
  assert.ok(Math.abs(at.at(-1)! - at[0]! - 19 * 50) < 20);
});

withStore("a run that is given back waits again, and only its holder can give it back", async (database) => {
  const { runs: [run] } = await declared(database, "back");
  await takeRun(database, { run, fence: 3, worker: "w" });
  await giveBack(database, { run, fence: 2 });
  assert.equal((await sweepStatus(database, "back")).runs.running, 1);
  await giveBack(database, { run, fence: 3 });
  assert.equal((await sweepStatus(database, "back")).runs.waiting, 2);
});

withStore(
  "a run of the station goes on behind its last event, and no call on record is made again",
  async (database) => {
    const plan: SweepPlan = { wanted: "station-floor", council: "triage", seed: 109 };
    const { ledgers: [ledger], providers, prices } = await planSweep(plan, { get: () => undefined });
    await declareSweep(database, { name: "station-cut", plan, ledgers: [ledger!], providers, prices });
    const [row] = await database.query<{ id: string }>("select id from run");
    const run = Number(row!.id);
    const desk = new Desk(database, {
      sweep: "station-cut",
      worker: "w",
      providers,
      terms: { prices: {}, limits: {} },
    });
    const { signal } = new AbortController();
    const runOn = async (fence: number) => {
      const { claim } = (await takeRun(database, { run, fence, worker: "w" }))!;
      await ledger!.run(claim, { desk, signal, callSignal: signal });
    };
    const lines = () =>
      database.query<{ file: string; n: number; text: string }>("select file, n, text from line order by 1, 2");
    await runOn(0);
    const whole = await lines();
    const events = whole.filter(({ file }) => file === "events").map(({ text }): StationEvent => JSON.parse(text));
    const calls = whole.length - events.length;
    // Its worker died after it had recorded one call more than its events name.
    const [left, kept] = [30, callsUsed(events.slice(0, 30)) + 1];
    await database.query("delete from line where file = 'events' and n >= $1", [left]);
    await database.query("delete from line where file = 'calls' and n >= $1", [kept]);
    await database.query("truncate call");
    await database.query("update run set state = 'running'");
    await runOn(1);
    assert.deepEqual(await lines(), whole);
    const [asked] = await database.query<{ n: number }>("select count(*)::int as n from call");
    assert.ok(kept > 5 && kept < calls, `${kept} of ${calls}`);
    assert.equal(asked!.n, calls - kept);
  },
);
