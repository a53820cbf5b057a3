import fc from "fast-check";
import assert from "node:assert/strict";
import { SeedCard } from "@/schema/station_event.ts";
import { COUNCIL } from "@/schema/station_ids.ts";
import { RULES } from "@/station/rules.ts";
import { weather } from "@/station/weather.ts";
import { lively, ofKind, run } from "./fixtures.ts";

const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);
const shocksOf = (card: SeedCard) =>
  card.rounds.flatMap(({ round, shocks }) => shocks.map((shock) => ({ round, shock })));

Deno.test("one seed has one weather, and each seed its own", () => {
  const cards = SEEDS.map((seed) => JSON.stringify(weather(seed)));
  assert.deepEqual(SEEDS.map((seed) => JSON.stringify(weather(seed))), cards);
  assert.equal(new Set(cards.map((card) => card.replace(/"seed":\d+/, ""))).size, 60);
  for (const seed of SEEDS) assert.deepEqual(SeedCard.parse(weather(seed)), weather(seed));
});

Deno.test("fifteen cards of the deck of twenty are dealt 4, 3, 3, 2, 2, 1, after the rumour that opens round 1", () => {
  const deck = { rumor: 6, power_fault: 4, market_offer: 3, scandal: 3, leak: 2, panic_outer: 1, panic_sponsor: 1 };
  const dealt = new Set<string>();
  for (const seed of SEEDS) {
    const { rounds } = weather(seed);
    const opening = rounds[0]!.shocks[0]!;
    assert.deepEqual([opening.id, opening.kind, opening.severity], ["R0", "rumor", 1]);
    assert.deepEqual(rounds.map(({ shocks }) => shocks.length), [5, 3, 3, 2, 2, 1]);
    const kinds = shocksOf(weather(seed)).slice(1).map(({ shock }) => shock.kind);
    for (const [kind, most] of Object.entries(deck)) {
      const count = kinds.filter((each) => each === kind).length;
      assert.ok(count <= most, `seed ${seed} deals ${count} of ${kind}`);
      if (count > 0) dealt.add(kind);
    }
  }
  assert.equal(dealt.size, 7, "each kind comes up");
});

Deno.test("a deck that is dealt whole is the deck", () => {
  const rules = { ...RULES, deck: { ...RULES.deck, deal: [4, 3, 3, 2, 2, 6] } };
  const kinds = shocksOf(weather(5, rules)).slice(1).map(({ shock }) => shock.kind).toSorted();
  const whole = Object.entries(RULES.deck.cards).flatMap(([kind, count]) => new Array<string>(count).fill(kind));
  assert.deepEqual(kinds, whole.toSorted());
});

Deno.test("shocks have ids and texts of their own, severities and growths in range, growth on rumours alone", () => {
  for (const seed of SEEDS) {
    const shocks = shocksOf(weather(seed)).map(({ shock }) => shock);
    assert.equal(new Set(shocks.map(({ id }) => id)).size, 16);
    assert.equal(new Set(shocks.map(({ text }) => text)).size, 16);
    for (const { kind, severity, growth } of shocks) {
      assert.ok(severity >= 0.2 && severity <= 1.89);
      assert.equal(growth !== undefined, kind === "rumor");
      assert.ok(growth === undefined || (growth >= 0.7 && growth <= 1.1));
    }
  }
});

Deno.test("severities fill their range evenly", () => {
  const severities = SEEDS.flatMap((seed) => shocksOf(weather(seed)).slice(1).map(({ shock }) => shock.severity));
  const mean = severities.reduce((sum, severity) => sum + severity, 0) / severities.length;
  // Uniform on [0.2, 1.89]: mean 1.045, SD 0.488, so 900 of them have a standard error of 0.016.
  assert.ok(Math.abs(mean - 1.045) < 4 * 0.0163, `${mean}`);
  for (const seed of SEEDS) {
    const drawn = shocksOf(weather(seed)).map(({ shock }) => shock.severity);
    assert.ok(new Set(drawn).size >= 15, "each card has its own, but for a rare coincidence of four decimals");
  }
  assert.ok(Math.min(...severities) < 0.22 && Math.max(...severities) > 1.87);
});

Deno.test("each role speaks once a round, and first in some round of some seed", () => {
  const first = new Set<string>();
  for (const seed of SEEDS) {
    for (const { order } of weather(seed).rounds) {
      assert.deepEqual(order.toSorted(), COUNCIL.toSorted());
      first.add(order[0]!);
    }
  }
  assert.equal(first.size, 6);
});

Deno.test("each draw has a key of its own: a card more or less moves no other draw", () => {
  const deal = fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }).filter((cards) =>
    cards.reduce((a, b) => a + b) <= 20
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), deal, (seed, cards) => {
      const usual = weather(seed);
      const other = weather(seed, { ...RULES, deck: { ...RULES.deck, deal: cards } });
      assert.deepEqual(other.rounds.map(({ order }) => order), usual.rounds.map(({ order }) => order));
      const drawn = new Map(shocksOf(usual).map(({ round, shock }) => [`${round}/${shock.id}`, shock]));
      for (const { round, shock } of shocksOf(other)) {
        const same = drawn.get(`${round}/${shock.id}`);
        if (same?.kind === shock.kind) assert.deepEqual(shock, same);
      }
    }),
    { numRuns: 60, seed: 1 },
  );
});

Deno.test("what is left out of the last rounds changes nothing before", () => {
  const usual = weather(9);
  const without = weather(9, { ...RULES, deck: { ...RULES.deck, deal: [4, 3, 3, 1, 0, 0] } });
  assert.deepEqual(without.rounds.slice(0, 3), usual.rounds.slice(0, 3));
  assert.deepEqual(without.rounds[3]!.shocks, usual.rounds[3]!.shocks.slice(0, 1));
});

Deno.test("no council moves the weather", async () => {
  for (const seed of [2, 3]) {
    for (const council of ["none", lively().chat] as const) {
      const events = await run({ seed, council });
      assert.deepEqual(ofKind(events, "run.opened")[0]!.card, weather(seed));
      const struck = ofKind(events, "shock.struck").map(({ round, shock }) => ({ round, shock }));
      assert.deepEqual(struck, shocksOf(weather(seed)));
      assert.deepEqual(
        ofKind(events, "round.opened").map(({ order }) => order),
        weather(seed).rounds.map((r) => r.order),
      );
      assert.deepEqual(
        ofKind(events, "action.taken").map(({ role }) => role),
        weather(seed).rounds.flatMap(({ order }) => order),
      );
    }
  }
});
