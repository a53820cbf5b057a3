import assert from "node:assert/strict";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type ChatModel, Unanswered } from "@/model/chat_model.ts";
import { accountRuns } from "@/runs/accounting.ts";
import { LedgerWriter } from "@/runs/ledger_writer.ts";
import { preflight, readPreflight } from "@/runs/preflight.ts";
import { readLedger } from "@/runs/read_ledger.ts";
import { runCondition } from "@/runs/run_condition.ts";
import { runExperiment } from "@/runs/run_experiment.ts";
import { runStationFolder } from "@/runs/run_station_folder.ts";
import { request } from "../model/endpoint.ts";
import { callsIn, condition, council, counting, LIVE, runsOf } from "./councils.ts";
import { alive, council as room, interrupted } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

/** Files that somebody removes, renames, replaces or cuts while they are written. */

const LOSSES: Readonly<Record<string, { words: string; lose: (path: string) => void }>> = {
  removed: { words: "was removed or renamed", lose: (path) => Deno.removeSync(path) },
  renamed: { words: "was removed or renamed", lose: (path) => Deno.renameSync(path, `${path}.mine`) },
  "removed with its folder": {
    words: "was removed or renamed",
    lose: (path) => Deno.removeSync(dirname(path), { recursive: true }),
  },
  replaced: {
    words: "was replaced by another file",
    lose(path) {
      Deno.renameSync(path, `${path}.mine`);
      Deno.copyFileSync(`${path}.mine`, path);
    },
  },
  "cut to nothing": { words: "was cut short", lose: (path) => Deno.truncateSync(path) },
  "cut by a byte": {
    words: "was cut short",
    lose: (path) => Deno.truncateSync(path, Deno.statSync(path).size - 1),
  },
};

const TRY = { code: "network", message: "down", waitedMs: 0 } as const;

/** Surrogates of which the call with that number comes just after something happened. */
const happening = (at: number, what: () => void) => {
  let calls = 0;
  return (chat: ChatModel): ChatModel => (request, options) => {
    if (++calls === at) what();
    return chat(request, options);
  };
};

for (const [name, { words, lose }] of Object.entries(LOSSES)) {
  Deno.test(`a ledger that is ${name} while it is written ends the command, and nothing paid for is lost`, async () => {
    await withFiles({}, async (root) => {
      const path = `${root}/out/x.jsonl`;
      const settings = { replicates: 3, seed: 1, path };
      const whole = await runCondition(condition, { ...settings, council: council(), path: `${root}/whole.jsonl` });
      // Seven calls and repairs a run: the file is lost in the second.
      const losing = council(happening(12, () => lose(path)), LIVE);
      const { message } = await userErrorOf(runCondition(condition, { ...settings, council: losing }));
      const way = `rename it to ${path} and run the same command again`;
      assert.equal(
        message,
        `${path} ${words} while it was being written. All that was recorded is kept in ${path}.rescued: ${way}`,
      );
      const kept = await readLedger(`${path}.rescued`);
      assert.deepEqual(kept.damaged, []);
      assert.deepEqual(accountRuns(kept).causes, { not_started: 1 });
      assert.deepEqual(runsOf(kept), runsOf(whole).slice(0, 2));
      const { council: next, requests } = counting(LIVE);
      const waiting = await userErrorOf(runCondition(condition, { ...settings, council: next }));
      assert.match(waiting.message, /x\.jsonl\.rescued holds all that was recorded when .* was lost: rename it to /);
      assert.equal(requests.length, 0, "nothing is paid for a second time");
      await Deno.rename(`${path}.rescued`, path);
      const ledger = await runCondition(condition, { ...settings, council: next });
      assert.deepEqual(runsOf(ledger), runsOf(whole));
      assert.equal(requests.length, callsIn(whole) - callsIn(kept));
    });
  });
}

Deno.test("a ledger that is lost in its last run, or in one that is stopped, is told of at the end", async () => {
  await withFiles({}, async (root) => {
    const path = `${root}/x.jsonl`;
    const settings = { replicates: 2, seed: 1, path };
    const stop = new AbortController();
    const losing = council(
      happening(3, () => {
        Deno.removeSync(path);
        stop.abort(new Error("stopped"));
      }),
      { ...LIVE, concurrency: 2 },
    );
    const { message } = await userErrorOf(
      runCondition(condition, { ...settings, council: losing, signal: stop.signal }),
    );
    assert.match(message, /was removed or renamed while it was being written\. All that was recorded is kept in /);
    const { runs } = await readLedger(`${path}.rescued`);
    const answered = runs.flatMap(({ events }) => events).filter((event) => "seat" in event);
    assert.equal(answered.length, 2, "all that came in before the stop");
  });
});

Deno.test("a continued ledger, with failed attempts and calls without an outcome, is kept whole", async () => {
  await withFiles({}, async (root) => {
    const path = `${root}/x.jsonl`;
    const settings = { replicates: 2, seed: 1 };
    const base =
      (await runCondition(condition, { ...settings, replicates: 1, council: council(), path: `${root}/base.jsonl` }))
        .runs[0]!.events.slice(0, 3);
    const unanswering = council((chat) => {
      let calls = 0;
      return async (request, options) => {
        if (++calls === 3) throw new Unanswered("network", "down", { scope: "call", tries: [TRY] });
        return await chat(request, options);
      };
    }, LIVE);
    await runCondition(condition, { ...settings, seed: 2, base, council: unanswering, path });
    const open = await readLedger(path);
    assert.deepEqual(open.runs.map(({ unanswered }) => unanswered.length).sort(), [0, 1]);
    const losing = council(happening(2, () => Deno.truncateSync(path)), LIVE);
    await userErrorOf(runCondition(condition, { ...settings, seed: 2, base, council: losing, path }));
    const kept = await readLedger(`${path}.rescued`);
    assert.deepEqual(kept.damaged, []);
    assert.deepEqual(kept.declaration, open.declaration);
    assert.deepEqual(
      kept.runs.map(({ unanswered }) => unanswered).flat(),
      open.runs.flatMap(({ unanswered }) => unanswered),
    );
    assert.ok(kept.runs.every(({ closed }) => closed?.outcome === "complete"));
  });
});

Deno.test("of a live experiment a ledger that is lost after its last run, while others are still written, is kept too", async () => {
  await withFiles({}, async (out) => {
    const wanted = { scenario: "HL-01", agents: 2, rounds: 1, temperature: [0, 0.7] };
    const first = `${out}/HL-01__T0.0__N2__rolesTrue__R1.jsonl`;
    const firstIsDone = Promise.withResolvers<void>();
    const losing = council(
      (chat) => async (request, options) => {
        if (request.temperature === 0.7 && options?.place?.startsWith("ballot")) {
          await firstIsDone.promise;
          // Its own work is over once the event loop has turned a few times.
          for (let turn = 0; turn < 50; turn++) await setImmediate();
          await Deno.remove(first).catch(() => {});
        }
        return await chat(request, options);
      },
      { ...LIVE, live: true, concurrency: 2 },
    );
    const { message } = await userErrorOf(
      runExperiment(wanted, { council: losing, replicates: 1, out, onRun: () => firstIsDone.resolve() }),
    );
    assert.match(message, /__T0\.0__N2__rolesTrue__R1\.jsonl was removed or renamed while it was being written\./);
    assert.equal((await readLedger(`${first}.rescued`)).runs[0]!.closed?.outcome, "complete");
  });
});

Deno.test("what is kept beside a lost file takes the place of nothing", async () => {
  await withFiles({}, (folder) => {
    const path = `${folder}/x.jsonl`;
    using writer = LedgerWriter.open(path);
    writer.append({ a: 1 });
    assert.equal(writer.rescue(() => "not needed"), undefined);
    Deno.writeTextFileSync(`${path}.rescued`, "somebody's");
    Deno.removeSync(path);
    assert.match(writer.rescue(() => "first")!, new RegExp(`x\\.jsonl\\.rescued\\.${Deno.pid}: rename it`));
    writer.rescue(() => "all of it");
    assert.equal(Deno.readTextFileSync(`${path}.rescued`), "somebody's");
    assert.equal(Deno.readTextFileSync(`${path}.rescued.${Deno.pid}`), "all of it");
    return Promise.resolve();
  });
});

Deno.test("lines that are held back are not taken for lost, and a cut is seen whatever is written after it", async () => {
  await withFiles({}, (folder) => {
    const path = `${folder}/x.jsonl`;
    using writer = LedgerWriter.open(path);
    writer.hold({ a: 1 });
    assert.equal(writer.rescue(() => ""), undefined);
    writer.flush();
    Deno.truncateSync(path);
    writer.append({ a: 2 });
    assert.equal(Deno.readTextFileSync(path), '{"a":2}\n', "behind what is there, with no hole");
    assert.match(writer.rescue(() => "")!, /was cut short/);
    return Promise.resolve();
  });
});

const live = {
  seed: 109,
  ruleset: "v2",
  council: alive(room()),
  label: "room",
  synthetic: false,
  identity: "live:a",
} as const;
const FILES = ["events.jsonl", "model_calls.jsonl"];

for (const [name, { words, lose }] of Object.entries(LOSSES)) {
  Deno.test(`files of a station run that are ${name} while they are written end the command, and no call is asked again`, async () => {
    await withFiles({}, async (root) => {
      const folder = `${root}/run`;
      const whole = `${root}/whole`;
      await runStationFolder({ ...live, folder: whole });
      const losing = happening(9, () => {
        for (const file of FILES) {
          if (name !== "removed with its folder" || file === FILES[0]) lose(`${folder}/${file}`);
        }
      })(live.council);
      const { message } = await userErrorOf(runStationFolder({ ...live, council: losing, folder }));
      for (const file of FILES) {
        assert.ok(message.includes(`${folder}/${file} ${words} while it was being written`), message);
      }
      const { chat, calls } = interrupted(live.council);
      const waiting = await userErrorOf(runStationFolder({ ...live, council: chat, folder }));
      assert.match(waiting.message, /events\.jsonl\.rescued holds all that was recorded/);
      for (const file of FILES) {
        await Deno.rename(`${folder}/${file}.rescued`, `${folder}/${file}`);
        assert.equal(await Deno.readTextFile(`${folder}/${file}`), await Deno.readTextFile(`${whole}/${file}`));
      }
      const run = await runStationFolder({ ...live, council: chat, folder });
      assert.equal(run.events.at(-1)!.kind, "run.closed");
      assert.equal(calls(), 0);
    });
  });
}

Deno.test("a preflight whose file is lost stops, and keeps what was asked", async () => {
  await withFiles({}, async (root) => {
    const path = `${root}/preflight/calls.jsonl`;
    const reply = { text: "STATE: …", usage: { promptTokens: 10, completionTokens: 5 } };
    const probe = (model: string) => ({ request: request({ model }), seats: ["Chair"], flaw: () => undefined });
    const options = { identity: "live:x", root };
    const chat: ChatModel = () => Promise.resolve(reply);
    await preflight([probe("a")], { ...options, chat });
    const losing: ChatModel = () => {
      Deno.removeSync(path);
      return Promise.resolve(reply);
    };
    const { message } = await userErrorOf(preflight([probe("b")], { ...options, chat: losing }));
    assert.match(message, /preflight\/calls\.jsonl was removed or renamed while it was being written\. /);
    await Deno.rename(`${path}.rescued`, path);
    assert.deepEqual((await readPreflight(root)).map(({ request }) => request.model), ["a", "b"]);
  });
});
