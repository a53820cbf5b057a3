import assert from "node:assert/strict";
import { disposition as dispositionOf, modelLeaning } from "@/model/surrogate/disposition.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";
import { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { parameters } from "./parameters.ts";

const { mechanism, models: { reference, centredOver } } = parameters;
/** By position, in the wording that the parameters belong to. */
const disposition = (
  of: SurrogateParameters,
  scenario: string,
  optionCount: number,
  role: Role | undefined,
  model: string,
) => dispositionOf(of, { scenario, optionCount, role, model });
const near = (actual: ArrayLike<number>, expected: readonly number[]) => {
  assert.equal(actual.length, expected.length);
  Array.from(actual).forEach((value, k) =>
    assert.ok(Math.abs(value - expected[k]!) < 1e-12, `${actual} is not ${expected}`)
  );
};

Deno.test("the tests' parameters are of the schema", () => {
  assert.deepEqual(SurrogateParameters.parse(parameters), parameters);
});

Deno.test("without a mandate an agent has the scenario's prior and is moved fully", () => {
  const { base, gain } = disposition(parameters, "HL-01", 3, undefined, reference);
  near(base, [1, 0.9, 0]);
  near([gain], [3 * 0.8]);
});

Deno.test("the Chair has no preference of its own, whatever its model", () => {
  for (const model of [reference, ...centredOver, "other/model"]) {
    const { base, gain } = disposition(parameters, "HL-01", 3, "Chair", model);
    near(base, [0, 0, 0]);
    near([gain], [0.6 * 3 * 0.8]);
  }
});

Deno.test("the other mandates pull towards their options, and prior and transcript count less", () => {
  // Anchor times role spread on the favoured options, plus 0.75 of the prior (1, 0.9, 0).
  const expected = {
    Rights: [0.4 * 1.9 + 0.75, 0.675, 0],
    Equity: [0.9 * 1.9 + 0.75, 0.675, 0],
    Welfare: [0.75, 1.2 * 1.9 + 0.675, 0],
    Security: [0.75, 0.3 * 2.5 * 1.9 + 0.675, 0.7 * 2.5 * 1.9],
  };
  for (const role of ["Rights", "Equity", "Welfare", "Security"] as const) {
    const { base, gain } = disposition(parameters, "HL-01", 3, role, reference);
    near(base, expected[role]);
    near([gain], [0.75 * 3 * 0.8]);
  }
});

Deno.test("a model's leaning adds to the prior of those who have one", () => {
  const model = "x-ai/grok-3-mini";
  const leaning = modelLeaning(parameters, "HL-01", model, 3);
  near(disposition(parameters, "HL-01", 3, undefined, model).base, [1, 0.9, 0].map((prior, k) => prior + leaning[k]!));
  near(
    disposition(parameters, "HL-01", 3, "Rights", model).base,
    [0.4 * 1.9 + 0.75 * (1 + leaning[0]!), 0.75 * (0.9 + leaning[1]!), 0.75 * leaning[2]!],
  );
});

Deno.test("model leanings: none for the reference, sums of zero over the centred, none alike", () => {
  for (const [scenario, optionCount] of [["HL-01", 3], ["IM-01", 3], ["CL-04", 5]] as const) {
    near(modelLeaning(parameters, scenario, reference, optionCount), Array(optionCount).fill(0));
    const leanings = centredOver.map((model) => modelLeaning(parameters, scenario, model, optionCount));
    near(
      leanings[0]!.map((_, k) => leanings.reduce((sum, leaning) => sum + leaning[k]!, 0)),
      Array(optionCount).fill(0),
    );
    assert.equal(new Set(leanings.map(String)).size, centredOver.length);
    assert.ok(leanings.flat().every((logit) => logit !== 0));
  }
});

Deno.test("model leanings depend on seed, scenario and model alone, and scale with the spread", () => {
  const leaning = (changed: Partial<SurrogateParameters>, scenario = "HL-01", model = "some/model") =>
    modelLeaning({ ...parameters, ...changed }, scenario, model, 3);
  const base = leaning({});
  assert.deepEqual(leaning({ anchors: { ...parameters.anchors, Rights: 9 } }), base);
  near(leaning({ mechanism: { ...mechanism, modelSpread: 1.2 } }), base.map((logit) => 2 * logit));
  near(leaning({ mechanism: { ...mechanism, modelSpread: 0 } }), [0, 0, 0]);
  const others = [
    leaning({}, "IM-01"),
    leaning({}, "HL-01", "another/model"),
    leaning({ models: { ...parameters.models, seed: 2 } }),
  ];
  assert.equal(new Set([base, ...others].map(String)).size, 4);
});

Deno.test("leanings are spread like normal draws of the stated width", () => {
  const draws = Array.from({ length: 400 }, (_, i) => modelLeaning(parameters, "HL-01", `model/${i}`, 5)).flat();
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const sd = Math.sqrt(draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length);
  // Standard errors at n = 2000: 0.6/√n for the mean, 0.6/√(2n) for the deviation; four of each.
  assert.ok(Math.abs(mean) < 4 * 0.6 / Math.sqrt(2000));
  assert.ok(Math.abs(sd - 0.6) < 4 * 0.6 / Math.sqrt(4000));
});

Deno.test("a scenario without parameters gets none invented: no prior, and each mandate favours one option", () => {
  near(disposition(parameters, "SP-01", 4, undefined, reference).base, [0, 0, 0, 0]);
  near([disposition(parameters, "SP-01", 4, undefined, reference).gain], [3]);
  const favoured = { Rights: 0, Equity: 0, Welfare: 1, Security: 2 };
  for (const role of ["Rights", "Equity", "Welfare", "Security"] as const) {
    const expected = [0, 0, 0, 0].map((_, k) => (k === favoured[role] ? parameters.anchors[role] : 0));
    near(disposition(parameters, "SP-01", 4, role, reference).base, expected);
  }
  near(disposition(parameters, "SP-01", 2, "Security", reference).base, [2.5, 0]);
});

Deno.test("a packet with another number of options than its parameters is refused", () => {
  for (const role of [undefined, ...ROLES.slice(1)]) {
    assert.throws(() => disposition(parameters, "HL-01", 4, role, reference), {
      name: "RangeError",
      message: "surrogate parameters of HL-01 are for 3 options, the packet has 4",
    });
  }
});

/** HL-01 with one model's character and the hash of its own wording. */
const characterful: SurrogateParameters = {
  ...parameters,
  scenarios: {
    ...parameters.scenarios,
    "HL-01": {
      ...parameters.scenarios["HL-01"]!,
      wording: "canonical",
      characters: { "x-ai/grok-3": { responsiveness: 2, noise: 3 } },
    },
  },
};

Deno.test("a character takes prior and leaning away, and scales gain and noise, in its scenario alone", () => {
  const model = "x-ai/grok-3";
  for (const role of [undefined, ...ROLES]) {
    const plain = disposition(parameters, "HL-01", 3, role, model);
    const own = disposition(characterful, "HL-01", 3, role, model);
    // Of the mandate's pull alone: prior and leaning count 0.75 for a mandate, and fully without one.
    const prior = parameters.scenarios["HL-01"]!.prior, leaning = modelLeaning(parameters, "HL-01", model, 3);
    const share = role === undefined ? 1 : role === "Chair" ? 0 : 0.75;
    near(own.base, [...plain.base].map((value, k) => value - share * (prior[k]! + leaning[k]!)));
    near([own.gain, own.noise, own.openness], [2 * plain.gain, 3 * plain.noise, plain.openness]);
  }
  for (const [scenario, other] of [["HL-01", "x-ai/grok-3-mini"], ["IM-01", model]] as const) {
    assert.deepEqual(
      disposition(characterful, scenario, 3, "Rights", other),
      disposition(parameters, scenario, 3, "Rights", other),
    );
  }
});

Deno.test("openness and noise: of the mandates, of the Chair, of blank seats, and of those that other models hold", () => {
  const of = (role: Role | undefined, model = reference) => {
    const { openness, noise } = disposition(parameters, "HL-01", 3, role, model);
    return [openness, noise];
  };
  near(of("Rights"), [0.15, 0.1]);
  near(of("Rights", "some/model"), [0.15, 0.1]);
  near(of("Chair"), [0.3, 0.25]);
  near(of(undefined), [0.1, 0.1]);
  near(of(undefined, "some/model"), [0.4, 0.1]);
  // 0.1 · 40 is more than any seat may move.
  const wide = { ...parameters, mechanism: { ...mechanism, otherModelOpenness: 40 } };
  near([disposition(wide, "HL-01", 3, undefined, "some/model").openness], [0.7]);
});

Deno.test("the mandated Chair alone opens undecided and can be undecided later", () => {
  for (const role of [undefined, ...ROLES]) {
    const { opensUndecided, undecidedLead } = disposition(parameters, "HL-01", 3, role, reference);
    assert.deepEqual([opensUndecided, undecidedLead], role === "Chair" ? [true, 0.05] : [false, 0]);
  }
});

Deno.test("another wording moves the prior, alike for every seat and model; the scenario's own moves nothing", () => {
  const seating = { scenario: "HL-01", optionCount: 3, role: undefined, model: reference };
  const base = (wording?: string, more = {}) => dispositionOf(characterful, { ...seating, ...more, wording }).base;
  near(base(), [1, 0.9, 0]);
  assert.deepEqual(base("canonical"), base());
  const shift = [...base("formal")].map((value, k) => value - base()[k]!);
  assert.ok(shift.every((logit) => logit !== 0));
  assert.notDeepEqual(base("legalistic"), base("formal"));
  const welfare = { role: "Welfare" as const };
  near(base("formal", welfare), [...base(undefined, welfare)].map((value, k) => value + 0.75 * shift[k]!));
  // A scenario that knows no wording of its own belongs to all of them.
  assert.deepEqual(dispositionOf(parameters, { ...seating, wording: "formal" }).base, base());
});

Deno.test("shifts of wordings are spread like normal draws of the stated width", () => {
  const seating = { scenario: "HL-01", optionCount: 3, role: undefined, model: reference };
  const shifts = Array.from(
    { length: 500 },
    (_, i) => dispositionOf(characterful, { ...seating, wording: `${i}` }).base,
  )
    .flatMap((base) => [...base].map((value, k) => value - [1, 0.9, 0][k]!));
  const mean = shifts.reduce((sum, x) => sum + x, 0) / shifts.length;
  const sd = Math.sqrt(shifts.reduce((sum, x) => sum + (x - mean) ** 2, 0) / shifts.length);
  assert.ok(Math.abs(mean) < 4 * 0.3 / Math.sqrt(1500));
  assert.ok(Math.abs(sd - 0.3) < 4 * 0.3 / Math.sqrt(3000));
});
