import assert from "node:assert/strict";
import { permitMs, sharedPace } from "@/lab/sweep/shared_pace.ts";

Deno.test("permitMs() stays one in a hundred below the limit that binds", () => {
  assert.equal(permitMs({ tries: 50, tokens: 0 }, { requestsPerMinute: 3000 }), 1010);
  assert.equal(permitMs({ tries: 1, tokens: 600 }, { requestsPerMinute: 6000, tokensPerMinute: 6000 }), 6060);
  assert.equal(permitMs({ tries: 1, tokens: 600 }, {}), 0);
});

/** A store that gives permits at once and notes for how long each batch keeps the provider. */
function store(wait = 0) {
  const taken: number[] = [];
  const query = (_text: string, values?: readonly unknown[]) => {
    taken.push(values![1] as number);
    return Promise.resolve([{ wait }] as never[]);
  };
  return { taken, query };
}

const request = {
  model: "m",
  messages: [{ role: "user" as const, content: "abcd" }],
  temperature: 0,
  seed: 1,
  maxTokens: 9,
};

Deno.test("what a reply took less than was estimated shortens the next permit, and more lengthens it", async () => {
  const { taken, query } = store();
  // 10 tokens are estimated: 4 bytes are one, and the reply may have 9. At 606 000 a minute, each keeps it for 0.1 ms.
  const pace = sharedPace("p", { tokensPerMinute: 606_000 }, { query });
  (await pace(request)).correct({ promptTokens: 1, completionTokens: 2 });
  (await pace(request)).correct({ promptTokens: 10, completionTokens: 20 });
  await pace(request);
  assert.deepEqual(taken.map((ms) => Math.round(10 * ms)), [10, 3, 30]);
});

Deno.test("tries of one worker that wait together share one question to the store", async () => {
  const { taken, query } = store();
  const pace = sharedPace("p", { requestsPerMinute: 606_000 }, { query });
  await Promise.all([1, 2, 3, 4, 5].map(() => pace(request)));
  assert.deepEqual(taken.map((ms) => Math.round(10 * ms)), [1, 1, 1, 2]);
});

Deno.test("a permit whose time is long over is no leave to send: a process that was held up asks again", async () => {
  const permitted = async (wait: number) => {
    const pace = sharedPace("p", { requestsPerMinute: 606_000 }, store(wait));
    return (await pace(request)).isStale();
  };
  assert.deepEqual([await permitted(0), await permitted(-1000)], [false, true]);
});
