import fc from "fast-check";
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { UserError } from "@/core/user_error.ts";
import { LedgerWriter } from "@/runs/ledger_writer.ts";
import { readLedger } from "@/runs/read_ledger.ts";
import { bytesOf, cutRun, declared, entry, textOf, wholeRun } from "./ledgers.ts";
import { withFiles } from "./with_files.ts";

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
  for (const line of lines) writer.append(line);
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
      first.append(declared());
    }
    using second = LedgerWriter.open(path);
    second.append(entry(0, 1, { kind: "run.closed", outcome: "complete" }));
    return Promise.resolve();
  });
});

Deno.test("clear() takes everything off, and what is appended then stands at the beginning", async () => {
  await withFiles({ "x.jsonl": textOf([declared(), ...wholeRun(0)]) }, async (folder) => {
    {
      using writer = LedgerWriter.open(`${folder}/x.jsonl`);
      writer.clear();
      writer.append(declared({ seed: 9 }));
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
  const program = fileURLToPath(new URL("./write_ledger.ts", import.meta.url));
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
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    await Deno.symlink("/dev/full", path);
    assert.match(await refusalElsewhere(path), /^UserError: .*x\.jsonl: No space left on device/);
  });
});

Deno.test("fault 25: after half a line nothing more is written, so that it stays the last one", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const write = Deno.FsFile.prototype.writeSync;
    const written = textOf([declared(), ...cutRun(0)]);
    try {
      using writer = LedgerWriter.open(path);
      writer.append(declared());
      writer.append(cutRun(0)[0]!);
      let full = false;
      Deno.FsFile.prototype.writeSync = function (bytes) {
        if (full) throw new Error("No space left on device");
        full = true;
        return write.call(this, bytes.subarray(0, 40));
      };
      refusal(() => writer.append(cutRun(0, 1, 2)[1]!));
      Deno.FsFile.prototype.writeSync = write;
      assert.match(refusal(() => writer.append(cutRun(0, 1, 3)[2]!)).message, /No space left on device/);
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
    writer.hold('{"a":1}');
    assert.equal(Deno.readTextFileSync(path), "");
    writer.append('{"b":2}');
    assert.equal(await Deno.readTextFile(path), '{"a":1}\n{"b":2}\n');
    writer.hold('{"c":3}');
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
      writer.hold('{"a":1}');
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
    writer.hold('{"a":1}');
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
