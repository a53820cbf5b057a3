import assert from "node:assert/strict";
import { FAILURE_SOURCES, failureSources } from "@/paper/accounting.ts";
import { loadFailureSources } from "@/paper/published_deliberation.ts";
import { FAILURE_CODES } from "@/schema/model_call.ts";

Deno.test("the sources are those of Table S3, in its order and words", async () => {
  assert.deepEqual((await loadFailureSources()).map(({ failure_source }) => failure_source), [...FAILURE_SOURCES]);
});

Deno.test("failureSources() adds up the causes of all conditions under the source of each", () => {
  const counts = failureSources([
    { causes: { "unreadable_state:missing": 2, "no_reply:timeout": 1 } },
    { causes: { "unreadable_state:missing": 1, unfinished: 3, not_started: 4 } },
  ]);
  assert.deepEqual(counts.map(({ runs }) => runs), [1, 3, 7]);
  assert.deepEqual(counts[1]!.causes, { "unreadable_state:missing": 3 });
  assert.deepEqual(counts[2]!.causes, { unfinished: 3, not_started: 4 });
});

Deno.test("every failure code of a call is the provider's; what is of no source is kept apart, not dropped", () => {
  const causes = Object.fromEntries(FAILURE_CODES.map((code) => [`no_reply:${code}`, 1]));
  const counts = failureSources([{ causes: { ...causes, unknown: 5 } }]);
  assert.deepEqual(counts.map(({ source, runs }) => [source, runs]), [
    [FAILURE_SOURCES[0], FAILURE_CODES.length],
    [FAILURE_SOURCES[1], 0],
    [FAILURE_SOURCES[2], 0],
    ["Other", 5],
  ]);
  assert.equal(failureSources([]).length, 3);
});
