import { UserError } from "../core/user_error.ts";
import { type Condition, type ConditionKnobs, conditionKnobs, mandateFlaw } from "../schema/condition.ts";
import { joinMandates, ROLES, seatingOf, splitMandates } from "../schema/scenario.ts";

/**
 * A condition's name and the stem of its ledger, as in the paper: `HL-01__T0.0__N5__rolesFalse`, with
 * `__committee-jury`, `__ablate-Chair+Equity`, `__seats-Chair+Welfare+Welfare`, `__multimodel`, `__k3`, `__variant-formal`, `__normaliser`,
 * `__structured` where they differ from the default.
 */
export function conditionName(condition: Condition): string {
  const { scenario, variant, temperature, agents, ...knobs } = conditionKnobs(condition);
  const { committee, roles, ablate, lineup, window, rounds, normaliser, structured } = knobs;
  const parts = [
    scenario,
    `T${formatTemperature(temperature)}`,
    `N${condition.seats.length}`,
    `roles${roles ? "True" : "False"}`,
    committee && `committee-${committee}`,
    ablate && `ablate-${ablate}`,
    typeof agents === "string" && `seats-${agents}`,
    lineup === "mixed" ? "multimodel" : lineup !== "uniform" && `lineup-${lineup}`,
    window !== 15 && `k${window}`,
    rounds !== 20 && `R${rounds}`,
    variant && `variant-${variant}`,
    normaliser && "normaliser",
    structured && "structured",
  ];
  return parts.filter(Boolean).join("__");
}

/** 0 → `0.0`, 0.7 → `0.7`, 0.00001 → `1e-5`. */
function formatTemperature(temperature: number): string {
  if (Number.isInteger(temperature)) return temperature.toFixed(1);
  return temperature < 1e-4 ? temperature.toExponential() : String(temperature);
}

/**
 * Reads a condition's name, `HL-01__T0.0__N5__rolesFalse`, with `__committee-jury`, `__ablate-Chair+Equity`, `__seats-Chair+Welfare+Welfare`,
 * `__multimodel` or `__lineup-own`, `__k3`, `__R40`, `__variant-formal`, `__normaliser` in any order: the reverse of
 * `conditionName`.
 *
 * Temperatures may be written as Python does (`1e-05`). What is not named has the paper's value: all mandates, a uniform
 * line-up, k = 15, 20 rounds, the canonical text.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Table S2.
 *
 * @param name without folder and `.jsonl`.
 * @throws {UserError} naming the part that does not fit and what was expected (`exitCode` 2 for an unknown role).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const { scenario, roles, ablate, window } = parseConditionName("IM-01__T0.0__N5__rolesTrue__ablate-Chair");
 * assert.deepEqual([scenario, roles, ablate, window], ["IM-01", true, "Chair", 15]);
 * ```
 */
export function parseConditionName(name: string): ConditionKnobs {
  const [scenario = "", temperature = "", count = "", roles = "", ...additions] = name.split("__");
  const refuse = (part: string, rule: string): never => {
    throw new UserError(
      `"${name}" names no condition: ${part === "" ? "it ends where" : `"${part}" stands where`} ${rule}`,
    );
  };
  const fields: ConditionKnobs = {
    scenario: /^[A-Z]{2}-\d{2}$/.test(scenario) ? scenario : refuse(scenario, "a scenario such as HL-01 is expected"),
    temperature: readTemperature(temperature) ?? refuse(temperature, "a temperature such as T0.0 or T1e-5 is expected"),
    agents: readCount(count, /^N(\d+)$/, 2) ?? refuse(count, "a number of agents such as N5 is expected"),
    roles: roles === "rolesTrue" ||
      (roles === "rolesFalse" ? false : refuse(roles, "rolesTrue or rolesFalse is expected")),
    ...{ lineup: "uniform", window: 15, rounds: 20 },
  };
  // What the seats of a committee of one's own are called is in its file alone, so its names are taken as they are.
  const own = additions.some((addition) => addition.startsWith(OF_COMMITTEE));
  const seen = new Set<string>();
  for (const addition of additions) {
    const read = readAddition(addition, own) ?? refuse(addition, `only ${EXPECTED} can follow`);
    const [field] = Object.keys(read) as [string];
    if (seen.has(field)) refuse(addition, `its ${field} was named before`);
    seen.add(field);
    if (read.agents !== undefined && seatCount(read.agents) !== fields.agents) {
      refuse(addition, `the roles of ${fields.agents} seats are expected`);
    }
    Object.assign(fields, read);
  }
  if (fields.ablate && !fields.roles) {
    refuse(`ablate-${fields.ablate}`, "roles are off, so there is no mandate to take away");
  }
  if (own) return fields;
  // A number alone does not say who sat in somebody else's committee: any of the five may have.
  const agents = typeof fields.agents === "number" ? Math.max(fields.agents, ROLES.length) : fields.agents;
  const flaw = mandateFlaw({ ...fields, agents });
  if (flaw) refuse(flaw.field === "ablate" ? `ablate-${fields.ablate}` : `seats-${fields.agents}`, flaw.rule);
  return fields;
}

const OF_COMMITTEE = "committee-";

const seatCount = (agents: number | string): number => typeof agents === "number" ? agents : agents.split("+").length;

const EXPECTED =
  "ablate-ROLE, multimodel, lineup-NAME, kNUMBER, RNUMBER, variant-NAME, normaliser, structured, committee-NAME and seats-ROLE+ROLE";

function readAddition(addition: string, own: boolean): Partial<ConditionKnobs> | undefined {
  if (addition === "multimodel") return { lineup: "mixed" };
  if (addition === "normaliser") return { normaliser: true };
  if (addition === "structured") return { structured: true };
  const [, kind, name = ""] = /^(committee|ablate|seats|lineup|variant)-(.+)$/.exec(addition) ?? [];
  if (own && kind === "ablate") return { ablate: name };
  if (own && kind === "seats") return { agents: name };
  if (kind === "ablate") return { ablate: joinMandates(splitMandates(name)) };
  if (kind === "seats") return { agents: seatingOf(splitMandates(name)) };
  if (kind !== undefined) return /^[a-z][a-z0-9-]*$/.test(name) ? { [kind]: name } : undefined;
  const window = readCount(addition, /^k(\d+)$/, 0);
  if (window !== undefined) return { window };
  const rounds = readCount(addition, /^R(\d+)$/, 1);
  return rounds === undefined ? undefined : { rounds };
}

function readTemperature(part: string): number | undefined {
  if (!/^T\d+(?:\.\d+)?(?:e-\d+)?$/.test(part)) return undefined;
  const temperature = Number(part.slice(1));
  return temperature <= 2 ? temperature : undefined;
}

function readCount(part: string, form: RegExp, least: number): number | undefined {
  const [, digits] = form.exec(part) ?? [];
  const count = Number(digits);
  return Number.isSafeInteger(count) && count >= least ? count : undefined;
}
