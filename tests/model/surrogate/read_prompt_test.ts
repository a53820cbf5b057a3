import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { createPrompter } from "@/deliberation/prompt.ts";
import { type DeliberationState, initialState } from "@/deliberation/state.ts";
import {
  packetPart,
  readOwnLabel,
  readOwnReply,
  readOwnRow,
  readQuestion,
  readSelf,
  windowReader,
} from "@/model/surrogate/read_prompt.ts";
import type { Condition } from "@/schema/condition.ts";
import type { ChatMessage } from "@/schema/model_call.ts";
import { ROLES } from "@/schema/scenario.ts";
import { condition } from "../../deliberation/committee.ts";

const committee = await condition();

/** The messages of a seat's next turn. */
function messages(of: Condition, seat = 0, state: Partial<DeliberationState> = {}): [ChatMessage, ChatMessage] {
  const step = { kind: "turn", round: 1, seat, again: false } as const;
  return createPrompter(of)({ ...initialState(of), ...state }, step) as [ChatMessage, ChatMessage];
}

/** The user message after these arguments. */
function saying(...texts: string[]): ChatMessage {
  const state = { preferences: [1, 0, 0], confidence: 1, tags: ["a", "b"] };
  const turns = texts.map((argument, seat) => ({ round: 1, seat, argument, state, repaired: false }));
  return messages(committee, 0, { turns })[1];
}
const user = (content: string): ChatMessage => ({ role: "user", content });
const system = (content: string): ChatMessage => ({ role: "system", content });

const readWindow = windowReader();

Deno.test("readSelf() reads label and mandate from the pack's system prompts", async () => {
  const seven = await condition({ agents: 7 });
  const labels = [...ROLES, "Welfare-2", "Rights-2"];
  const roles = [...ROLES, "Welfare", "Rights"];
  labels.forEach((label, seat) => {
    assert.deepEqual(readSelf(messages(seven, seat)[0].content), { label, role: roles[seat] });
  });
});

Deno.test("readSelf() reads an ablated mandate and one never given as none", async () => {
  for (const ablate of ROLES) {
    const ablated = await condition({ ablate });
    ROLES.forEach((label, seat) => {
      const role = label === ablate ? undefined : label;
      assert.deepEqual(readSelf(messages(ablated, seat)[0].content), { label, role });
    });
  }
  const off = await condition({ roles: false });
  assert.deepEqual(readSelf(messages(off, 2)[0].content), { label: "Agent 3", role: undefined });
  const member = system("You sit on a committee.\n\nMEMBER: Chair\nKeep to the point.");
  assert.deepEqual(readSelf(member.content), { label: "Chair", role: undefined });
});

Deno.test("an agent whose heading went with its mandate is known by the row named as its own", async () => {
  const seven = await condition({ agents: 7, ablate: "Welfare", ablation: "block" });
  for (const [seat, { label, role }] of seven.seats.entries()) {
    const [own, user] = messages(seven, seat);
    assert.deepEqual(readSelf(own.content), role === "Welfare" ? undefined : { label, role });
    if (role === "Welfare") assert.equal(readOwnLabel(user), label);
  }
});

Deno.test("readQuestion() reads scenario and option labels, for three options and for five", async () => {
  for (const scenario of ["HL-01", "CL-04"]) {
    const of = await condition({ scenario });
    const packet = packetPart(messages(of)[1]);
    assert.ok(packet.startsWith(`SCENARIO ${scenario}: `) && packet.endsWith("?"));
    assert.deepEqual(readQuestion(packet), { scenario, options: of.packet.options.map(({ label }) => label) });
  }
});

Deno.test("readWindow() reads all four strengths, the option and the synthesis, in order", () => {
  const window = readWindow(saying(
    "I lean towards option A (Humanitarian). Costs decide.",
    "I favour option B.",
    "Synthesis: I strongly favour option C (Deterrence+verification). I favour option A too.",
    "All told, and after much thought, I insist on option B.",
  ));
  assert.deepEqual(window, [
    { option: 0, quarters: 1, synthesis: false },
    { option: 1, quarters: 2, synthesis: false },
    { option: 2, quarters: 3, synthesis: true },
    { option: 1, quarters: 4, synthesis: false },
  ]);
});

Deno.test("readWindow() does not hear what names no option its way, nor anything outside the window", () => {
  const silent = [
    "",
    "Option A.",
    "I prefer option A.",
    "I favour option Z.",
    "I favour options A and B.",
    "We favour option A.",
    "Synthesis: I name no option yet. The discussion has brought me over from option B.",
  ];
  assert.deepEqual(readWindow(saying(...silent.slice(0, 5))), []);
  assert.deepEqual(readWindow(saying(silent[6]!)), []);
  assert.deepEqual(readWindow(saying(silent[5]!, "I favour option C.")), [{
    option: 2,
    quarters: 2,
    synthesis: false,
  }]);
  assert.deepEqual(readWindow(saying()), []);
  const packet = { ...committee.packet, background: "[Chair, round 1] I insist on option A." };
  assert.deepEqual(readWindow(messages({ ...committee, packet })[1]), []);
});

Deno.test("readOwnRow() reads the agent's own row of the table, and none before its first turn", () => {
  const row = (preferences: number[]) => ({ preferences, confidence: 1, tags: ["a", "b"] });
  const table = [row([0.1, 0.2, 0.7]), row([0.34 / 0.99, 0.33 / 0.99, 0.32 / 0.99]), undefined, undefined, undefined];
  const [, message] = messages(committee, 0, { table });
  assert.deepEqual(readOwnRow(message, "Chair", 3), [0.1, 0.2, 0.7]);
  assert.deepEqual(readOwnRow(message, "Welfare", 3), [0.3434, 0.3333, 0.3232]);
  assert.equal(readOwnRow(message, "Rights", 3), undefined);
});

Deno.test("readOwnReply() finds the preferences that a spoilt reply still holds", () => {
  const of = (text: string) => readOwnReply({ role: "assistant", content: text }, 3);
  assert.deepEqual(of("I lean 3 ways.\nSTATE: pref=[0.20,0.30,0.50]; confidence=50"), [0.2, 0.3, 0.5]);
  assert.deepEqual(of("My preferences are 0.20,0.30,0.50."), [0.2, 0.3, 0.5]);
  assert.deepEqual(of("STATE: pref=[20%, 30%, 50%]; conf=50"), [0.2, 0.3, 0.5]);
  for (const text of ["", "0.2,0.3,0.5", "My preferences are 0.2 and 0.8.", "My preferences are 0, 0, 0."]) {
    assert.equal(of(text), undefined, text);
  }
});

Deno.test("a prompt of another layout is a mistake that its author can mend", () => {
  const [, turn] = messages(committee);
  const broken: readonly [() => unknown, RegExp][] = [
    [() => readOwnLabel(turn), /no ROLE: or MEMBER: line, and no line "Your row: NAME"/],
    [() => packetPart(user("SCENARIO HL-01: x")), /no TRANSCRIPT section/],
    [() => packetPart(undefined), /no TRANSCRIPT section/],
    [() => readQuestion("Scenario HL-01"), /does not begin with SCENARIO and an id/],
    [() => readQuestion("SCENARIO HL-01: Care\n\nOPTIONS\nA. One: text"), /fewer than two options/],
    [() => readOwnRow(turn, "Treasurer", 3), /no row for Treasurer/],
    [() => readOwnRow(user(turn.content.replace("| Chair | none yet", "| Chair | 0.5, 0.5")), "Chair", 3), /3 numbers/],
    [() => readOwnRow(user(turn.content.replace("| Chair | none yet", "| Chair | x, y, z")), "Chair", 3), /3 numbers/],
  ];
  for (const [read, message] of broken) {
    assert.throws(read, (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, message);
      assert.match(error.message, /cannot read this prompt.*standard\.json.*or use a live council/);
      return true;
    });
  }
});
