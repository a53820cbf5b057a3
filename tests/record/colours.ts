import { contentHash } from "@/core/json.ts";
import { createRng } from "@/core/rng.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import type { Protocol } from "@/record/protocol.ts";
import { z } from "zod";

/** A third protocol: agents name a colour in turn, round by round, until a round in which all name the same one. */
export const Plan = z.strictObject({
  colours: z.array(z.string()).min(2),
  seats: z.array(z.strictObject({ label: z.string(), model: z.string() })),
  rounds: z.int().min(1),
  anyCase: z.boolean(),
});
export type Plan = z.infer<typeof Plan>;

const run = { seed: z.int(), replicate: z.int() };
const Reading = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("read"), value: z.string() }),
  z.strictObject({ kind: z.literal("invalid") }),
  z.strictObject({ kind: z.literal("missing"), code: z.string(), message: z.string() }),
]);
const Event = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("run.opened"), ...run }),
  z.strictObject({ kind: z.literal("named"), seat: z.int(), seed: z.int(), reply: z.any(), reading: Reading }),
  z.strictObject({
    kind: z.literal("run.closed"),
    outcome: z.enum(["complete", "flagged"]),
    cause: z.string().optional(),
  }),
]);
export type Event = z.infer<typeof Event>;

interface State {
  readonly opened: boolean;
  readonly closed: boolean;
  readonly named: readonly (string | undefined)[];
}

const read = (text: string, { colours, anyCase }: Plan) =>
  colours.find((one) => one === (anyCase ? text.toLowerCase() : text));
const wholeRounds = ({ named }: State, { seats }: Plan) =>
  Array.from(
    { length: Math.floor(named.length / seats.length) },
    (_, t) => named.slice(t * seats.length).slice(0, seats.length),
  );

export const colours: Protocol<Plan, Event, State> = {
  name: "colours",
  header: (plan) => ({
    ...{ name: `colours__N${plan.seats.length}`, hash: contentHash(plan), promptPack: contentHash("Name a colour.") },
    knobs: { rounds: plan.rounds, anyCase: plan.anyCase },
  }),
  start: () => ({ opened: false, closed: false, named: [] }),
  step: (plan, { seed, replicate }) => (state) => {
    const rounds = wholeRounds(state, plan), last = rounds.at(-1);
    const cause = state.named.includes(undefined) ? "unreadable_colour" : undefined;
    const agreed = last !== undefined && state.named.length % plan.seats.length === 0 && new Set(last).size === 1;
    if (state.closed) return undefined;
    if (!state.opened) return { event: { kind: "run.opened", seed, replicate } };
    if (cause) return { event: { kind: "run.closed", outcome: "flagged", cause } };
    if (agreed || rounds.length === plan.rounds) return { event: { kind: "run.closed", outcome: "complete" } };
    const place = `${rounds.length + 1}/${state.named.length % plan.seats.length}`;
    const seat = state.named.length % plan.seats.length, { key } = createRng(seed).fork(replicate).fork(place);
    const content = `Name one of ${plan.colours.join(", ")}. Heard: ${state.named.slice(-plan.seats.length).join(" ")}`;
    return {
      place,
      request: { ...request(plan, seat), messages: [{ role: "user", content }], seed: key },
      read({ reply, failure }) {
        const value = reply && read(reply.text, plan);
        const reading = failure
          ? { kind: "missing" as const, code: failure.code, message: failure.message }
          : value === undefined
          ? { kind: "invalid" as const }
          : { kind: "read" as const, value };
        return { kind: "named", seat, seed: key, reply, reading };
      },
    };
  },
  fold(state, event) {
    if (event.kind === "run.opened") return { ...state, opened: true };
    if (event.kind === "run.closed") return { ...state, closed: true };
    return { ...state, named: [...state.named, "value" in event.reading ? event.reading.value : undefined] };
  },
  probe: async (plan) =>
    await Promise.all(plan.seats.map(({ label }, seat) => ({
      seat: label,
      request: { ...request(plan, seat), messages: [{ role: "user", content: "Name a colour." }], seed: 0 },
      flaw: (text) => read(text, plan) === undefined ? { words: "no colour", again: [] } : undefined,
    }))),
  lineSchemas: { plan: Plan, event: Event },
  columns(plan, events) {
    const state = events.reduce((before, event) => colours.fold(before, event), colours.start(plan));
    const rounds = wholeRounds(state, plan).map((round) =>
      round.map((own) => plan.colours.map((one) => Number(one === own)))
    );
    return { names: plan.colours, agents: plan.seats.map(({ label }) => label), rounds, decision: state.named.at(-1) };
  },
};

const request = ({ seats }: Plan, seat: number) => ({ model: seats[seat]!.model, temperature: 0, maxTokens: 8 });

/** A program that names a colour by its dice, written large now and then, and follows what it heard more and more. */
export const painter: ChatModel = ({ messages, seed }) => {
  const [, offered = "", heard = ""] = /^Name one of (.*)\. Heard: ?(.*)$/.exec(messages[0]!.content) ?? [];
  const dice = createRng(seed), all = offered.split(", "), before = heard.split(" ").filter(Boolean);
  const pick = before.length > 0 && dice.next() < 0.7 ? before[dice.int(before.length)]! : all[dice.int(all.length)]!;
  return Promise.resolve({ text: dice.next() < 0.05 ? pick.toUpperCase() : pick, synthetic: true });
};

export const PLAN: Plan = {
  colours: ["red", "green", "blue"],
  seats: Array.from({ length: 5 }, (_, i) => ({ label: `Agent ${i + 1}`, model: "painter" })),
  rounds: 12,
  anyCase: true,
};
