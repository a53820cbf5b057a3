import fc from "fast-check";
import assert from "node:assert/strict";
import { protocolFlaw } from "@/runs/read_station_folder.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { runStation } from "@/station/run_station.ts";
import { council } from "./station_rooms.ts";

const run = await Array.fromAsync(runStation({ seed: 109, ruleset: "v2", council: council() }));

Deno.test("every beginning of a run keeps the order of business", () => {
  for (let n = 0; n <= run.length; n++) assert.equal(protocolFlaw(run.slice(0, n)), undefined, `${n} events`);
});

Deno.test("an event left out, doubled or exchanged with the next is found where it happened", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: run.length - 2 }), (i) => {
      // What is missing shows at the event that then stands in its place, unless that is just like it.
      assert.equal(protocolFlaw(run.toSpliced(i, 1))?.index, i);
      assert.equal(protocolFlaw(run.toSpliced(i, 0, run[i]!))?.index, i + 1);
      assert.equal(protocolFlaw(run.with(i, run[i + 1]!).with(i + 1, run[i]!))?.index, i);
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("a verdict, a seed card or the numbering of calls that does not follow is named", () => {
  const change = (kind: StationEvent["kind"], edit: (event: StationEvent) => object) => {
    const index = run.findIndex((event) => event.kind === kind);
    return protocolFlaw(run.with(index, { ...run[index], ...edit(run[index]!) } as StationEvent));
  };
  assert.match(change("gate.judged", () => ({ passed: false, support: 9 }))!.why, /another support than follows/);
  assert.match(change("run.opened", () => ({ seed: 110 }))!.why, /another card than follows/);
  assert.match(change("run.closed", () => ({ stabilized: false }))!.why, /another stabilized than follows/);
  assert.match(
    change("action.taken", () => ({ origin: { kind: "model", calls: [3] } }))!.why,
    /calls 3, where 0 would be/,
  );
  assert.equal(protocolFlaw([...run, run[1]!])?.why, "is round.opened, though the run is closed");
});
