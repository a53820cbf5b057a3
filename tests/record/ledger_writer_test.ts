import fc from "fast-check";
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { UserError } from "@/core/user_error.ts";
import { LedgerWriter } from "@/record/ledger_writer.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { bytesOf, cutRun, declared, entry, textOf, wholeRun } from "../lab/runs/ledgers.ts";
import { withFiles } from "../lab/runs/with_files.ts";
import { dirname } from "node:path";
import { type ChatModel, Unanswered } from "@/model/chat_model.ts";
import { accountRuns } from "@/record/accounting.ts";
import { preflight, readPreflight } from "@/lab/live/preflight.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { runExperiment } from "@/lab/live/run_experiment.ts";
import { runStationFolder } from "@/lab/live/run_station_folder.ts";
import { request } from "../model/endpoint.ts";
import { callsIn, condition, council, counting, LIVE, runsOf } from "../lab/runs/councils.ts";
import { alive, council as room, interrupted } from "../lab/runs/station_rooms.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";

/** The UserError that `work` throws. */
function refusal(work: () => unknown): UserError {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof UserError, `not a UserError: ${error}`);
    return error;
  }
  return assert.fail("nothing was thrown");
}

function append(path: string, lines: Parameters<typeof textOf>[0]): boolean {
  using writer = LedgerWriter.open(path);
  const torn = writer.endLastLine();
  for (const line of lines) writer.append(JSON.stringify(line));
  writer.commit();
  return torn;
}

Deno.test("LedgerWriter makes the folder, appends line by line and goes on behind what is there", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/deep/er/x.jsonl`;
    append(path, [declared(), ...wholeRun(0)]);
    append(path, wholeRun(1));
    assert.equal(await Deno.readTextFile(path), textOf([declared(), ...wholeRun(0), ...wholeRun(1)]));
    assert.equal((await readLedger(path)).runs.length, 2);
  });
});

Deno.test("fault 26: the bytes of a torn line are kept in PATH.torn and earlier lines stay as they were", async () => {
  const before = textOf([declared(), ...wholeRun(0)]);
  const torn = bytesOf(textOf(cutRun(1, 1, 2).slice(1)));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: torn.length - 2 }), async (length) => {
      const rest = torn.subarray(0, length);
      await withFiles({ "x.jsonl": new Uint8Array([...bytesOf(before), ...rest]) }, async (folder) => {
        const path = `${folder}/x.jsonl`;
        assert.equal(append(path, wholeRun(1)), true);
        assert.equal(await Deno.readTextFile(path), before + textOf(wholeRun(1)));
        assert.deepEqual(await Deno.readFile(`${path}.torn`), rest);
      });
    }),
    { numRuns: 20 },
  );
});

Deno.test("fault 26: the bytes of a second torn line are kept beside those of the first", async () => {
  await withFiles({ "x.jsonl": `${textOf([declared()])}{"one` }, async (folder) => {
    const path = `${folder}/x.jsonl`;
    append(path, []);
    await Deno.writeTextFile(path, '{"two', { append: true });
    append(path, []);
    assert.equal(await Deno.readTextFile(`${path}.torn`), '{"one{"two');
    assert.equal(await Deno.readTextFile(path), textOf([declared()]));
  });
});

Deno.test("a whole last line without its line end is not glued to the next", async () => {
  const text = textOf([declared(), ...cutRun(0)]);
  await withFiles({ "x.jsonl": text.slice(0, -1) }, async (folder) => {
    const path = `${folder}/x.jsonl`;
    assert.equal(append(path, wholeRun(1)), false);
    assert.equal(await Deno.readTextFile(path), text + textOf(wholeRun(1)));
    await assert.rejects(Deno.stat(`${path}.torn`), Deno.errors.NotFound);
  });
});

Deno.test("opening and closing a ledger changes nothing in it", async () => {
  const text = `${textOf([declared()])}{"torn`;
  await withFiles({ "x.jsonl": text }, async (folder) => {
    LedgerWriter.open(`${folder}/x.jsonl`)[Symbol.dispose]();
    assert.equal(await Deno.readTextFile(`${folder}/x.jsonl`), text);
  });
});

Deno.test("fault 28: a second writer is refused while the first is open, and the lock is gone afterwards", async () => {
  await withFiles({}, (folder) => {
    const path = `${folder}/x.jsonl`;
    {
      using first = LedgerWriter.open(path);
      assert.match(refusal(() => LedgerWriter.open(path)).message, /x\.jsonl is being written by another run; wait/);
      first.append(JSON.stringify(declared()));
    }
    using second = LedgerWriter.open(path);
    second.append(JSON.stringify(entry(0, 1, { kind: "run.closed", outcome: "complete" })));
    return Promise.resolve();
  });
});

Deno.test("clear() takes everything off, and what is appended then stands at the beginning", async () => {
  await withFiles({ "x.jsonl": textOf([declared(), ...wholeRun(0)]) }, async (folder) => {
    {
      using writer = LedgerWriter.open(`${folder}/x.jsonl`);
      writer.cut(0);
      writer.append(JSON.stringify(declared({ seed: 9 })));
    }
    assert.equal(await Deno.readTextFile(`${folder}/x.jsonl`), textOf([declared({ seed: 9 })]));
  });
});

Deno.test("fault 25: a path that cannot be written is named with the fix", async () => {
  await withFiles({ "file": "" }, (folder) => {
    for (const path of [folder, `${folder}/file/x.jsonl`]) {
      const { message } = refusal(() => LedgerWriter.open(path));
      assert.ok(message.startsWith(`cannot write ${path}: `), message);
      assert.match(message, /free space or choose a writable --out and run again$/);
    }
    return Promise.resolve();
  });
});

Deno.test({
  name: "fault 25: a folder that Deno may not write is named with the fix",
  permissions: { read: true, write: false },
  fn() {
    const { message } = refusal(() => LedgerWriter.open("/nowhere/x.jsonl"));
    assert.match(
      message,
      /^cannot write \/nowhere\/x\.jsonl: Requires write access to "\/nowhere", run again with the --all/,
    );
    assert.match(message, /choose a writable --out/);
  },
});

/** What a writer is refused in a process that may open devices and system folders. */
async function refusalElsewhere(path: string): Promise<string> {
  const program = fileURLToPath(new URL("../lab/runs/write_ledger.ts", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["run", "--allow-all", program, path] }).output();
  return new TextDecoder().decode(stdout);
}

// Mode bits do not hold root back; nobody can make files in procfs.
Deno.test("fault 25: a read-only folder is named with the fix", async () => {
  const message = await refusalElsewhere("/proc/x.jsonl");
  assert.match(
    message,
    /^UserError: cannot write \/proc\/x\.jsonl: (Permission denied|Read-only file system|No such file)/,
  );
  assert.match(message, /choose a writable --out/);
});

Deno.test("fault 25: a full disk is told of when the line is written", async () => {
  // deno-lint-ignore require-await -- a rejection, if any
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const write = Deno.FsFile.prototype.writeSync;
    using writer = LedgerWriter.open(path);
    try {
      Deno.FsFile.prototype.writeSync = () => {
        throw new Error("No space left on device (os error 28)");
      };
      assert.match(refusal(() => writer.append("{}")).message, /x\.jsonl: No space left on device/);
    } finally {
      Deno.FsFile.prototype.writeSync = write;
    }
  });
});

Deno.test("a ledger is no device", async () => {
  await withFiles({}, async (folder) => {
    await Deno.symlink("/dev/full", `${folder}/x.jsonl`);
    assert.match(await refusalElsewhere(`${folder}/x.jsonl`), /^UserError: .*x\.jsonl: is a device, not a file/);
  });
});

Deno.test("fault 25: after half a line nothing more is written, so that it stays the last one", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const write = Deno.FsFile.prototype.writeSync;
    const written = textOf([declared(), ...cutRun(0)]);
    try {
      using writer = LedgerWriter.open(path);
      writer.append(JSON.stringify(declared()));
      writer.append(JSON.stringify(cutRun(0)[0]!));
      let full = false;
      Deno.FsFile.prototype.writeSync = function (bytes) {
        if (full) throw new Error("No space left on device");
        full = true;
        return write.call(this, bytes.subarray(0, 40));
      };
      refusal(() => writer.append(JSON.stringify(cutRun(0, 1, 2)[1]!)));
      Deno.FsFile.prototype.writeSync = write;
      assert.match(
        refusal(() => writer.append(JSON.stringify(cutRun(0, 1, 3)[2]!))).message,
        /No space left on device/,
      );
    } finally {
      Deno.FsFile.prototype.writeSync = write;
    }
    assert.equal(await Deno.readTextFile(path), written + JSON.stringify(cutRun(0, 1, 2)[1]).slice(0, 40));
    assert.equal((await readLedger(path)).torn?.offset, bytesOf(written).length);
  });
});

Deno.test("a line that is held is written before the next turn of the event loop ends, in its order", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    using writer = LedgerWriter.open(path);
    writer.hold(() => '{"a":1}');
    assert.equal(Deno.readTextFileSync(path), "");
    writer.append('{"b":2}');
    assert.equal(await Deno.readTextFile(path), '{"a":1}\n{"b":2}\n');
    writer.hold(() => '{"c":3}');
    await setImmediate();
    assert.equal(await Deno.readTextFile(path), '{"a":1}\n{"b":2}\n{"c":3}\n');
    assert.equal(writer.size, 24);
  });
});

Deno.test("a line that is held is written when the file is closed", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    {
      using writer = LedgerWriter.open(path);
      writer.hold(() => '{"a":1}');
    }
    assert.equal(await Deno.readTextFile(path), '{"a":1}\n');
  });
});

Deno.test("fault 26: a torn line longer than the part of the file that is looked at is taken off whole", async () => {
  const long = `{"a":"${"x".repeat(300_000)}`;
  await withFiles({ "x.jsonl": `{"first":1}\n${long}` }, async (folder) => {
    const path = `${folder}/x.jsonl`;
    assert.equal(append(path, []), true);
    assert.equal(await Deno.readTextFile(path), '{"first":1}\n');
    assert.equal(await Deno.readTextFile(`${path}.torn`), long);
  });
});

Deno.test("what is told to be durable is written, also lines that were held", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    using writer = LedgerWriter.open(path);
    writer.hold(() => '{"a":1}');
    const synced = writer.durable();
    const { syncData } = Deno.FsFile.prototype;
    let written = "";
    try {
      Deno.FsFile.prototype.syncData = function () {
        written = Deno.readTextFileSync(path);
        return syncData.call(this);
      };
      await synced;
    } finally {
      Deno.FsFile.prototype.syncData = syncData;
    }
    assert.equal(written, '{"a":1}\n');
  });
});

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
    writer.append(JSON.stringify({ a: 1 }));
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
    writer.hold(() => JSON.stringify({ a: 1 }));
    assert.equal(writer.rescue(() => ""), undefined);
    writer.flush();
    Deno.truncateSync(path);
    writer.append(JSON.stringify({ a: 2 }));
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
for (const [name, { words, lose }] of Object.entries(LOSSES)) {
  Deno.test(`the record of a station run that is ${name} while it is written ends the command, and no call is asked again`, async () => {
    await withFiles({}, async (root) => {
      const folder = `${root}/run`;
      const whole = `${root}/whole`;
      await runStationFolder({ ...live, folder: whole });
      const losing = happening(9, () => lose(`${folder}/record.jsonl`))(live.council);
      const { message } = await userErrorOf(runStationFolder({ ...live, council: losing, folder }));
      assert.ok(message.includes(`${folder}/record.jsonl ${words} while it was being written`), message);
      const { chat, calls } = interrupted(live.council);
      const waiting = await userErrorOf(runStationFolder({ ...live, council: chat, folder }));
      assert.match(waiting.message, /record\.jsonl\.rescued holds all that was recorded/);
      await Deno.rename(`${folder}/record.jsonl.rescued`, `${folder}/record.jsonl`);
      const run = await runStationFolder({ ...live, council: chat, folder });
      assert.equal(run.events.at(-1)!.kind, "run.closed");
      assert.equal(calls(), 0);
      for (const file of ["events.jsonl", "model_calls.jsonl"]) {
        assert.equal(await Deno.readTextFile(`${folder}/${file}`), await Deno.readTextFile(`${whole}/${file}`));
      }
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
