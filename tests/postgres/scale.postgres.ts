import assert from "node:assert/strict";
import type { PgBoss } from "pg-boss";
import { createRng } from "@/core/rng.ts";
import { ledgerText } from "@/record/ledger_store.ts";
import { type Database, openDatabase } from "@/lab/sweep/database.ts";
import { gather } from "@/lab/sweep/gather.ts";
import { keepLeases } from "@/lab/sweep/leases.ts";
import { readStore } from "@/lab/sweep/read_store.ts";
import { sweepStatus } from "@/lab/sweep/sweep_status.ts";
import { giveBack, putRuns, readLedgers, type RunJob, takeRun } from "@/lab/sweep/sweeps.ts";
import { work } from "@/lab/sweep/worker.ts";
import { declareRuns, fillStore } from "../bench/store/big_store.ts";
import { costOf, MOST_PAGES, STEPS } from "../bench/store/pages.ts";
import { unnamedDamage } from "../bench/store/tamper.ts";
import { withFolder } from "../faults/live_study.ts";
import { serverOfFile } from "./server.ts";

/** What must hold of a store of any size, at a size that is quick. */

const atServer = serverOfFile();

const withStore = (name: string, test: (database: Database, url: string) => Promise<void>) =>
  Deno.test(name, () =>
    atServer(async (url) => {
      await using database = await openDatabase(url);
      await test(database, url);
    }));

/** Works on all that is there, as a worker does. */
const workAll = (database: Database, signal = new AbortController().signal) =>
  work(database, { env: { get: () => undefined }, signal, callSignal: signal });

withStore("nothing on the way of a call, or of a look, reads what grows with the sweep", async (database) => {
  await fillStore(database, "big", 10_000);
  for (const what of ["claim", "call", "status"] as const) {
    const { pages, scanned } = await costOf(database, await STEPS[what](database, "big"));
    assert.deepEqual(scanned, [], what);
    assert.ok(pages <= MOST_PAGES[what], `${what}: ${pages} pages`);
  }
});

withStore("counters are what counting gives", async (database) => {
  await declareRuns(database, "counted", 6);
  await workAll(database);
  const { runs, calls } = await sweepStatus(database, "counted");
  const [counted] = await database.query<{ closed: number; answered: number; lines: number }>(
    `select (select count(*)::int from run where state = 'closed') as closed,
       (select count(*)::int from call where state = 'answered') as answered`,
  );
  assert.deepEqual(counted, { closed: 6, answered: calls.answered });
  assert.deepEqual(runs, { waiting: 0, running: 0, closed: 6, open: 0, flagged: 0 });
  const [sums] = await database.query<{ answered: number }>("select sum(answered)::int as answered from run_count");
  assert.equal(sums!.answered, calls.answered);
  await database.query("delete from call");
  assert.deepEqual((await sweepStatus(database, "counted")).calls, { sent: 0, answered: 0, failed: 0, unknown: 0 });
});

/** The queue of a sweep. */
const queueOf = async (database: Database, sweep: string) => (await readLedgers(database, sweep))[0]!.queue;

const withQueue = async (database: Database, use: (boss: PgBoss) => Promise<void>) => {
  const boss = await database.queue();
  await boss.start();
  try {
    await use(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
};

withStore(
  "what a dead worker held is taken before any fresh run, and a run that is given back too",
  async (database) => {
    await declareRuns(database, "taken", 40);
    const queue = await queueOf(database, "taken");
    await withQueue(database, async (boss) => {
      const jobs = await boss.fetch<RunJob>(queue, { batchSize: 4 });
      for (const { data } of jobs) await takeRun(database, { ...data, worker: "dead" });
      const [back, ...dead] = jobs;
      await giveBack(database, back!.data);
      await boss.fail(queue, back!.id, new Error("interrupted"));
      await database.query(
        "update chaos_lab_queue.job set heartbeat_on = now() - interval '1 hour' where state = 'active'",
      );
      await boss.supervise();
      await database.query("update chaos_lab_queue.job set start_after = now()");
      const next = await boss.fetch<RunJob>(queue, { batchSize: 4 });
      const fresh = await boss.fetch<RunJob>(queue, { batchSize: 4 });
      const runs = (some: readonly { data: RunJob }[]) => some.map(({ data }) => data.run).sort((a, b) => a - b);
      assert.deepEqual(runs(next), runs([back!, ...dead]));
      assert.equal(new Set(runs([...next, ...fresh])).size, 8);
    });
  },
);

withStore("a run that the queue offers again stays with its worker until another has taken it", async (database) => {
  await declareRuns(database, "kept", 2);
  const queue = await queueOf(database, "kept"), stop = new AbortController();
  await withQueue(database, async (boss) => {
    const [mine] = await boss.fetch<RunJob>(queue, { includeMetadata: true });
    const state = async () =>
      (await database.query<{ state: string }>("select state from chaos_lab_queue.job where id = $1", [mine!.id]))[0]!
        .state;
    const offerAgain = () =>
      database.query("update chaos_lab_queue.job set state = 'retry', start_after = now() where id = $1", [mine!.id]);
    const leases = await keepLeases(database, boss, stop.signal);
    await leases.hold(queue, mine!, async (lost) => {
      await offerAgain();
      while (!lost.aborted && await state() !== "active") await new Promise((resolve) => setTimeout(resolve, 100));
      assert.ok(!lost.aborted);
      await offerAgain();
      await database.query("update chaos_lab_queue.job set priority = 1 where id = $1", [mine!.id]);
      const [theirs] = await boss.fetch<RunJob>(queue);
      // Else it was taken back before the other asked.
      assert.equal(theirs!.id, mine!.id);
      await new Promise((resolve) => lost.addEventListener("abort", resolve, { once: true }));
    });
    stop.abort();
  });
});

withStore("a declaration that was cut off is resumed by the same command, and by workers", async (database) => {
  await declareRuns(database, "cut", 12);
  const id = (await readLedgers(database, "cut"))[0]!.id;
  // So it is left after the first batch.
  await database.query("update ledger set wanted = 12000 where id = $1", [id]);
  const status = await sweepStatus(database, "cut");
  assert.deepEqual([status.runs.waiting, status.declaring], [12, 11_988]);
  await withQueue(database, async (boss) => {
    const puts = await Promise.all([putRuns(database, boss, id), putRuns(database, boss, id)]);
    assert.equal(puts[0]! + puts[1]!, 11_988);
    assert.equal(await putRuns(database, boss, id), 0);
  });
  const [row] = await database.query(
    `select count(*)::int as runs, count(distinct replicate)::int as replicates, max(replicate) as last,
       (select count(distinct job.data ->> 'run')::int from chaos_lab_queue.job join run on job.id = run.job
        and (data ->> 'run')::bigint = run.id) as jobs from run`,
  );
  assert.deepEqual(row, { runs: 12_000, replicates: 12_000, last: 11_999, jobs: 12_000 });
  assert.equal((await sweepStatus(database, "cut")).declaring, undefined);
});

withStore("a worker that finds a sweep half declared puts the rest there", async (database) => {
  await declareRuns(database, "half", 2);
  await database.query("update ledger set wanted = 5");
  await workAll(database);
  assert.equal((await sweepStatus(database, "half")).runs.closed, 5);
});

withStore(
  "gather in pages gives what all lines at once give, and reads again only what has changed",
  async (database) => {
    // More lines than a page has, and a run in the middle that has none.
    await fillStore(database, "pages", 8_000);
    const [ledger] = await readLedgers(database, "pages");
    const rows = await database.query<{ text: string }>(
      "select text from line join run on run.id = run order by replicate, n",
    );
    const whole = ledgerText([ledger!.declaration, ...rows.map(({ text }) => JSON.parse(text))] as never);
    await withFolder(async (folder) => {
      const { ledgers: [path] } = await gather(database, "pages", folder);
      assert.ok(await Deno.readTextFile(path!) === whole);
      const times = async () => (await Deno.stat(path!)).mtime!.getTime();
      const [first] = [await times(), await gather(database, "pages", folder)];
      assert.notEqual(await times(), first, "ten runs are left, so it is read again");
      await database.query("update run set state = 'closed' where state = 'waiting'");
      await gather(database, "pages", folder);
      const second = await times();
      await gather(database, "pages", folder);
      assert.equal(await times(), second);
      await Deno.writeTextFile(path!, whole.slice(0, whole.lastIndexOf("\n", whole.length - 2) + 1));
      await gather(database, "pages", folder);
      assert.ok(await Deno.readTextFile(path!) === whole);
      const third = await times();
      await database.query("update run set state = 'open' where id = (select max(id) from run)");
      await gather(database, "pages", folder);
      assert.notEqual(await times(), third);
    });
  },
);

withStore(
  "what nobody wrote, changed or missing, is named with its run by gather and readStore",
  async (database, url) => {
    await declareRuns(database, "damaged", 4);
    await workAll(database);
    const rng = createRng(1);
    await withFolder(async (folder) => {
      const ways = [() => gather(database, "damaged", `${folder}/${rng.int(1e9)}`), () => readStore(url, "damaged")];
      for (const read of ways) assert.deepEqual(await unnamedDamage(database, { tries: 10, rng, read }), []);
      assert.equal((await readStore(url, "damaged"))[0]!.runs.length, 4);
    });
  },
);

withStore("a run whose lines are damaged is not resumed: it stays open, and the others go on", async (database) => {
  await declareRuns(database, "cut-line", 3);
  const [run] = await database.query<{ id: string }>("select id from run order by id");
  await takeRun(database, { run: Number(run!.id), fence: -1, worker: "w" });
  await database.query("select append_line($1, 'events', '{}'), append_line($1, 'events', '{}')", [run!.id]);
  await database.query("delete from line where n = 1");
  await workAll(database);
  const { runs } = await sweepStatus(database, "cut-line");
  assert.deepEqual(runs, { waiting: 0, running: 0, closed: 2, open: 1, flagged: 0 });
  assert.deepEqual(await database.query("select cause from run where state = 'open'"), [{ cause: "damaged" }]);
});
