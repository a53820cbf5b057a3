import assert from "node:assert/strict";
import { type ChatModel, ModelError } from "@/model/chat_model.ts";
import { recording, type ScriptedReply } from "@/model/replay.ts";
import { collectStation } from "@/lab/runs/collect_station.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import type { ChatRequest, ModelCall } from "@/schema/model_call.ts";
import type { StationEvent, Switches } from "@/schema/station_event.ts";
import { reread, type StationRun } from "@/station/reread.ts";
import type { StationState } from "@/station/state.ts";
import { council, ofKind, PLAN, roleOf, roundOf, RULESETS, run, say, states, V1, V2 } from "./fixtures.ts";

const NONE = new Map<string, string>();

const collected = (name: string, ruleset: Switches, seeds = [5]) =>
  collectStation({ council: stationCouncil(name, NONE), ruleset, seeds });

/** A run with its calls, as `collectStation` makes it, of a council of one's own. */
async function recorded(chat: ChatModel, ruleset: Switches, seed = 5): Promise<StationRun> {
  const calls: ModelCall[] = [];
  const events = await run({ seed, ruleset, council: recording(chat, (call) => void calls.push(call)) });
  return { events, calls };
}

/** States right after the closes of rounds 1 to 6. */
const closes = (events: readonly StationEvent[]): StationState[] =>
  states(events).slice(1).filter((_, i) => events[i]!.kind === "round.closed");

/** Freezes all the way down, so that any change throws. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const filings = (events: readonly StationEvent[]) =>
  ofKind(events, "action.taken").flatMap(({ filing }) => filing ?? []);

for (const ruleset of [V1, V2]) {
  for (const name of ["none", "triage", "dialect", "garbling"]) {
    Deno.test(`reread() under its own parser gives ${name}'s own events: ${JSON.stringify(ruleset)}`, async () => {
      const [one] = await collected(name, ruleset);
      const again = reread(frozen(one!), { normaliser: ruleset.normaliser });
      assert.deepEqual(again.events, one!.events);
      assert.ok(!("divergedAt" in again));
      assert.equal(again.calls, one!.calls);
    });
  }
}

Deno.test("reread() credits a strict run's dialect plans once the normaliser reads them", async () => {
  for (const one of await collected("dialect", V1, [1, 2, 3])) {
    assert.ok(filings(one.events).length > 0 && filings(one.events).every(({ plan }) => plan === undefined));
    assert.deepEqual(ofKind(one.events, "gate.judged"), []);
    const again = reread(frozen(one), { normaliser: true });
    assert.deepEqual(ofKind(again.events, "run.opened")[0]!.ruleset, { schemaShown: false, normaliser: true });
    for (const { plan, reading } of filings(again.events)) {
      assert.ok(plan !== undefined && reading.repairs.length > 0, JSON.stringify(reading));
      assert.deepEqual([reading.rawValid, reading.normalisedValid], [false, true]);
    }
    assert.equal(filings(again.events).length, filings(one.events).length);
    assert.ok(ofKind(again.events, "gate.judged").length > 0, "valid plans come before the gate");
  }
});

Deno.test("reread() says at which close the room first differs", async () => {
  const found = (await collected("dialect", V1, [1, 2, 3])).map((one) => {
    const again = reread(one, { normaliser: true });
    const [before, after] = [closes(one.events), closes(again.events)];
    const first = before.findIndex((state, i) => JSON.stringify(state) !== JSON.stringify(after[i]));
    assert.equal(again.divergedAt, first + 1);
    assert.deepEqual(after.slice(0, first), before.slice(0, first));
    assert.notDeepEqual(after[first], before[first]);
    return again.divergedAt!;
  });
  assert.ok(Math.max(...found) > 1, "one of them must have equal rounds before it");
});

for (const round of [1, 3, 6]) {
  Deno.test(`reread() diverges in round ${round}, where the one plan off the schema is put up`, async () => {
    const near = say("propose", { proposal: { ...PLAN, seats: { ...PLAN.seats, crew: "27 seats" } } });
    const { chat } = council((request) =>
      roleOf(request) === "C3_ENGINEER" && roundOf(request) === round ? near : say("observe")
    );
    const strict = await recorded(chat, V1);
    assert.equal(strict.calls.length, 37, "one repair request");
    const again = reread(strict, { normaliser: true });
    assert.equal(again.divergedAt, round);
    assert.deepEqual(filings(again.events).map(({ plan }) => plan), [PLAN]);
    const lenient = await recorded(chat, { ...V1, normaliser: true });
    assert.equal(reread(lenient, { normaliser: false }).divergedAt, round, "and the other way round");
  });
}

/** Equity's calls fail in several ways; the others say nothing of weight. */
function failing(request: ChatRequest): ScriptedReply {
  if (roleOf(request) !== "C2_EQUITY") return say("observe");
  const repair = request.messages.length > 2;
  switch (roundOf(request)) {
    case 1:
      return new ModelError("timeout", "too late");
    case 2:
      return new ModelError("empty", "nothing");
    case 3:
      return repair ? new ModelError("server", "down") : "I would rather not say.";
    case 4:
      return " \n";
    case 5:
      // Readable with the normaliser alone, the plan by neither parser.
      return repair
        ? new ModelError("rate_limit", "slow down")
        : `Well:\n\`\`\`json\n${say("propose", { proposal: { ...PLAN, seats: { ...PLAN.seats, crew: -1 } } })}\n\`\`\``;
    default:
      return "No words either time.";
  }
}

const equity = ({ events }: StationRun) =>
  ofKind(events, "action.taken").filter(({ role }) => role === "C2_EQUITY").map(({ origin }) =>
    origin.kind === "fallback" ? origin.cause.replace(/(unreadable_action):.*/, "$1") : "model"
  );

const EMPTY = "model_error:empty_model_output";
const CAUSES = ["model_error:timeout", EMPTY, "model_error:server", EMPTY];

Deno.test("reread() keeps what providers failed of, under either parser and from either side", async () => {
  for (const ruleset of RULESETS) {
    const one = await recorded(council(failing).chat, ruleset);
    assert.deepEqual(equity(one), [
      ...CAUSES,
      ruleset.normaliser ? "model" : "model_error:rate_limit",
      "unreadable_action",
    ]);
    const other = { ...ruleset, normaliser: !ruleset.normaliser };
    // Equal numbers of calls under both parsers, and replies that do not depend on the room: two routes to one run.
    assert.deepEqual(
      reread(one, { normaliser: other.normaliser }).events,
      (await recorded(council(failing).chat, other)).events,
    );
  }
});

Deno.test("reread() refuses a run that is not whole", async () => {
  const { events, calls } = (await collected("triage", V2))[0]!;
  const act = events.findLastIndex(({ kind }) => kind === "action.taken");
  const wrong: [StationRun, RegExp][] = [
    [{ events: [], calls }, /only a finished run/],
    [{ events: events.slice(1), calls }, /only a finished run/],
    [{ events: events.slice(0, -1), calls }, /only a finished run/],
    [{ events: events.toSpliced(act, 1), calls }, /^round 6, \w+: the run has no action\.taken for this turn$/],
    [{ events, calls: calls.slice(0, -1) }, /^round 6, \w+: call 35 is not among the 35 recorded$/],
  ];
  for (const [run, message] of wrong) {
    assert.throws(
      () => reread(run, { normaliser: true }),
      (error) => error instanceof RangeError && message.test(error.message),
    );
  }
});
