import { UserError } from "../core/user_error.ts";
import type { ConditionGrid } from "../schema/condition.ts";

/** The flags that say what a condition is, as `parseArgs` of node:util wants them. */
export const CONDITION_FLAGS = {
  scenario: { type: "string" },
  roles: { type: "string" },
  lineup: { type: "string" },
  temperature: { type: "string" },
  window: { type: "string" },
  ablate: { type: "string" },
  ablation: { type: "string" },
  agents: { type: "string" },
  rounds: { type: "string" },
  variant: { type: "string" },
  prompts: { type: "string" },
  normaliser: { type: "boolean" },
  structured: { type: "string" },
} as const;

type Flag = keyof typeof CONDITION_FLAGS;
type FlagValues = { readonly [F in Flag]?: (F extends "normaliser" ? boolean : string) | undefined };

/** The part of a command's help that tells of them. */
export const CONDITION_HELP = `
  --scenario ID         such as HL-01; a comma parts alternatives, here and below, and all combinations are run
  --roles WHICH         true or false (default: true)
  --lineup NAME         which model sits where (default: uniform)
  --temperature T       0 to 2 (default: 0)
  --window K            arguments that each agent sees (default: 15)
  --ablate WHOSE        mandates taken away, such as Chair; Chair+Equity takes away both at once, Chair,Equity is two
                        conditions, and none is the full committee
  --ablation FORM       block takes an ablated mandate away with its heading, as in the paper (default of new live runs);
                        heading leaves ROLE: NAME there (default of other councils); a ledger keeps the form it has
  --agents WHO          a number (default: 5), or with roles on who sits: Chair+Welfare+Welfare
  --rounds N            (default: 20)
  --variant NAME        a rewording of the scenario, such as formal; none is the canonical text
  --prompts NAME        a prompt pack of scenarios/prompts/ (default: standard)
  --normaliser          also reads near misses of the STATE line, the ballot and the clerk's report, each repair named
  --structured WHICH    true asks for ballots with their JSON schema (response_format; default: false)`;

/** How a flag's alternatives are read; the conditions themselves say what is out of range. */
const READ: Readonly<Record<Flag, (text: string, flag: Flag) => unknown>> = {
  scenario: (text) => text,
  roles: (text) => text === "true" || (text === "false" ? false : refuse("roles", "true or false", text)),
  lineup: (text) => text,
  temperature: number,
  window: number,
  ablate: (text) => text,
  ablation: (text) => text,
  agents: (text) => (/^[A-Za-z]/.test(text) ? text : number(text, "agents")),
  rounds: number,
  variant: (text) => text,
  prompts: (text) => text,
  normaliser: (text) => text === "true",
  structured: (text) => text === "true" || (text === "false" ? false : refuse("structured", "true or false", text)),
};

/**
 * The conditions that flags ask for; undefined where none of them is given.
 *
 * @throws {UserError} (`exitCode` 2) naming the flag that cannot be read, or `--scenario` where it is missing.
 */
export function conditionGrid(values: FlagValues): ConditionGrid | undefined {
  const given = givenFlags(values);
  if (given.length === 0) return undefined;
  if (values.scenario === undefined) {
    throw new UserError(`--${given[0]} needs a scenario to vary: add --scenario, such as --scenario HL-01`, {
      exitCode: 2,
    });
  }
  const fields = given.map((
    flag,
  ) => [flag, String(values[flag]).split(",").map((text) => READ[flag](text.trim(), flag))]);
  return Object.fromEntries(fields);
}

/** The flags of a condition that are given, in the order of the help: the last one varies fastest. */
export const givenFlags = (values: FlagValues): Flag[] =>
  (Object.keys(CONDITION_FLAGS) as Flag[]).filter((flag) => values[flag] !== undefined);

function number(text: string, flag: Flag): number {
  return /^[\d.]/.test(text) && Number.isFinite(Number(text)) ? Number(text) : refuse(flag, "a number", text);
}

function refuse(flag: Flag, wanted: string, text: string): never {
  throw new UserError(`--${flag} must be ${wanted}, got "${text}"`, { exitCode: 2 });
}
