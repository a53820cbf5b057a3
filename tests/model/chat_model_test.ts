import assert from "node:assert/strict";
import { deliberate } from "@/deliberation/mod.ts";
import { surrogate } from "@/model/mod.ts";
import { collectRuns, loadCondition, loadSurrogateParameters, perturb, surrogateCouncil } from "@/lab/runs/mod.ts";

const condition = await loadCondition({ scenario: "IM-01", rounds: 2 });
const council = await surrogateCouncil();
const chat = surrogate(await loadSurrogateParameters());

Deno.test("council takes a council or a model, and chat, its name before 0.3, gives the same events", async () => {
  const of = (who: Parameters<typeof deliberate>[1]) => Array.fromAsync(deliberate(condition, who));
  const [one, ...others] = await Promise.all([
    of({ council, replicate: 0, seed: 4 }),
    of({ council: chat, replicate: 0, seed: 4 }),
    of({ chat, replicate: 0, seed: 4 }),
  ]);
  assert.equal(one!.at(-1)!.kind, "run.closed");
  for (const other of others) assert.deepEqual(other, one);
});

Deno.test("who fills no seat is told what to give: deliberate(), collectRuns(), perturb()", async () => {
  const nobody = { replicates: 1, seed: 1 } as unknown as Parameters<typeof collectRuns>[1];
  const missing = { name: "TypeError", message: /^council is missing: give surrogateCouncil\(\)/ };
  await assert.rejects(collectRuns(condition, nobody), missing);
  const { runs: [run] } = await collectRuns(condition, { council, replicates: 1, seed: 1 });
  const one = { replicate: 0, seed: 1 } as unknown as Parameters<typeof deliberate>[1];
  await assert.rejects(deliberate(condition, one).next(), missing);
  const turn = { round: 1, seat: 0, change: { seed: 2 } } as unknown as Parameters<typeof perturb>[2];
  await assert.rejects(perturb(condition, run!.events, turn), missing);
});
