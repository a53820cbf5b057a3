import type { parseArgs, ParseArgsOptionsConfig } from "node:util";
import { known } from "../core/options.ts";
import type { LiveSettings } from "../live/live_session.ts";
import { badArguments, flags, logAsJson, say, wholeNumber } from "./command.ts";

/** The flags that say how a live council is asked. */
export const LIVE_FLAGS = {
  ...flags("string", "model", "budget-usd", "concurrency", "patience", "token-limit", "max-tokens", "reasoning-effort"),
  ...flags("boolean", "no-preflight", "no-temperature", "trust-providers"),
  map: { type: "string", multiple: true },
  price: { type: "string", multiple: true },
} as const;

/** The values of some flags, all of which may be absent. */
export type FlagValues<Flags extends ParseArgsOptionsConfig> = Partial<
  ReturnType<typeof parseArgs<{ options: Flags }>>["values"]
>;
export type LiveValues = FlagValues<typeof LIVE_FLAGS & { council: { type: "string" } }>;

/** Goes by the value of `--log`. */
export function logAs(log: string | undefined): void {
  if (log === "json") logAsJson();
  else if (log !== undefined) throw badArguments(`--log must be json, got "${log}"`);
}

/** The council that flags name; undefined where none does. Throws a UserError (exit 2) where two of them disagree. */
export function councilNamed({ council, model, map }: LiveValues): string | undefined {
  const flag = model !== undefined ? "--model" : map !== undefined ? "--map" : undefined;
  const replays = council?.startsWith("replay:");
  const way = replays ? "a replay asks the models that its recording names; leave it out" : "add --council live";
  if (flag && !council?.startsWith("live")) throw badArguments(`${flag} is for live councils: ${way}`);
  if (model !== undefined && council !== "live") {
    throw badArguments(`--model and --council ${council} name two councils`);
  }
  if (map && (model !== undefined || council?.startsWith("live:"))) {
    throw badArguments("--map has nothing to change where one model sits in every seat; give --map or the model");
  }
  return model === undefined ? council : `live:${model}`;
}

/** Settings of a live council from its flags. Throws a UserError (exit 2) naming the flag that cannot be read. */
export function liveOptions(values: LiveValues): LiveSettings {
  const { concurrency, patience, map, price, "token-limit": limit, "budget-usd": budget } = values;
  const { "max-tokens": most, "reasoning-effort": effort } = values;
  if (limit !== undefined && limit !== "max_tokens" && limit !== "max_completion_tokens") {
    throw badArguments(`--token-limit must be max_tokens or max_completion_tokens, got "${limit}"`);
  }
  return {
    ...known({
      map: map && Object.fromEntries(map.map(readMap)),
      given: price && readPrices(price),
      budgetUsd: budget === undefined || budget === "none" ? undefined : dollars("--budget-usd", budget),
      preflight: values["no-preflight"] ? false : undefined,
      concurrency: concurrency === undefined ? undefined : wholeNumber("--concurrency", concurrency, 1),
      patienceMs: patience === undefined ? undefined : milliseconds("--patience", patience),
      sendTemperature: values["no-temperature"] ? false : undefined,
      maxTokensName: limit,
      maxTokens: most === undefined ? undefined : wholeNumber("--max-tokens", most, 1),
      reasoningEffort: effort,
      trustProviders: values["trust-providers"] || undefined,
    }),
    onNotice: say,
  };
}

function readMap(text: string): [string, string] {
  const [, from, to] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (from === undefined || !to?.trim()) throw badArguments(`--map must be FROM=TO, two models, got "${text}"`);
  return [from.trim(), to.trim()];
}

function readPrices(texts: readonly string[]): NonNullable<LiveSettings["given"]> {
  const own: Record<string, { input: number; output: number }> = {};
  let others: { input: number; output: number } | undefined;
  for (const text of texts) {
    const [, model, input, output] = /^(?:(.+)=)?(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (input === undefined) {
      throw badArguments(
        `--price must be IN,OUT or MODEL=IN,OUT, each US$ of at least 0 for a million tokens, got "${text}"`,
      );
    }
    const price = { input: Number(input), output: Number(output) };
    if (model === undefined) others = price;
    else own[model] = price;
  }
  return { own, others };
}

function dollars(flag: string, text: string): number {
  const usd = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (usd > 0) return usd;
  throw badArguments(`${flag} must be an amount above 0 in US$, such as 20 or 0.50, got "${text}"`);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function milliseconds(flag: string, text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  if (amount === undefined) throw badArguments(`${flag} must be a time such as 90s, 15m or 2h, got "${text}"`);
  return Number(amount) * UNIT_MS[unit!]!;
}
