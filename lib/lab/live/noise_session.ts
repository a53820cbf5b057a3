import { noise, type NoiseOf, type NoisePlan, noisePlan } from "../../deliberation/noise.ts";
import { estimateCost, tokenCounter } from "../../model/cost.ts";
import { missing } from "../../record/files.ts";
import { isBegun, type Ledger, readRecord } from "../../record/read_ledger.ts";
import type { ConditionSpec } from "../../schema/condition.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import { providersOf } from "./open_council.ts";
import { heldLedger } from "./bills.ts";
import { seatedLive } from "./committee_session.ts";
import type { Council } from "./council.ts";
import { sessionOf } from "./live_session.ts";
import { describeCost, TURN } from "./plan_calls.ts";
import { RunLoop, runPlan, runsLeft, type Signals } from "./run_condition.ts";

export interface NoiseSessionOptions
  extends Omit<NoiseOf, "concurrency">, Omit<Parameters<typeof seatedLive>[1], "council"> {
  /** `live` or `live:MODEL`, one after the other. */
  readonly councils: readonly string[];
  /** Requests in flight at once, one level after the other: a level goes before a provider's own limit. */
  readonly levels: readonly number[];
  /** Requests of each prompt and level. */
  readonly n: number;
  readonly seed: number;
}

export type NoiseLedger = Ledger<NoisePlan, DeliberationEvent>;

/**
 * Prepares a live measurement of noise: one ledger a council and level, in a folder `noise` beside those of runs. Nothing is
 * asked beforehand: what a server keeps of it would change the first reply.
 *
 * @throws {UserError} as `planRuns`, and on a seat that the condition does not have.
 */
export async function noiseSession(
  wanted: ConditionSpec,
  { councils, levels, n, seed, ...options }: NoiseSessionOptions,
) {
  const seated = await Promise.all(councils.map((council) => seatedLive(wanted, { ...options, council })));
  const records = seated.flatMap(({ conditions: [condition], out, ...rest }) =>
    levels.map((concurrency) => {
      const plan = noisePlan(condition!, { ...options, concurrency });
      return { ...rest, plan, path: `${options.out ?? `${out}/noise`}/${noise.header(plan).name}.jsonl` };
    })
  );
  const { onNotice } = options.live, prices = Object.assign({}, ...seated.map(({ prices }) => prices));
  for (const { providers, plan: { concurrency, seats } } of records) {
    for (const name of providersOf(seats.map(({ model }) => model), providers)) {
      const own = providers[name]?.limits?.concurrency ?? Infinity;
      if (own < concurrency) {
        onNotice?.(`${concurrency} calls in flight go before the limit of ${name}, which is ${own}`);
      }
    }
  }
  const { open, audit: _, ...session } = sessionOf<NoisePlan, Council, readonly NoiseLedger[]>({
    ...{ protocol: noise, prices, live: { ...options.live, preflight: false }, rootOf: () => "" },
    records: records.map(({ plan, path }, council) => ({ plan, path, council })),
    held: () => Promise.resolve({ records: records.map(({ path }) => heldLedger(noise, path)), roots: [] }),
    async plan() {
      const counter = await tokenCounter();
      const calls = await Promise.all(records.map(async ({ plan, path }) => {
        const held = await missing(path) || !await isBegun(path) ? undefined : await readRecord(path, noise);
        const left = runsLeft(held, { replicates: n });
        return (await noise.probe(plan)).map(({ request: { model, messages } }, i) => {
          const count = left.filter(({ resumeFrom = [] }) => resumeFrom.length <= i + 1).length;
          return { model, promptTokens: counter.prompt(messages), completionTokens: TURN, count };
        });
      }));
      const estimate = estimateCost({ calls: calls.flat(), prices });
      return { words: `noise: ${describeCost(estimate, seated[0]!.providers)}`, calls: estimate.calls };
    },
    open: (budget) =>
      Promise.all(records.map(({ plan: { concurrency }, openWith, providers }) => {
        const widened = Object.entries(providers).map((
          [name, one],
        ) => [name, { ...one, limits: { ...one.limits, concurrency } }]);
        return openWith({ budget, concurrency, margins: true, providers: Object.fromEntries(widened) });
      })),
    audit: () => Promise.resolve([]),
  });
  const run = async (opened: readonly Council[], { signal, callSignal, onRun }: Signals & { onRun: () => void }) => {
    const ledgers: NoiseLedger[] = [];
    for (const [i, { plan, path }] of records.entries()) {
      const loop = new RunLoop({ concurrency: plan.concurrency, signal, callSignal });
      const settings = { council: opened[i]!, replicates: n, seed, path, loop, onNotice, onRun };
      ledgers.push(await runPlan(noise, plan, settings));
      if (loop.outage) onNotice?.(loop.outage.message);
    }
    return ledgers;
  };
  return { ...session, open, run, runs: records.length * n };
}
