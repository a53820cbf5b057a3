import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { type Claim, type Criterion, evaluateClaims } from "@/lab/paper/claims.ts";

const valuesWith = (n: number) => ({
  ...{ n, all: ["x", "y", "z"], none: [], name: "x", half: n / 2 },
  rows: [{ id: "p", size: 1 }, { id: "q", size: n }],
  first: { id: "p", size: 1 },
});
const CHECKED = {
  ...{ id: "a", section: "1", claim: "c", criterion: "k", quantities: { n: "select 3" }, needs: ["t.csv"] },
  ...{ supported: { n: { above: 0 } }, evidence: "{n} found.", values: valuesWith(3) },
};
const facts = [{ id: "stated", value: 2, low: undefined, high: 7, unit: "runs", statement: "s", source: "1" }];
const judge = (claim: Partial<Claim>, n = 3, criteria?: Record<string, Criterion>) =>
  evaluateClaims([{ ...CHECKED, values: valuesWith(n), ...claim }], { facts, criteria })[0]!;

Deno.test("a claim keeps what it says and gains verdict and evidence; without quantities it has none", () => {
  const unchecked = { id: "c", section: "1", claim: "claim c", missing: "traces" };
  assert.deepEqual(evaluateClaims([CHECKED, unchecked], { facts }), [
    {
      ...{ id: "a", section: "1", claim: "c", criterion: "k", needs: ["t.csv"] },
      ...{ verdict: "supported", evidence: "3 found." },
    },
    { ...unchecked, verdict: "not-checkable" },
  ]);
});

for (
  const [rules, n, verdict] of [
    [{ supported: { n: { above: 2 } } }, 3, "supported"],
    [{ supported: { n: { above: 3 } } }, 3, "contradicted"],
    [{ supported: { n: { atLeast: 3, atMost: 3, is: 3 } } }, 3, "supported"],
    [{ supported: { n: { above: 3 } }, contradicted: { n: { below: 3 } } }, 3, "not-checkable"],
    [{ supported: { n: { above: 3 } }, contradicted: { n: { below: 3 } } }, 2, "contradicted"],
    [{ supported: { n: { above: 3 } }, contradicted: "never" }, 2, "not-checkable"],
    [{ supported: undefined, contradicted: { n: { below: 3 } } }, 4, "not-checkable"],
    [{ supported: { all: { is: "n" } } }, 3, "supported"],
    [{ supported: { n: { above: "half" }, none: { is: 0 } } }, 3, "supported"],
    [{ supported: { n: { above: "stated", below: "stated.high" } } }, 3, "supported"],
    [{ supported: [{ n: { is: 1 } }, { n: { is: 3 } }] }, 3, "supported"],
  ] as const
) {
  Deno.test(`${JSON.stringify(rules)} of ${n}: ${verdict}`, () => {
    assert.equal(judge(rules as Partial<Claim>, n).verdict, verdict);
  });
}

Deno.test("a reader's own bound takes the place of ours for that quantity alone, and stands with the criterion", () => {
  const rules = { supported: { n: { above: 3 }, all: { is: 3 } } };
  const own = { a: { supported: { n: { above: 2 } } } };
  assert.equal(judge(rules, 3).verdict, "contradicted");
  const found = judge(rules, 3, own);
  assert.equal(found.verdict, "supported");
  assert.equal(found.criterion, "k (yours: supported: n: above: 2)");
  assert.equal(judge({ supported: { n: { above: 3 }, all: { is: 4 } } }, 3, own).verdict, "contradicted");
});

Deno.test("a sentence writes numbers, lists and counts, and leaves out what is empty", () => {
  const evidence =
    "{n:.2} and {n:slope}, {all:of n}, {all}, {all:count}, {none}[, not {none}][, but {name}], {stated}.";
  assert.equal(judge({ evidence }).evidence, "3.00 and 3.0000, 3 of 3, x, y and z, 3, none, but x, 2.");
  assert.equal(
    judge({ evidence: "{n:signed}, {half:p}, {half:share}, {n:rumours}" }, 0.5).evidence,
    "+0.5000, p = .250, 25 %, 0.5 rumours",
  );
});

Deno.test("a sentence names a part of a row, of every row of a list, and what these come to", () => {
  const evidence =
    "{first.id} has {first.size:.1}; {rows.id}: {rows.size}, {rows.size.sum:.1} with {rows.size.max:.1}.";
  assert.equal(judge({ evidence }, 4).evidence, "p has 1.0; p and q: 1 and 4, 5.0 with 4.0.");
  assert.equal(judge({ evidence: "{n}.", supported: { "rows.size.mean": { is: 2.5 } } }, 4).verdict, "supported");
});

Deno.test("a claim says how its sentence writes each row of a list; the count of the list stays a count", () => {
  const claim = { evidence: "{rows:count}: {rows}[, not {none}].", items: { rows: "{id} ({size:.1})", none: "{id}" } };
  assert.equal(judge(claim, 2).evidence, "2: p (1.0) and q (2.0).");
});

Deno.test("an unknown quantity, value, format or claim is named with the nearest", () => {
  for (
    const [claim, offer] of [
      [{ evidence: "{toString}" }, /unknown quantity "toString"/],
      [{ supported: { hlaf: { above: 1 } } }, /unknown quantity "hlaf": did you mean half/],
      [{ evidence: "{nmae}" }, /unknown quantity "nmae": did you mean none, name/],
      [{ evidence: "{first.siez}" }, /unknown quantity "siez": did you mean size/],
      [{ evidence: "{n:shar}" }, /unknown format "shar": did you mean share/],
    ] as const
  ) {
    assert.throws(
      () => judge(claim as Partial<Claim>),
      (error) => error instanceof UserError && offer.test(error.message),
    );
  }
  assert.throws(() => judge({}, 1, { b: {} }), /unknown claim "b": did you mean a/);
});
