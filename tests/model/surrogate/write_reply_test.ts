import fc from "fast-check";
import assert from "node:assert/strict";
import { hundredths } from "../../deliberation/arbitraries.ts";
import { createRng } from "@/core/rng.ts";
import { parseStateLine } from "@/deliberation/parse_state_line.ts";
import { readOwnReply, windowReader } from "@/model/surrogate/read_prompt.ts";
import { stanceQuarters, topOption } from "@/model/surrogate/respond.ts";
import { spoil, stateLine, writeReply } from "@/model/surrogate/write_reply.ts";
import { loadScenario } from "@/runs/scenarios.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";

/** A seat that always names its option. */
const decided = { base: new Float64Array(3), gain: 1, openness: 1, noise: 0, opensUndecided: false, undecidedLead: 0 };
const quartersOf = (shares: readonly number[]) => stanceQuarters(decided, shares, { first: false });

const OPTIONS = ["Single-payer", "Public option", "Regulated multi-payer"];
const anyRole = fc.constantFrom<Role | undefined>(undefined, ...ROLES);
/** A user message whose window holds one argument. */
const heardAs = (argument: string) => ({
  role: "user" as const,
  content: `SCENARIO\n\nTRANSCRIPT (latest)\n[Chair, round 1] ${argument}\n\nCOMMITTEE STATE (last)\n`,
});

const readWindow = windowReader();

Deno.test("writeReply() words a stance that readWindow() reads back: option, strength and synthesis", () => {
  fc.assert(
    fc.property(hundredths(3), anyRole, fc.nat(100), (shares, role, wording) => {
      const reply = writeReply({
        ...{ role, options: OPTIONS, hundredths: shares, own: undefined, wording },
        quarters: quartersOf(shares),
      });
      const [argument, line, ...more] = reply.split("\n");
      assert.deepEqual(more, []);
      assert.deepEqual(readWindow(heardAs(argument!)), [
        { option: topOption(shares), quarters: quartersOf(shares), synthesis: role === "Chair" },
      ]);
      const state = parseStateLine(line!, 3);
      assert.ok(state.ok);
      assert.deepEqual(state.value.preferences, shares.map((h) => h / 100));
      assert.equal(state.value.confidence, Math.max(...shares));
      assert.ok(!("writtenSum" in state.value));
    }),
    { numRuns: 500, seed: 1 },
  );
});

Deno.test("writeReply() uses the four strengths' words", () => {
  const opening = (shares: number[]) =>
    writeReply({
      ...{ role: "Rights", options: OPTIONS, hundredths: shares, own: undefined, wording: 0 },
      quarters: quartersOf(shares),
    }).split(".")[0];
  assert.equal(opening([34, 33, 33]), "I lean towards option A (Single-payer)");
  assert.equal(opening([20, 60, 20]), "I favour option B (Public option)");
  assert.equal(opening([10, 15, 75]), "I strongly favour option C (Regulated multi-payer)");
  assert.equal(opening([100, 0, 0]), "I insist on option A (Single-payer)");
});

Deno.test("writeReply() without a stance names no option, and nobody hears one", () => {
  const reply = writeReply({
    ...{ role: "Chair", options: OPTIONS, hundredths: [33, 33, 34], quarters: 0, own: undefined, wording: 0 },
  });
  assert.match(reply, /^Synthesis: I name no option yet\. .*\nSTATE: pref=\[0\.33,0\.33,0\.34\]; /);
  assert.deepEqual(readWindow(heardAs(reply.split("\n")[0]!)), []);
});

Deno.test("writeReply() says how it has moved", () => {
  const moved = (own: number[] | undefined) =>
    writeReply({ role: undefined, options: OPTIONS, hundredths: [60, 30, 10], quarters: 2, own, wording: 0 });
  assert.match(moved(undefined), /That is where I start from\.\n/);
  assert.match(moved([0.5, 0.3, 0.2]), /strengthens this view\.\n/);
  assert.match(moved([0.7, 0.2, 0.1]), /makes me less sure of it\.\n/);
  assert.match(moved([0.6, 0.2, 0.2]), /leaves my position as it was\.\n/);
  assert.match(moved([0.3, 0.6, 0.1]), /brought me over from option B\.\n/);
});

Deno.test("S2.2: no argument exceeds 110 words, whatever the role, wording and packet", async () => {
  for (const scenario of ["HL-01", "IM-01", "CL-04"]) {
    const options = (await loadScenario(scenario)).options.map(({ label }) => label);
    for (const role of [undefined, ...ROLES]) {
      for (let wording = 0; wording < 3; wording++) {
        for (
          const own of [
            undefined,
            options.map((_, k) => (k === 1 ? 1 : 0)),
            options.map(() => 1 / options.length),
          ]
        ) {
          const shares = options.map((_, k) => (k === 0 ? 100 : 0));
          const argument = writeReply({ role, options, hundredths: shares, quarters: 2, own, wording }).split("\n")[0]!;
          assert.ok(argument.split(/\s+/).length <= 110, argument);
        }
      }
    }
  }
});

Deno.test("the three wordings of a role differ, and no two roles share one", () => {
  const replies = [undefined, ...ROLES].flatMap((role) =>
    [0, 1, 2].map((wording) => {
      const reply = writeReply({
        role,
        options: OPTIONS,
        hundredths: [60, 30, 10],
        quarters: 2,
        own: undefined,
        wording,
      });
      return reply.replace("Synthesis: ", "").split("\nSTATE")[0];
    })
  );
  assert.equal(new Set(replies).size, 18);
});

Deno.test("stateLine() is the protocol's, with the role's tags", () => {
  assert.equal(
    stateLine([7, 0, 93], undefined),
    'STATE: pref=[0.07,0.00,0.93]; conf=93; tags=["evidence","feasibility"]',
  );
  const tags = [undefined, ...ROLES].map((role) => /tags=(.*)$/.exec(stateLine([50, 50], role))![1]);
  assert.equal(new Set(tags).size, 6);
});

Deno.test("spoil() makes a reply unreadable in several ways, each of which keeps its numbers", () => {
  const codes = new Set<string>();
  fc.assert(
    fc.property(hundredths(3), anyRole, fc.integer(), (shares, role, seed) => {
      const reply = writeReply({ role, options: OPTIONS, hundredths: shares, quarters: 1, own: undefined, wording: 1 });
      const spoilt = spoil(reply, shares, createRng(seed));
      const result = parseStateLine(spoilt, 3);
      assert.ok(!result.ok, spoilt);
      codes.add(result.issue.code);
      const kept = readOwnReply({ role: "assistant", content: spoilt }, 3)!;
      assert.deepEqual(kept.map((p) => Math.round(100 * p)), shares);
    }),
    { numRuns: 300, seed: 1 },
  );
  assert.deepEqual([...codes].toSorted(), ["ambiguous", "malformed", "missing", "tag_count"]);
});
