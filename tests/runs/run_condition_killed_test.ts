import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { apiKey } from "../model/endpoint.ts";
import { UserError } from "@/core/user_error.ts";
import { accountRuns } from "@/runs/accounting.ts";
import { isTornDeclaration } from "@/runs/ledger_rules.ts";
import { LedgerWriter } from "@/runs/ledger_writer.ts";
import { readLedger } from "@/runs/read_ledger.ts";
import { liveSession } from "@/runs/live_session.ts";
import { type ConditionRuns, runExperiment } from "@/runs/run_experiment.ts";
import { runCondition } from "@/runs/run_condition.ts";
import { callsIn, condition, council, counting, LIVE, runsOf } from "./councils.ts";
import { withLiveEndpoint } from "./live_endpoint.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const PROGRAM = fileURLToPath(new URL("./killed_run.ts", import.meta.url));
const settings = { council: council(undefined, LIVE), replicates: 2, seed: 1 };

/** The ledger of runs that nothing stopped. */
async function undisturbed(folder: string) {
  return await runCondition(condition, { ...settings, path: `${folder}/undisturbed.jsonl` });
}

/** Starts the runs in a process of its own, waits until they hang at `call`, calls `meanwhile` and kills the process. */
async function killedAt(call: number, path: string, meanwhile = () => Promise.resolve()): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read", "--allow-write", PROGRAM, path, String(call)],
    stdin: "piped",
    stdout: "piped",
  });
  await using child = command.spawn();
  const output = child.stdout.getReader();
  const { value } = await output.read();
  assert.equal(new TextDecoder().decode(value), "waiting\n");
  await meanwhile();
  child.kill("SIGKILL");
  assert.equal((await child.status).signal, "SIGKILL");
  await output.cancel();
  await child.stdin.abort();
}

Deno.test("fault 23: killed twice in a row and then finished, the runs are the same", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const whole = await undisturbed(folder);
    await killedAt(5, path, async () => {
      // Fault 28: the process that is killed holds the ledger until then.
      assert.throws(() => LedgerWriter.open(path), UserError);
      const refused = await userErrorOf(runCondition(condition, { ...settings, path }));
      assert.match(refused.message, /x\.jsonl is being written by another run/);
    });
    assert.deepEqual(accountRuns(await readLedger(path)).causes, { unfinished: 1, not_started: 1 });
    await killedAt(6, path);
    assert.equal(callsIn(await readLedger(path)), 4 + 5);
    const { council, requests } = counting(LIVE);
    const ledger = await runCondition(condition, { ...settings, council, path });
    assert.deepEqual(runsOf(ledger), runsOf(whole));
    assert.equal(requests.length, callsIn(whole) - 9);
  });
});

Deno.test("fault 28: a fresh start does not take a ledger from the run that is writing it", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    await undisturbed(folder);
    await Deno.rename(`${folder}/undisturbed.jsonl`, path);
    const text = await Deno.readTextFile(path);
    using _writer = LedgerWriter.open(path);
    const refused = await userErrorOf(runCondition(condition, { ...settings, path, fresh: true }));
    assert.match(refused.message, /being written by another run/);
    assert.equal(await Deno.readTextFile(path), text);
  });
});

// The shell's limit on file sizes stands for a full disk: a write beyond it stops in the middle of a line.
Deno.test({
  name: "fault 25: where the disk is full nothing more is asked, and the same command goes on when there is room",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withFiles({}, async (folder) => {
      const path = `${folder}/x.jsonl`;
      const whole = await undisturbed(folder);
      const { size } = await Deno.stat(`${folder}/undisturbed.jsonl`);
      const blocks = Math.floor((size - 2000) / 512);
      const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" run --allow-read --allow-write "$1" "$2" 0`;
      const command = new Deno.Command("sh", { args: ["-c", script, Deno.execPath(), PROGRAM, path] });
      const { code, stderr } = await command.output();
      assert.equal(code, 1);
      assert.match(new TextDecoder().decode(stderr), /UserError: cannot write .*x\.jsonl: File too large/);
      assert.equal((await Deno.stat(path)).size, 512 * blocks, "the last line must be cut in the middle");
      const cut = await readLedger(path);
      assert.ok(cut.torn);
      const { council, requests } = counting(LIVE);
      assert.deepEqual(runsOf(await runCondition(condition, { ...settings, council, path })), runsOf(whole));
      assert.equal(requests.length, callsIn(whole) - callsIn(cut));
    });
  },
});

Deno.test("fault 26: a live ledger cut off at any byte of its first line is planned, repaired and run, and nothing is paid twice", async () => {
  await withLiveEndpoint(({ baseUrl, keys }) =>
    withFiles({}, async (out) => {
      const env = new Map([["OPENAI_API_KEY", apiKey], ["OPENAI_BASE_URL", baseUrl]]);
      const wanted = { scenario: "HL-01", agents: 2, rounds: 1 };
      const path = `${out}/HL-01__T0.0__N2__rolesTrue__R1.jsonl`;
      const session = () =>
        liveSession(wanted, { council: "live", env, out, data: out, replicates: 1, live: { budgetUsd: 5 } });
      const runs = async (onNotice?: (words: string) => void) => {
        const council = await (await session()).open();
        return await runExperiment(wanted, { council, replicates: 1, out, onNotice });
      };
      await runs();
      const [first, counted] = [await Deno.readFile(path), `${path}.lines`];
      const header = first.subarray(0, first.indexOf(0x0a));
      const calls = keys.length;
      const cutAt = async (length: number) => {
        await Deno.remove(counted).catch(() => {});
        await Deno.writeFile(path, header.subarray(0, length));
      };
      for (let length = 1; length < header.length; length++) {
        assert.ok(isTornDeclaration(header.subarray(0, length)), `${length} bytes are not seen as cut off`);
      }
      // The header is long; a plan is made at its beginning, its end and a sample between.
      const lengths = [...Array(header.length + 1).keys()].filter((n) =>
        n < 60 || n % 499 === 0 || n > header.length - 4
      );
      for (const length of lengths) {
        await cutAt(length);
        const { calls, words } = await (await session()).plan();
        assert.equal(calls, 5, `${length} bytes: ${words}`);
        assert.match((await (await session()).spent())!, /^US\$ /);
      }
      for (const length of [0, 1, 30, header.length - 1, header.length]) {
        await cutAt(length);
        await Deno.remove(`${path}.torn`).catch(() => {});
        const notices: string[] = [];
        const before = keys.length;
        const [{ accounting }] = await runs((words) => notices.push(words)) as [ConditionRuns];
        assert.deepEqual(
          [accounting.realised, keys.length - before],
          [1, 5],
          "the model is asked once, and its runs alone",
        );
        const torn = length > 0 && length < header.length;
        assert.deepEqual(notices, torn ? [`${path}: line 1 was torn off; its bytes are kept in ${path}.torn`] : []);
        if (torn) assert.deepEqual(await Deno.readFile(`${path}.torn`), header.slice(0, length));
        assert.deepEqual((await readLedger(path)).damaged, []);
      }
      assert.equal(calls, 6, "one for the preflight, five of a run");
    })
  );
});

Deno.test("a live ledger whose first line is something else is refused by plan and run, and left as it is", async () => {
  for (
    const [text, why] of [["{}", /line 1 has schema none/], ["nonsense", /no line declares/], [
      '{"x\n',
      /is not JSON/,
    ]] as const
  ) {
    await withFiles({ "HL-01__T0.0__N2__rolesTrue__R1.jsonl": text }, async (out) => {
      const env = new Map([["OPENAI_API_KEY", apiKey]]);
      const wanted = { scenario: "HL-01", agents: 2, rounds: 1 };
      const { plan, spent } = await liveSession(wanted, { council: "live", env, out, data: out, live: {} });
      for (const work of [plan, spent]) assert.match((await userErrorOf(work())).message, why);
      assert.equal(await Deno.readTextFile(`${out}/HL-01__T0.0__N2__rolesTrue__R1.jsonl`), text);
    });
  }
});
