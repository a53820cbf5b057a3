import { greatest, sum } from "d3-array";
import { money } from "../model/budget.ts";
import type { CostEstimate } from "../model/cost.ts";
import { askedOf, type Providers } from "../schema/providers.ts";
import type { CallPlan } from "./plan_calls.ts";

/**
 * A plan in words: one line a condition, then calls, tokens, cost and time in all.
 *
 * @param providers of a live run; without them the cost is what it would be.
 */
export function describePlan({ conditions, total }: CallPlan, providers?: Providers): string {
  const rows = conditions.map(({ name, replicates, calls, of, promptTokens, completionTokens }) =>
    `${name}: ${replicates} runs, ${calls === of ? calls : `${calls} of ${of}`} calls${
      calls === of ? "" : " remain"
    }, ` +
    `about ${thousands(promptTokens)} prompt and ${thousands(completionTokens)} completion tokens`
  );
  return [...rows, `in all: ${describeCost(total, providers)}`].join("\n");
}

/** Calls, tokens, cost and time in one line; `providers` as in `describePlan`. */
export function describeCost(estimate: CostEstimate, providers?: Providers): string {
  const { usd, unpriced } = estimate;
  const cost = usd === undefined
    ? `cost unknown: no price for ${unpriced.join(", ")} in scenarios/lineups.json, and none given`
    : `about US$ ${money(usd)}${
      providers ? "" : " if run live"
    }, by the prices in scenarios/lineups.json and those given`;
  return `${describeTokens(estimate)}; ${cost}${describeTime(estimate, providers ?? {})}`;
}

/** Calls and tokens in one line. */
export function describeTokens({ calls, promptTokens, completionTokens }: CostEstimate): string {
  return `${calls} calls, about ${thousands(promptTokens)} prompt and ${thousands(completionTokens)} completion tokens`;
}

const thousands = (n: number): string => `${Math.round(n / 1000)}k`;

/** The time that the slowest provider's limits leave, where any limits are on file. */
function describeTime({ models }: CostEstimate, providers: Providers): string {
  const times = [...Map.groupBy(models, ({ model }) => askedOf(model, providers).provider)].map(([name, own]) => {
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = providers[name]?.limits ?? {};
    const tokens = sum(own, (one) => one.promptTokens + one.completionTokens);
    return { name, hours: Math.max(sum(own, ({ calls }) => calls) / requestsPerMinute, tokens / tokensPerMinute) / 60 };
  });
  const slowest = greatest(times, ({ hours }) => hours);
  return slowest?.hours
    ? `; at least ${Number(slowest.hours.toPrecision(2))} hours at the limits of ${slowest.name}`
    : "";
}
