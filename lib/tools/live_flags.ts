import type { LiveOptions } from "../runs/council.ts";
import { badArguments, say, wholeNumber } from "./command.ts";

/** The flags that say how a live council is asked, as `parseArgs` of node:util wants them. */
export const LIVE_FLAGS = {
  concurrency: { type: "string" },
  patience: { type: "string" },
  "no-temperature": { type: "boolean" },
  "token-limit": { type: "string" },
} as const;

/** The part of a command's help that tells of them. */
export const LIVE_HELP = `
  --concurrency N       calls in flight at once, over all conditions and runs (default: 8)
  --patience TIME       how long an endpoint that answers nothing is waited for, such as 90s, 15m, 2h (default: 15m);
                        the command then stops, and the same command goes on from there
  --no-temperature      does not send the temperature, for models that take none; the record says so
  --token-limit NAME    sends the token limit as max_tokens (default) or max_completion_tokens`;

interface Values {
  readonly concurrency?: string | undefined;
  readonly patience?: string | undefined;
  readonly "no-temperature"?: boolean | undefined;
  readonly "token-limit"?: string | undefined;
}

/** How a live council is to be asked. Throws a UserError (exit 2) naming the flag that cannot be read. */
export function liveOptions(values: Values): LiveOptions {
  const { concurrency, patience, "token-limit": limit } = values;
  if (limit !== undefined && limit !== "max_tokens" && limit !== "max_completion_tokens") {
    throw badArguments(`--token-limit must be max_tokens or max_completion_tokens, got "${limit}"`);
  }
  return {
    ...(concurrency !== undefined && { concurrency: wholeNumber("--concurrency", concurrency, 1) }),
    ...(patience !== undefined && { patienceMs: milliseconds("--patience", patience) }),
    ...(values["no-temperature"] && { sendTemperature: false }),
    ...(limit !== undefined && { maxTokensName: limit }),
    onNotice: say,
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function milliseconds(flag: string, text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  if (amount === undefined) throw badArguments(`${flag} must be a time such as 90s, 15m or 2h, got "${text}"`);
  return Number(amount) * UNIT_MS[unit!]!;
}
