import { known } from "../../core/options.ts";
import type { LiveSettings } from "../live/live_session.ts";
import { badArguments, decimal, flags, refused, say, type Values, whole, word } from "./command.ts";

/** The flags that say how a live council is asked. */
export const LIVE_FLAGS = {
  ...flags("string", "model", "reasoning-effort"),
  ...flags("boolean", "no-preflight", "no-temperature", "trust-providers", "trust-prices"),
  "budget-usd": { type: "string", read: dollars },
  "max-tokens": whole(1),
  "token-limit": word("max_tokens", "max_completion_tokens"),
  concurrency: whole(1),
  patience: { type: "string", read: milliseconds },
  map: { type: "string", multiple: true, read: readMap },
  price: { type: "string", multiple: true, read: readPrice },
} as const;

export type LiveValues = Partial<Values<typeof LIVE_FLAGS & { council: { type: "string" } }>>;

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

/** Settings of a live council from its flags. */
export function liveOptions(values: LiveValues): LiveSettings {
  const { map, price, "budget-usd": budget } = values;
  return {
    ...known({
      map: map && Object.fromEntries(map),
      given: price && {
        own: Object.fromEntries(price.flatMap(({ model, price }) => model === undefined ? [] : [[model, price]])),
        others: price.findLast(({ model }) => model === undefined)?.price,
      },
      budgetUsd: budget === "none" ? undefined : budget,
      preflight: values["no-preflight"] ? false : undefined,
      concurrency: values.concurrency,
      patienceMs: values.patience,
      sendTemperature: values["no-temperature"] ? false : undefined,
      maxTokensName: values["token-limit"],
      maxTokens: values["max-tokens"],
      reasoningEffort: values["reasoning-effort"],
      trustProviders: values["trust-providers"] || undefined,
      trustPrices: values["trust-prices"] || undefined,
    }),
    onNotice: say,
  };
}

function readMap(text: string, flag: string): [string, string] {
  const [, from, to] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (from === undefined || !to?.trim()) throw refused(flag, "FROM=TO, two models", text);
  return [from.trim(), to.trim()];
}

/** A price of one model, or of all others where it names none. */
function readPrice(text: string, flag: string) {
  const [, model, input, output] = /^(?:(.+)=)?(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (input !== undefined) return { model, price: { input: Number(input), output: Number(output) } };
  throw refused(flag, "IN,OUT or MODEL=IN,OUT, each US$ of at least 0 for a million tokens", text);
}

const AMOUNT = decimal("an amount above 0 in US$, such as 20 or 0.50", (value) => value > 0);

function dollars(text: string, flag: string): number | "none" {
  return text === "none" ? text : AMOUNT.read(text, flag);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function milliseconds(text: string, flag: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  if (amount === undefined) throw refused(flag, "a time such as 90s, 15m or 2h", text);
  return Number(amount) * UNIT_MS[unit!]!;
}
