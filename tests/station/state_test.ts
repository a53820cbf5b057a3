import assert from "node:assert/strict";
import { pressure } from "@/station/state.ts";
import { near, rumor, station } from "./fixtures.ts";

Deno.test("pressure adds up heats, loads and offers, and takes the mean of the panics", () => {
  const faction = { sentiment: 0, trust: 0 };
  const sums = pressure(station({
    rumors: [rumor("R1", 0.5), rumor("R2", 0.25)],
    scandals: [{ id: "S1", load: 1, text: "" }, { id: "S2", load: 0.5, text: "" }],
    offers: [{ id: "M1", pressure: 0.25, text: "" }],
    factions: { outer: { ...faction, panic: 0.5 }, sponsor: { ...faction, panic: 0.25 } },
  }));
  assert.deepEqual(sums, { heat: 0.75, scandalLoad: 1.5, offers: 0.25, panic: 0.375, turbulence: 2.875 });
  near(pressure(station()).turbulence, 0.3);
});
