import assert from "node:assert/strict";
import { untilBy } from "@/lab/tools/run_flags.ts";

Deno.test("untilBy() makes a stopping design of the flags, and none without --until", () => {
  assert.equal(untilBy({}), undefined);
  assert.deepEqual(untilBy({ until: 4 }), { looks: 4 });
  assert.deepEqual(untilBy({ until: 2, against: "walk" }), { looks: 2, against: "walk" });
  assert.throws(() => untilBy({ against: "walk" }), { exitCode: 2, message: /--against belongs to --until: add it/ });
});
