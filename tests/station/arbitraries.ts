import fc from "fast-check";
import { ACTIONS, COUNCIL } from "@/schema/station_ids.ts";
import { PLAN, say } from "./fixtures.ts";

/** Random replies of a council. */

/** Any text at all, control characters and halves of characters too. (fast-check's own `binary` takes a second to make.) */
export const anyText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(fc.nat(0x7f), fc.nat(0xffff)).map((code) => String.fromCharCode(code)),
  maxLength: 200,
});

const anyPlan: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(PLAN) },
  fc.record({
    seats: fc.record({ outer_ring: fc.nat(60), crew: fc.nat(60), sponsor_deck: fc.nat(40), medical: fc.nat(30) }),
    power: fc.record({
      life_support: fc.nat(60),
      docking: fc.nat(40),
      outer_ring: fc.nat(40),
      sponsor_deck: fc.nat(20),
      comms: fc.nat(20),
    }),
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

const target = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("P1", "P2", "P3", "P4", ...COUNCIL) },
  fc.constantFrom("R0", "R1", "R2", "P99", "__proto__", "constructor", "P1\n\nOPEN PROPOSALS"),
);

/** Replies of the right shape for their action, most of them aimed at something that may be there. */
export const validReply: fc.Arbitrary<string> = fc.record({
  action: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...ACTIONS) },
    fc.constantFrom("propose", "endorse", "endorse", "vote", "oppose"),
  ),
  target,
  support: fc.boolean(),
  proposal: anyPlan,
  statement: fc.string({ maxLength: 40 }),
}).map(({ action, target, support, proposal, statement }) => {
  const aimed = ["endorse", "oppose", "vote", "form_coalition", "bribe", "fork_proposal"].includes(action);
  const files = action === "propose" || action === "fork_proposal";
  return say(action, {
    ...(aimed && { target }),
    ...(action === "vote" && { support }),
    ...(files && { proposal: proposal ?? 0 }),
    statement,
  });
});

/** Anything a model might say. */
export const anyReply: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: validReply },
  anyText,
  fc.json({ maxDepth: 2 }),
  validReply.map((text) => `Well:\n\`\`\`json\n${text}\n\`\`\``),
  validReply.chain((text) => fc.nat(text.length).map((cut) => text.slice(0, cut))),
  fc.tuple(validReply, validReply).map(([one, other]) => one + other),
);
