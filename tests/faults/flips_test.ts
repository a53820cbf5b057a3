import { assertMet } from "./assert_met.ts";
import { studyLedgerFlips, studyStationFlips } from "./flips.ts";

/** Short form of `deno task dev soak flips`. */

Deno.test("fault 27: no changed bit or line of a ledger is read as something else, and the other runs stay", async () => {
  await assertMet(studyLedgerFlips({ flips: 100, seed: 4 }));
});

Deno.test("fault 27: no changed bit or line of a station run is read as something else", async () => {
  await assertMet(studyStationFlips({ flips: 40, seed: 4 }));
});
