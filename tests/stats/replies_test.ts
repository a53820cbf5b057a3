import fc from "fast-check";
import assert from "node:assert/strict";
import { ballotAgreement, echo, equalPairs, type RecordedRun } from "@/stats/replies.ts";

type Event = RecordedRun["events"][number];

const turn = (round: number, seat: number, preferences?: readonly number[], text = `${round}/${seat}`): Event => ({
  ...{ kind: "turn.answered", round, seat, again: false, reply: { text } },
  reading: preferences ? { kind: "read", value: { preferences } } : { kind: "unreadable" },
});
const ballot = (seat: number, decision?: string): Event => ({
  ...{ kind: "ballot.answered", seat, again: false, reply: { text: decision ?? "?" } },
  reading: decision ? { kind: "read", value: { decision, confidence: 50 } } : { kind: "unreadable" },
});
/** A run of one round in which seat i prefers the ith option of `tops` and votes for the ith of `votes`. */
const run = (tops: string, votes: string, options = 3): RecordedRun => ({
  events: [
    ...[...tops].map((top, seat) =>
      turn(1, seat, Array.from("ABCDE").slice(0, options).map((k) => k === top ? 0.6 : 0.1))
    ),
    ...[...votes].map((vote, seat) => ballot(seat, vote)),
  ],
});
const near = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs(actual! - expected) < 1e-12, `${actual} is not ${expected}`);

Deno.test("ballotAgreement() counts equal ballots, and what both margins alone would give", () => {
  // Preferred: A 3, B 2, C 1. Ballots: A 2, B 1, C 3. By chance (3·2 + 2·1 + 1·3) / 6.
  const { equal, of, tied, tiedEqual, chance, ballots } = ballotAgreement([run("AAB", "ACB"), run("ABC", "CCA")]);
  assert.deepEqual([equal, of, tied, tiedEqual, ballots], [2, 6, 0, 0, [2, 1, 3]]);
  near(chance, 11 / 6);
});

Deno.test("ballotAgreement() takes a seat's last preference, of however many options", () => {
  const events = [turn(1, 0, [0.9, 0, 0, 0, 0.1]), turn(2, 0, [0.1, 0, 0, 0, 0.9]), ballot(0, "E")];
  assert.deepEqual(ballotAgreement([{ events }]), {
    ...{ equal: 1, of: 1, tied: 0, tiedEqual: 0, chance: 1, ballots: [0, 0, 0, 0, 1] },
    reason: "too-few-replicates",
  });
});

Deno.test("ballotAgreement() counts ties apart, also those that rounding hides, and with them their lowest letter", () => {
  const of = (preferences: readonly number[], vote: string) => (
    { events: [turn(1, 0, preferences), ballot(0, vote)] }
  );
  const tie = [0.4 - 1e-12, 0.4, 0.2], near = [0.4 - 1e-6, 0.4, 0.2];
  const found = ballotAgreement([
    of(tie, "A"),
    of(tie, "B"),
    of(near, "A"),
    of(near, "B"),
    of([1 / 3, 1 / 3, 1 / 3], "C"),
  ]);
  assert.deepEqual([found.equal, found.of, found.tied, found.tiedEqual], [1, 2, 3, 1]);
  assert.deepEqual(found.ballots, [2, 2, 1], "ballots of ties are ballots");
  assert.equal(found.chance, 1, "both prefer B, one of the two ballots is B");
});

Deno.test("ballotAgreement() leaves out what was not read: a ballot, a first try, a seat without a preference", () => {
  const events = [
    turn(1, 0, [0.7, 0.3]),
    turn(1, 1, [0.7, 0.3]),
    turn(2, 1), // Not read: the seat's last preference is that of round 1.
    ballot(0),
    ballot(1),
    { ...ballot(1, "A"), again: true },
    ballot(2, "B"),
  ];
  const { equal, of, ballots } = ballotAgreement([{ events }]);
  assert.deepEqual([equal, of, ballots], [1, 1, [1, 0]]);
});

Deno.test("ballotAgreement() of no runs counts nothing; what is no list of runs is refused", () => {
  const nothing = { equal: 0, of: 0, tied: 0, tiedEqual: 0, chance: 0, ballots: [], reason: "too-few-replicates" };
  assert.deepEqual(ballotAgreement([]), nothing);
  assert.deepEqual(ballotAgreement([{ events: [] }]), nothing);
  for (const measure of [ballotAgreement, echo, equalPairs]) {
    assert.throws(() => measure({ runs: [] } as never), /^TypeError: runs must be a list/);
  }
});

Deno.test("the interval of ballotAgreement() is the jackknife over runs of the logit, with Student's t", () => {
  const counts = [[1, 3], [2, 3], [3, 3], [0, 2]] as const; // Equal ballots of a run, and all of it.
  const runs = counts.map(([equal, of]) => run("A".repeat(of), "A".repeat(equal).padEnd(of, "B")));
  const { equal, of, low, high } = ballotAgreement(runs);
  assert.deepEqual([equal, of], [6, 11]);
  const logit = (k: number, n: number) => Math.log((k + 0.5) / (n - k + 0.5));
  // Pseudo-values, as the jackknife is written in textbooks: their standard error is that of their mean.
  const whole = logit(6, 11), pseudo = counts.map(([k, n]) => 4 * whole - 3 * logit(6 - k, 11 - n));
  const mean = pseudo.reduce((sum, one) => sum + one) / 4;
  const error = Math.sqrt(pseudo.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (4 * 3));
  const T3 = 3.182446305284263; // 97.5 % point, 3 degrees of freedom, of printed tables.
  for (const [end, t] of [[low, -T3], [high, T3]] as const) {
    assert.ok(Math.abs(end! - 1 / (1 + Math.exp(-(whole + t * error)))) < 1e-7, `${end}`);
  }
});

Deno.test("ballotAgreement() has no interval of two runs, nor where every run has the same share", () => {
  const known = ({ low, high, reason }: ReturnType<typeof ballotAgreement>) => ({ low, high, reason });
  const refused = (reason: string) => ({ low: undefined, high: undefined, reason });
  assert.deepEqual(known(ballotAgreement([run("AB", "AA"), run("AB", "BB")])), refused("too-few-replicates"));
  // Runs whose preferences are all ties hold no such ballots.
  const tie = { events: [turn(1, 0, [0.5, 0.5]), ballot(0, "A")] };
  assert.deepEqual(known(ballotAgreement([run("A", "A"), run("A", "B"), tie, tie])), refused("too-few-replicates"));
  assert.deepEqual(
    known(ballotAgreement([run("AA", "AB"), run("A".repeat(4), "AABB"), run("AA", "BA")])),
    refused("no-spread"),
  );
  for (const vote of ["A", "B"]) {
    assert.deepEqual(known(ballotAgreement([1, 2, 3].map(() => run("A", vote)))), refused("no-spread"));
  }
});

Deno.test("ballotAgreement() does not depend on which option has which letter, which seat which number, or the runs' order", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ABCDE"), minLength: 4, maxLength: 4 });
  fc.assert(fc.property(fc.array(fc.tuple(letters, letters), { minLength: 3, maxLength: 8 }), (pairs) => {
    const of = (map: (letter: string) => string, order: (text: string[]) => string[] = (text) => text) =>
      ballotAgreement(
        pairs.map(([tops, votes]) => run(order([...tops].map(map)).join(""), order([...votes].map(map)).join(""), 5)),
      );
    const plain = of((letter) => letter);
    const renamed = of((letter) => "BCDEA"["ABCDE".indexOf(letter)]!);
    const reseated = of((letter) => letter, (text) => text.toReversed());
    const { chance, ballots, ...rest } = renamed;
    assert.deepEqual({ ...rest, chance: 0, ballots: 0 }, { ...plain, chance: 0, ballots: 0 });
    near(chance, plain.chance);
    assert.deepEqual(ballots, [plain.ballots.at(-1), ...plain.ballots.slice(0, -1)]);
    assert.deepEqual(reseated, plain);
    const turned = ballotAgreement(pairs.map(([tops, votes]) => run(tops, votes, 5)).toReversed());
    assert.deepEqual([turned.equal, turned.of, turned.ballots], [plain.equal, plain.of, plain.ballots]);
    // Both margins are those of all seats, so chance is what all ways to deal the ballots give in the mean.
    const tops = pairs.flatMap(([tops]) => [...tops]), votes = pairs.flatMap(([, votes]) => [...votes]);
    const equal = tops.flatMap((top) => votes.filter((vote) => vote === top)).length;
    near(plain.chance, equal / tops.length);
  }));
});

const said = (...texts: (string | undefined)[]): RecordedRun => ({
  events: texts.map((text, i) => ({
    kind: "turn.answered",
    round: i + 1,
    seat: 0,
    reply: text === undefined ? text : { text },
  })),
});

Deno.test("echo() counts turns with the words of an earlier turn of their run, and no others", () => {
  const runs = [said("a", "b", "a", "a"), said("a", "b", "c"), said("a ", "a", undefined)];
  assert.deepEqual(echo(runs), { repeated: 2, of: 9, distinct: [2, 3, 2] });
  assert.deepEqual(echo([]), { repeated: 0, of: 0, distinct: [] });
  assert.deepEqual(echo([said()]), { repeated: 0, of: 0, distinct: [0] });
});

Deno.test("echo() takes the first reply of a turn that had to be asked for twice, and no ballot", () => {
  const events = [turn(1, 0, undefined, "x"), { ...turn(1, 0, [1, 0], "y"), again: true }, turn(1, 1, [1, 0], "y"), {
    ...ballot(0, "A"),
    reply: { text: "x" },
  }];
  assert.deepEqual(echo([{ events }]), { repeated: 0, of: 2, distinct: [2] });
});

Deno.test("equalPairs() gives shares of pairs round by round; two runs that part do not meet again", () => {
  const runs = [said("a", "b", "c"), said("a", "x", "c"), said("a", "b", "d"), said("e", "b", "c")];
  // Pairs equal: 01, 02, 12 in round 1; 02 in round 2; none in round 3.
  assert.deepEqual(equalPairs(runs), { first: 1 / 2, through: [1 / 2, 1 / 6, 0], whole: 0, distinct: 4 });
});

Deno.test("equalPairs(): first is the first reply, not the first round; whole is ballots and clerk too", () => {
  const events = (first: string, second: string, vote: string): RecordedRun => (
    { events: [turn(1, 2, [1, 0], first), turn(1, 0, [1, 0], second), ballot(2, vote)] }
  );
  const { first, through, whole, distinct } = equalPairs([
    events("a", "b", "A"),
    events("a", "c", "A"),
    events("a", "b", "B"),
  ]);
  assert.deepEqual([first, through, whole, distinct], [1, [1 / 3], 0, 3]);
  assert.equal(equalPairs([events("a", "b", "A"), events("a", "b", "A")]).whole, 1);
});

Deno.test("equalPairs(): a second request is part of what a run said", () => {
  const plain = [turn(1, 0, [1, 0], "a")], repaired = [...plain, { ...turn(1, 0, [1, 0], "a"), again: true }];
  const { first, through } = equalPairs([{ events: plain }, { events: repaired }]);
  assert.deepEqual([first, through], [1, [0]]);
});

Deno.test("equalPairs(): a missing reply equals no other, not even another missing one", () => {
  const { first, through, whole, distinct } = equalPairs([said(undefined, "b"), said(undefined, "b"), said("a", "b")]);
  assert.deepEqual([first, through, whole, distinct], [0, [0, 0], 0, 3]);
});

Deno.test("equalPairs() of fewer than two runs has no pairs", () => {
  assert.deepEqual(equalPairs([]), { through: [], distinct: 0, reason: "too-few-replicates" });
  assert.deepEqual(equalPairs([said("a", "b")]), { through: [], distinct: 1, reason: "too-few-replicates" });
});

Deno.test("equalPairs() counts by classes what comparing every pair counts", () => {
  const transcript = fc.array(fc.constantFrom("a", "b", undefined), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(fc.array(transcript, { minLength: 2, maxLength: 9 }), (all) => {
    const pairs = all.flatMap((one, i) => all.slice(i + 1).map((other) => [one, other] as const));
    const share = (alike: (one: typeof all[number], other: typeof all[number]) => boolean) =>
      pairs.filter(([one, other]) => alike(one, other)).length / pairs.length;
    const equal = (a: string | undefined, b: string | undefined) => a !== undefined && a === b;
    const rounds = Math.max(...all.map(({ length }) => length));
    const upTo = (round: number) =>
      share((one, other) =>
        Array.from({ length: round }, (_, t) => t).every((t) =>
          equal(one[t], other[t]) || (t >= one.length && t >= other.length)
        )
      );
    const { first, through, whole } = equalPairs(all.map((texts) => said(...texts)));
    near(first, share(([a], [b]) => equal(a, b)));
    through.forEach((one, t) => near(one, upTo(t + 1)));
    near(whole, upTo(rounds));
    assert.equal(through.length, rounds);
    assert.ok(through.every((one, t) => one <= (through[t - 1] ?? 1)), "runs that parted stay apart");
  }));
});
