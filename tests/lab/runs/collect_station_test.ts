import assert from "node:assert/strict";
import { ofKind, roleOf, roundOf, RULESETS, V1, V2 } from "../../station/fixtures.ts";
import { collectStation } from "@/lab/runs/collect_station.ts";
import { namedSeeds } from "@/lab/live/station_batch.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { stationPersona } from "@/model/station/station_persona.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import { alive, interrupted, named, unanswering } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";
import { StationSummary } from "@/schema/station_summary.ts";

const NONE = new Map<string, string>();
const collect = (name: string, ruleset: typeof V1, seeds: number[]) =>
  collectStation({ council: stationCouncil(name, NONE), ruleset, seeds });

Deno.test("namedSeeds() gives the panel of the station paper and the 200 seeds held out", () => {
  assert.deepEqual(namedSeeds("panel"), [104, 108, 109, 110, 111, 112]);
  const heldOut = namedSeeds("heldOut");
  assert.deepEqual([heldOut.length, heldOut[0], heldOut.at(-1), new Set(heldOut).size], [200, 1000, 1199, 200]);
});

Deno.test("namedSeeds() gives a list of one's own", () => {
  namedSeeds("panel").pop();
  assert.equal(namedSeeds("panel").length, 6);
});

Deno.test("collectStation() names every run, over rulesets, councils and seeds", async () => {
  const ids: string[] = [];
  for (const ruleset of RULESETS) {
    for (const name of ["none", "dialect"]) {
      const runs = await collect(name, ruleset, [7, 3]);
      assert.deepEqual(runs.map(({ summary }) => summary.seed), [7, 3], "in the order of the seeds");
      for (const { summary } of runs) {
        assert.deepEqual(StationSummary.parse(summary), summary);
        assert.deepEqual([summary.model, summary.synthetic], [name, true]);
        assert.match(summary.run_id, new RegExp(`^${name}_[\\w-]+_seed${summary.seed}$`));
        ids.push(summary.run_id);
      }
    }
  }
  assert.equal(new Set(ids).size, 16);
  assert.ok(ids.includes("none_v1_seed7") && ids.includes("dialect_v2_seed3"));
});

Deno.test("collectStation() records the calls, and each is the one its event names", async () => {
  for (const [name, ruleset] of [["triage", V2], ["dialect", V1], ["garbling", V2]] as const) {
    const { events, calls } = (await collect(name, ruleset, [4]))[0]!;
    assert.ok(name === "triage" ? calls.length === 36 : calls.length > 36, `${name}: ${calls.length} calls`);
    const named = ofKind(events, "action.taken").flatMap(({ round, role, origin }) =>
      origin.calls.map((index) => ({ index, round, role }))
    );
    assert.deepEqual(named.map(({ index }) => index), calls.map((_, i) => i));
    for (const { index, round, role } of named) {
      const { request, reply } = calls[index]!;
      assert.deepEqual([roundOf(request), roleOf(request)], [round, role]);
      assert.equal(request.model, `surrogate/${name}`);
      assert.equal(reply!.synthetic, true);
    }
  }
});

Deno.test("collectStation() gives replicates dice of their own, and names them after the first", async () => {
  const council = stationCouncil("triage", NONE);
  const runs = await collectStation({ council, ruleset: V2, seeds: [4], replicates: 2 });
  assert.deepEqual(runs.map(({ summary }) => summary.run_id), ["triage_v2_seed4", "triage_v2_seed4_r1"]);
  assert.deepEqual(runs[0], (await collect("triage", V2, [4]))[0]);
  const [first, second] = runs.map(({ calls }) => new Set(calls.map(({ request }) => request.seed)));
  assert.equal(first!.intersection(second!).size, 0);
});

Deno.test("fault 32: collectStation() keeps what a live council said, and asks for the rest alone", async () => {
  await withFiles({}, async (out) => {
    const speak = alive(stationPersona("triage"));
    const down = unanswering(speak, ["2/C1_COMMAND/0"]);
    const { chat, calls } = interrupted(speak);
    const live = { synthetic: false, live: true, model: "m" } as const;
    const collected = (chat: ChatModel) =>
      collectStation({ council: named("m", chat, live), ruleset: V2, seeds: [4], out });
    assert.match((await userErrorOf(collected(down))).message, /0 of 1 runs are complete, 1 stay open/);
    const before = (await readStationFolder(`${out}/v2/m_seed4`)).calls.length;
    const [run] = await collected(chat);
    assert.equal(before + calls(), 36);
    assert.equal(run!.calls.length, 36);
    assert.deepEqual(await collected(chat), [run]);
    assert.equal(before + calls(), 36, "a second time asks nothing");
  });
});

Deno.test("collectStation() of no model makes no call", async () => {
  const [one] = await collect("none", V2, [4]);
  assert.deepEqual(one!.calls, []);
  assert.equal(one!.summary.fallback_actions, 36);
});
