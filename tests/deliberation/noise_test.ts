import assert from "node:assert/strict";
import { noise } from "@/deliberation/noise.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { type ChatModel, ModelError } from "@/model/chat_model.ts";
import { scripted } from "@/model/replay.ts";
import { playRun } from "@/record/collected.ts";

const condition = await loadCondition({ scenario: "HL-01" });

Deno.test("noise asks each seat once, whatever comes, and closes: no repair, no ballot", async () => {
  const chat = scripted(["no STATE line", new ModelError("truncated", "cut"), "no STATE line"]);
  const { events } = await playRun(noise([2, 0, 4], 8), condition, { chat, replicate: 3, seed: 1 });
  const told = events.map((event) => "reading" in event ? [event.kind, event.seat, event.reading.kind] : event.kind);
  assert.deepEqual(told, [
    "run.opened",
    ...[2, 0, 4].map((seat, i) => ["turn.answered", seat, i === 1 ? "missing" : "invalid"]),
    "run.closed",
  ]);
});

Deno.test("noise resumes before the first prompt that was not answered", async () => {
  const whole = await playRun(noise([0, 1], 1), condition, { chat: scripted(["a", "b"]), replicate: 0, seed: 1 });
  const resumeFrom = { events: whole.events.slice(0, 2), calls: [] };
  const again = await playRun(noise([0, 1], 1), condition, {
    chat: scripted(["b"]),
    replicate: 0,
    seed: 1,
    resumeFrom,
  });
  assert.deepEqual(again, whole);
});

Deno.test("noise names its record by condition, seat, model and level, and asks what a run's preflight asks", async () => {
  const one = noise([0], 8), all = noise([0, 1], 64);
  assert.equal(one.header(condition).name, "HL-01__T0.0__N5__rolesTrue__Chair__openai-gpt-4.1-mini__c8");
  assert.match(all.header(condition).name, /__all__openai-gpt-4\.1-mini__c64$/);
  const probes = await one.probe(condition), asked: unknown[] = [];
  const chat: ChatModel = ({ messages }) => Promise.resolve({ text: `${asked.push(messages)}` });
  await playRun(one, condition, { chat, replicate: 0, seed: 1 });
  assert.deepEqual(probes.map(({ request: { messages } }) => messages), asked);
});
