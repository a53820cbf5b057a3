import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type ChatModel, ModelError } from "@/model/chat_model.ts";
import { LedgerWriter } from "@/runs/ledger_writer.ts";
import { readStationFolder } from "@/runs/read_station_folder.ts";
import { summaryText } from "@/runs/read_station_run.ts";
import { runStationFolder, type RunStationFolderOptions, stationRunId } from "@/runs/run_station_folder.ts";
import { RULES } from "@/station/rules.ts";
import { council, interrupted, Interruption } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const settings = { seed: 109, ruleset: "v2", council: council(), label: "room", synthetic: true } as const;
const none = { ...settings, council: "none", label: "none" } as const;

const FILES = ["events.jsonl", "model_calls.jsonl", "final_summary.json", "prime_time_recap.md"];

async function filesOf(folder: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(FILES.map(async (name) => [name, await Deno.readTextFile(`${folder}/${name}`)])),
  );
}

/** The files of a run that nothing stopped. */
async function undisturbed(options: Omit<RunStationFolderOptions, "folder">): Promise<Record<string, string>> {
  let files: Record<string, string> = {};
  await withFiles({}, async (folder) => {
    await runStationFolder({ ...options, folder });
    files = await filesOf(folder);
  });
  return files;
}

const whole = await undisturbed(settings);
const floor = await undisturbed(none);
const lines = (text: string) => text.split("\n").filter((line) => line !== "");

Deno.test("two runs without a model on one seed are the same but for run id and label", async () => {
  const other = await undisturbed({ ...none, label: "other" });
  const renamed = Object.fromEntries(
    Object.entries(other).map(([name, text]) => [
      name,
      text.replaceAll("other\\_seed109", "none\\_seed109").replaceAll("other_seed109", "none_seed109")
        .replaceAll('"other"', '"none"').replaceAll("“other”", "“none”"),
    ]),
  );
  assert.deepEqual(renamed, floor);
  assert.deepEqual(lines(other["events.jsonl"]!).slice(1), lines(floor["events.jsonl"]!).slice(1));
});

Deno.test("a finished folder holds what was asked for, and is not run again", async () => {
  await withFiles({}, async (folder) => {
    const first = await runStationFolder({ ...settings, folder });
    assert.equal(first.found, 0);
    assert.deepEqual(await filesOf(folder), whole);
    const { chat, calls } = interrupted(council(), 0);
    const again = await runStationFolder({ ...settings, council: chat, folder });
    assert.equal(calls(), 0);
    assert.equal(again.found, first.events.length);
    assert.deepEqual(again.summary, first.summary);
    assert.deepEqual(await filesOf(folder), whole);
    const { council: label, synthetic, made } = JSON.parse(lines(whole["events.jsonl"]!)[0]!);
    assert.deepEqual([label, synthetic, typeof made.library], ["room", true, "string"]);
    assert.ok(first.summary.fallback_actions > 0 && first.summary.model_actions > 0);
  });
});

Deno.test("the log and the calls alone give the same summary and recap, byte for byte", async () => {
  for (const files of [whole, floor]) {
    const { "events.jsonl": events, "model_calls.jsonl": calls } = files;
    await withFiles({ "events.jsonl": events!, "model_calls.jsonl": calls! }, async (folder) => {
      const { summary } = await readStationFolder(folder);
      assert.equal(summaryText(summary!), files["final_summary.json"]);
      const options = files === whole ? settings : none;
      await runStationFolder({ ...options, folder });
      assert.deepEqual(await filesOf(folder), files);
    });
  }
});

Deno.test("fault 23: cut off at any line, a run without a model comes out as if nothing had happened", async () => {
  const all = lines(floor["events.jsonl"]!);
  for (const cut of [0, 1, 2, 5, 20, 40, all.length - 1]) {
    const kept = all.slice(0, cut).map((line) => `${line}\n`).join("");
    const torn = all[cut]!.slice(0, all[cut]!.length >> 1);
    await withFiles({ "events.jsonl": kept + torn }, async (folder) => {
      const notices: string[] = [];
      await runStationFolder({ ...none, folder, onNotice: (notice) => notices.push(notice) });
      assert.deepEqual(await filesOf(folder), floor, `cut after line ${cut}`);
      assert.match(notices[0]!, new RegExp(`line ${cut + 1} was torn off`));
      assert.equal(await Deno.readTextFile(`${folder}/events.jsonl.torn`), torn);
    });
  }
});

Deno.test("fault 23: stopped at any call, twice in a row, a council's run comes out the same and asks no call twice", async () => {
  const total = lines(whole["model_calls.jsonl"]!).length;
  for (const at of [0, 1, 13, total - 2]) {
    await withFiles({}, async (folder) => {
      let asked = 0;
      for (const stop of [at, 1, Infinity]) {
        const { chat, calls } = interrupted(council(), stop);
        const run = runStationFolder({ ...settings, council: chat, folder });
        if (stop === Infinity) await run;
        else await assert.rejects(run, Interruption);
        asked += calls();
      }
      assert.equal(asked, total);
      assert.deepEqual(await filesOf(folder), whole, `stopped at call ${at}`);
    });
  }
});

Deno.test("fault 26: recorded calls that no event names yet answer first: nothing is asked or paid twice", async () => {
  const calls = lines(whole["model_calls.jsonl"]!);
  const kept = lines(whole["events.jsonl"]!).slice(0, 12);
  const used = kept.filter((line) => line.includes('"action.taken"')).length;
  assert.ok(used > 0);
  // Events of two rounds are lost to a power cut, and a call is torn; all other calls had been made safe.
  const content = {
    "events.jsonl": `${kept.join("\n")}\n`,
    "model_calls.jsonl": `${calls.slice(0, 15).join("\n")}\n{"sch`,
  };
  await withFiles(content, async (folder) => {
    const { chat, calls: asked } = interrupted(council());
    await runStationFolder({ ...settings, council: chat, folder });
    assert.equal(asked(), calls.length - 15);
    assert.deepEqual(await filesOf(folder), whole);
  });
});

Deno.test("aborted between two turns, a run goes on to the same end", async () => {
  await withFiles({}, async (folder) => {
    const stop = new AbortController();
    let events = 0;
    const onEvent = () => void (++events === 30 && stop.abort());
    await assert.rejects(runStationFolder({ ...settings, folder, signal: stop.signal, onEvent }), {
      name: "AbortError",
    });
    const { found } = await runStationFolder({ ...settings, folder });
    assert.equal(found, 30);
    assert.deepEqual(await filesOf(folder), whole);
    const sessions = lines(await Deno.readTextFile(`${folder}/sessions.jsonl`)).map((line) => JSON.parse(line));
    assert.deepEqual(sessions.map(({ kind, events }) => [kind, events]), [
      ["began", 0],
      ["began", 30],
      ["finished", lines(whole["events.jsonl"]!).length - 1],
    ]);
  });
});

const others: Record<string, readonly [options: Partial<RunStationFolderOptions>, message: RegExp]> = {
  seed: [{ seed: 110, runId: "room_seed109" }, /seed: there 109, now 110/],
  ruleset: [{ ruleset: "v1" }, /ruleset: there .*true.*, now .*false/],
  council: [{ label: "other", runId: "room_seed109" }, /council: there "room", now "other"/],
  "sampling parameter": [{ temperature: 0.1 }, /asked: there \{\}, now \{"temperature":0.1\}/],
  "set of rules": [{ rules: { ...RULES, seats: 99 } as unknown as typeof RULES }, /made under other rules/],
};

for (const [name, [change, message]] of Object.entries(others)) {
  Deno.test(`fault 31: another ${name} is refused, finished or not, and the folder is left as it is`, async () => {
    const cut = `${lines(whole["events.jsonl"]!).slice(0, 20).join("\n")}\n`;
    for (const content of [whole, { ...whole, "events.jsonl": cut }]) {
      await withFiles(content, async (folder) => {
        assert.match((await userErrorOf(runStationFolder({ ...settings, ...change, folder }))).message, message);
        assert.deepEqual(await filesOf(folder), content);
      });
    }
  });
}

const ROUND_2 = lines(whole["events.jsonl"]!).findIndex((line) => line.includes('"round.opened","round":2'));

/** Changes to the lines of a finished run, and what its reader says. */
const edits: Record<string, readonly [file: string, edit: (lines: string[]) => string[], message: RegExp]> = {
  "a line taken out": [
    "events.jsonl",
    (all) => all.toSpliced(ROUND_2 + 2, 1),
    new RegExp(`line ${ROUND_2 + 3} .*a line is missing, doubled or was changed`),
  ],
  "a line doubled": ["events.jsonl", (all) => all.toSpliced(7, 0, all[7]!), /line 9 .*missing, doubled or was changed/],
  "a seed card changed": [
    "events.jsonl",
    (all) => all.with(1, all[1]!.replace(/"severity":1,/, '"severity":0.5,')),
    /line 2 \(run\.opened\) has another card/,
  ],
  "a statement changed": [
    "events.jsonl",
    (all) => all.map((line) => line.replace('"statement":"C3_ENGINEER is for it."', '"statement":"I am against it."')),
    /is not what the calls in model_calls\.jsonl read as/,
  ],
  "a reply changed": [
    "model_calls.jsonl",
    (all) => all.with(0, all[0]!.replace("is for it.", "is for ut.")),
    /is not what the calls in model_calls\.jsonl read as/,
  ],
  "a call taken out": [
    "model_calls.jsonl",
    (all) => all.slice(0, -1),
    /names \d+ calls, but model_calls\.jsonl beside it holds/,
  ],
  "a better score": [
    "final_summary.json",
    (all) => all.map((line) => line.replace(/"q": 0\.\d+/, '"q": 0.999')),
    /final_summary\.json: q is not what events\.jsonl gives/,
  ],
};

for (const [name, [file, edit, message]] of Object.entries(edits)) {
  Deno.test(`fault 27: ${name} is reported by file and line, and nothing is repaired`, async () => {
    const edited = { ...whole, [file]: `${edit(lines(whole[file]!)).join("\n")}\n` };
    assert.notEqual(edited[file], whole[file]);
    await withFiles(edited, async (folder) => {
      assert.match((await userErrorOf(readStationFolder(folder))).message, message);
      assert.match((await userErrorOf(runStationFolder({ ...settings, folder }))).message, message);
      assert.deepEqual(await filesOf(folder), edited);
    });
  });
}

Deno.test("fault 27: a damaged run that is not finished is refused before anything is asked", async () => {
  const kept = lines(whole["events.jsonl"]!).slice(0, 40).toSpliced(ROUND_2 + 2, 1);
  await withFiles({ ...whole, "events.jsonl": `${kept.join("\n")}\n` }, async (folder) => {
    const { chat, calls } = interrupted(council());
    const { message } = await userErrorOf(runStationFolder({ ...settings, council: chat, folder }));
    assert.match(message, new RegExp(`line ${ROUND_2 + 3} .*a line is missing, doubled or was changed`));
    assert.equal(calls(), 0);
    assert.deepEqual(lines(await Deno.readTextFile(`${folder}/events.jsonl`)), kept);
  });
});

Deno.test("a call refused for want of credit ends the session, is kept apart, and the run goes on when it is mended", async () => {
  await withFiles({}, async (folder) => {
    const paid = council();
    let calls = 0;
    const broke: ChatModel = async (request, options) => {
      if (calls++ === 9) throw new ModelError("quota", "no credit left");
      return await paid(request, options);
    };
    await assert.rejects(runStationFolder({ ...settings, council: broke, folder }), ModelError);
    assert.match(await Deno.readTextFile(`${folder}/refused_calls.jsonl`), /"code":"quota"/);
    await runStationFolder({ ...settings, folder });
    assert.deepEqual(await filesOf(folder), whole);
  });
});

Deno.test("other failed calls are recorded, become fallbacks with their cause, and read back the same", async () => {
  await withFiles({}, async (folder) => {
    const answer = council();
    let calls = 0;
    const flaky: ChatModel = async (request, options) => {
      if (calls++ % 4 === 1) throw new ModelError("timeout", "no reply in time");
      return await answer(request, options);
    };
    const { summary } = await runStationFolder({ ...settings, council: flaky, folder });
    assert.ok(summary.fallback_reasons["model_error:timeout"]! > 0);
    assert.deepEqual((await readStationFolder(folder)).summary, summary);
  });
});

Deno.test("a program cannot be recorded as a language model", async () => {
  await withFiles({}, async (folder) => {
    const { message } = await userErrorOf(runStationFolder({ ...settings, synthetic: false, folder }));
    assert.match(message, /declared as language models answered without one/);
  });
});

Deno.test("a resume under another prompt is refused before anything is asked", async () => {
  const kept = lines(whole["events.jsonl"]!).slice(0, 9);
  const [first, ...rest] = lines(whole["model_calls.jsonl"]!);
  const drifted = [first!.replace("failing orbital station", "splendid orbital station"), ...rest];
  await withFiles(
    { "events.jsonl": `${kept.join("\n")}\n`, "model_calls.jsonl": `${drifted.join("\n")}\n` },
    async (folder) => {
      assert.ok(!kept.some((line) => line.includes("action.taken")), "the first call must be unused");
      const { chat, calls } = interrupted(council());
      const { message } = await userErrorOf(runStationFolder({ ...settings, council: chat, folder }));
      assert.match(message, /the last call was recorded for another request/);
      assert.equal(calls(), 0);
    },
  );
});

Deno.test("fault 28: a folder that another process writes is refused", async () => {
  await withFiles({}, async (folder) => {
    using _writer = LedgerWriter.open(`${folder}/events.jsonl`);
    assert.match((await userErrorOf(runStationFolder({ ...none, folder }))).message, /is being written by another run/);
  });
});

Deno.test("fault 48: run ids and folders come of any model id, and never lead out", async () => {
  assert.equal(stationRunId("openai/gpt-5.5", 108), "openai-gpt-5.5_seed108");
  for (const label of ["", "../up", "=1", "a\nb", "x".repeat(81)]) {
    const { message } = await userErrorOf(Promise.try(() => stationRunId(label, 1)));
    assert.match(message, /cannot label a council/);
  }
});

const PROGRAM = fileURLToPath(new URL("./station_killed_run.ts", import.meta.url));

Deno.test("fault 23: killed in the middle of a call and then finished, the run is the same", async () => {
  await withFiles({}, async (folder) => {
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-read", "--allow-write", PROGRAM, folder, "17"],
      stdin: "piped",
      stdout: "piped",
    });
    await using child = command.spawn();
    const output = child.stdout.getReader();
    assert.equal(new TextDecoder().decode((await output.read()).value), "waiting\n");
    child.kill("SIGKILL");
    assert.equal((await child.status).signal, "SIGKILL");
    await output.cancel();
    await child.stdin.abort();
    const { chat, calls } = interrupted(council());
    await runStationFolder({ ...settings, council: chat, folder });
    assert.equal(calls(), lines(whole["model_calls.jsonl"]!).length - 16);
    assert.deepEqual(await filesOf(folder), whole);
  });
});
