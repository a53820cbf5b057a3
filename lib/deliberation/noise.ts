import * as z from "zod";
import { contentHash } from "../core/json.ts";
import { remembered } from "../core/options.ts";
import { unknownName } from "../core/user_error.ts";
import { closingOf, type Prober, type Protocol } from "../record/protocol.ts";
import { Condition } from "../schema/condition.ts";
import { DeliberationEvent } from "../schema/deliberation_event.ts";
import { askOf, deliberation, runRng } from "./deliberate.ts";
import { initialState } from "./state.ts";

/** First prompts of a condition, to be sent again and again. */
const NoisePlan = z.strictObject({
  condition: Condition,
  /** Those of the condition. */
  seats: Condition.shape.seats,
  /** Seats that are asked, by their index in the condition. */
  asked: z.array(z.int().min(0)).min(1),
  /** Requests in flight at once. */
  concurrency: z.int().min(1),
});
export type NoisePlan = z.infer<typeof NoisePlan>;

/**
 * The protocol behind `deno task noise`: a run sends the first prompt of each asked seat once, as if nobody had spoken yet.
 * The requests of all runs are the same, the seed included; their replies are turns of the committee protocol.
 */
export const noise: Protocol<NoisePlan, DeliberationEvent, readonly DeliberationEvent[]> & Prober<NoisePlan> = {
  name: "noise",
  header(plan) {
    const { condition, asked: [seat, ...more], concurrency, seats } = plan, { label, model } = seats[seat!]!;
    const { name, ...header } = deliberation.header(condition);
    const own = [name, more.length > 0 ? "all" : label, model.replaceAll(/[^\w.-]+/g, "-"), `c${concurrency}`];
    return { ...header, name: own.join("__"), hash: hashOf(plan) };
  },
  start: () => [],
  step(plan, { replicate, seed }) {
    const { condition, asked } = plan, state = initialState(condition), rng = runRng(condition, seed, 0);
    const asks = asked.map((seat) => askOf(condition, state, { kind: "turn", round: 1, seat, again: false }, rng));
    return (events) => {
      if (closingOf(events.at(-1))) return undefined;
      if (events.length === 0) return { event: { kind: "run.opened", seed, replicate, condition: hashOf(plan) } };
      return asks[events.length - 1] ?? { event: { kind: "run.closed", outcome: "complete" } };
    };
  },
  fold: (events, event) => [...events, event],
  probe: async ({ condition, asked }) =>
    (await deliberation.probe(condition)).filter((_, seat) => asked.includes(seat)),
  lineSchemas: { plan: NoisePlan, event: DeliberationEvent },
  columns: ({ condition }) => ({ ...deliberation.columns(condition, []), rounds: [] }),
};

/** @throws {UserError} (`exitCode` 2) on a seat that the condition does not have. */
export function noisePlan(condition: Condition, { prompts, seat, concurrency }: NoiseOf): NoisePlan {
  const { seats, order } = condition,
    first = seat === undefined ? order[0]! : seats.findIndex(({ label }) => label === seat);
  if (first < 0) throw unknownName("seat", seat!, seats.map(({ label }) => label));
  return { condition, seats, asked: prompts === "all" ? [...order] : [first], concurrency };
}

export interface NoiseOf {
  /** The first prompt of one seat, or of every seat in the order of speaking. */
  readonly prompts?: "first" | "all" | undefined;
  /** The label of the one seat; by default the one that speaks first. */
  readonly seat?: string | undefined;
  readonly concurrency: number;
}

const hashOf = remembered((plan: NoisePlan) => contentHash(plan));
