import fc from "fast-check";
import assert from "node:assert/strict";
import { recording } from "@/model/replay.ts";
import { firstFlaw } from "@/station/read_station_folder.ts";
import type { ModelCall } from "@/schema/model_call.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { runStation, switches } from "@/station/run_station.ts";
import { council } from "../lab/runs/station_rooms.ts";

const calls: ModelCall[] = [];
const chat = recording(council(), (call) => void calls.push(call));
const run = await Array.fromAsync(runStation({ seed: 109, ruleset: "v2", council: chat }));
const plan = { seed: 109, ruleset: switches("v2") };
const flawOf = (events: readonly StationEvent[], said: readonly ModelCall[] = calls) => firstFlaw(plan, events, said);

Deno.test("every beginning of a run follows from its seed and its calls", () => {
  for (let n = 0; n <= run.length; n++) assert.equal(flawOf(run.slice(0, n)), undefined, `${n} events`);
});

Deno.test("an event left out, doubled or exchanged with the next is found where it happened", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: run.length - 2 }), (i) => {
      // What is missing shows at the event that then stands in its place, unless that is just like it.
      assert.equal(flawOf(run.toSpliced(i, 1)), i);
      assert.equal(flawOf(run.toSpliced(i, 0, run[i]!)), i + 1);
      assert.equal(flawOf(run.with(i, run[i + 1]!).with(i + 1, run[i]!)), i);
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("a verdict, a seed card, words, the numbering of calls or a run gone on too long is found where it stands", () => {
  const change = (kind: StationEvent["kind"], edit: (event: StationEvent) => object) => {
    const index = run.findIndex((event) => event.kind === kind);
    return [index, flawOf(run.with(index, { ...run[index], ...edit(run[index]!) } as StationEvent))];
  };
  const found = [
    change("gate.judged", () => ({ passed: false, support: 9 })),
    change("run.opened", () => ({ card: { ...(run[0] as { card: object }).card, seed: 110 } })),
    change("run.closed", () => ({ stabilized: false })),
    change("action.taken", () => ({ statement: "I never said so." })),
    change("action.taken", () => ({ origin: { kind: "model", calls: [3] } })),
    change("action.taken", () => ({ origin: { kind: "model", calls: [999] } })),
  ];
  for (const [expected, index] of found) assert.equal(index, expected);
  assert.equal(flawOf([...run, run[1]!]), run.length);
  assert.equal(firstFlaw({ ...plan, seed: 110 }, run, calls), 0);
  assert.equal(firstFlaw({ ...plan, replicate: 1 }, run, calls), 0);
});
