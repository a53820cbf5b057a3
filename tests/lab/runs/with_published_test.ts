import assert from "node:assert/strict";
import { withPublished } from "@/lab/runs/with_published.ts";

const committee = { scenario: "HL-01", roles: true, temperature: 0 };
const joined = (row: object, ...published: object[]) =>
  withPublished([row], published).map((one) => (one as Record<string, unknown>)["published lambda"])[0];

Deno.test("a published row stands beside the row of the same knobs, its values under other names", () => {
  const printed = { ...committee, lambda: 0.04, n: 19, source: "Table S8" };
  assert.deepEqual(withPublished([{ ...committee, lambda: 0.05 }], [printed]), [{
    ...{ ...committee, lambda: 0.05 },
    ...{ "published lambda": 0.04, "published n": 19, "published source": "Table S8" },
  }]);
});

Deno.test("a row for which nothing is published keeps its place, and its published values are undefined", () => {
  const rows = withPublished([{ ...committee, roles: false }, committee], [{ ...committee, lambda: 0.04 }]);
  assert.deepEqual(rows.map((row) => row["published lambda"]), [undefined, 0.04]);
  assert.ok("published lambda" in rows[0]!);
});

Deno.test("only knobs that both rows have are compared", () => {
  assert.equal(joined({ ...committee, lineup: "mixed", model: "x" }, { scenario: "HL-01", window: 15, lambda: 1 }), 1);
  assert.equal(
    joined({ ...committee, lineup: "mixed" }, { scenario: "HL-01", lineup: "uniform", lambda: 1 }),
    undefined,
  );
  assert.equal(joined({ ...committee, temperature: 0.7 }, { ...committee, lambda: 1 }), undefined);
});

for (
  const [knob, value] of [["ablate", "Chair"], ["variant", "formal"], ["seats", "Chair+Welfare"], ["normaliser", true]]
) {
  Deno.test(`a row without ${knob} and one with it are not the same condition`, () => {
    assert.equal(joined({ ...committee, [knob as string]: value }, { ...committee, lambda: 1 }), undefined);
    assert.equal(joined(committee, { ...committee, [knob as string]: value, lambda: 1 }), undefined);
    assert.equal(
      joined({ ...committee, [knob as string]: value }, { ...committee, [knob as string]: value, lambda: 1 }),
      1,
    );
  });
}

Deno.test("none and canonical are how tables write that there is nothing of the kind", () => {
  assert.equal(joined(committee, { ...committee, ablate: "none", variant: "canonical", lambda: 1 }), 1);
});

Deno.test("of several published rows that fit, the first is taken", () => {
  assert.equal(joined(committee, { ...committee, lambda: 1 }, { scenario: "HL-01", lambda: 2 }), 1);
});
