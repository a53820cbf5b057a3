import { committeeMean } from "../core/numbers.ts";
import { nearest } from "../core/user_error.ts";
import type { ConditionKnobs } from "../schema/condition.ts";
import { OPTION_LETTERS, ROLES, seatedRoles } from "../schema/scenario.ts";
import { RunFlaw, type RunMapping } from "./run_mapping.ts";
import { SUM_TOLERANCE } from "./source_states.ts";
import { valueAt } from "./source_values.ts";

/** One run of another author's records, as far as it is measured. */
export interface RunContent {
  /** The line's name for it; absent where it has none. */
  readonly id?: string;
  /** Committee means, shape [T][K]. */
  readonly means: readonly (readonly number[])[];
  /** Every agent's preferences, shape [T][N][K], in seat order; absent where the line holds means alone. */
  readonly preferences?: readonly (readonly (readonly number[])[])[];
  /** The agents' names in seat order; absent where they have none. */
  readonly agents?: readonly string[];
  readonly decision?: string;
  readonly synthetic?: boolean;
}

/**
 * Reads one line's JSON as a run of the condition that its file is named after.
 *
 * If a line has agents and means, the means must be those of the agents to within 0.001.
 *
 * @throws {RunFlaw} naming round, agent and rule.
 */
export function readRun(json: unknown, mapping: RunMapping, condition: ConditionKnobs): RunContent {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw malformed("is not an object { }: each line must hold one run");
  }
  const [rounds, trajectory] = [valueAt(json, mapping.rounds), valueAt(json, mapping.trajectory)];
  if (rounds === undefined && trajectory === undefined) throw noRounds(json, mapping);
  const spoken = rounds === undefined ? undefined : readRounds(rounds, mapping, condition);
  const written = trajectory === undefined ? undefined : readMeans(trajectory, condition);
  const means = spoken ? spoken.preferences.map(committeeMean) : written!;
  if (spoken && written) refuseOtherMeans(means, written);
  const [id, decision, synthetic] = [mapping.run, mapping.decision, mapping.synthetic].map((paths) =>
    valueAt(json, paths)
  );
  return {
    ...(isGiven(id) && { id: String(typed(id, "run", ["string", "number"])) }),
    means,
    ...spoken,
    ...(isGiven(decision) && { decision: String(typed(decision, "decision", ["string"])) }),
    ...(isGiven(synthetic) && { synthetic: typed(synthetic, "flag synthetic", ["boolean"]) === true }),
  };
}

const malformed = (words: string): RunFlaw => new RunFlaw("malformed", words);
const incomplete = (words: string): RunFlaw => new RunFlaw("incomplete", words);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function typed(value: unknown, what: string, types: readonly string[]): unknown {
  if (types.includes(typeof value)) return value;
  throw malformed(`has the ${what} ${excerpt(value)}: must be a ${types.join(" or ")}`);
}

const excerpt = (value: unknown): string => JSON.stringify(value).slice(0, 40);

function noRounds(json: object, { rounds, trajectory }: RunMapping): RunFlaw {
  const fields = Object.keys(json).slice(0, 12).join(", ") || "none";
  return malformed(
    `has neither rounds (${rounds.join(", ")}) nor committee means (${
      trajectory.join(", ")
    }); its fields are ${fields}: ` +
      "say in a mapping where they are",
  );
}

/** The rounds of a line: the same agents throughout, in seat order. */
function readRounds(rounds: unknown, mapping: RunMapping, condition: ConditionKnobs) {
  if (Array.isArray(rounds)) refuseOtherOrder(rounds.map((round) => valueAt(round, mapping.round)));
  const expected = seatedRoles(condition.agents).length;
  const read = listOfRounds(rounds, condition).map((round, t) =>
    readStates(valueAt(round, mapping.states), mapping, { round: t + 1, expected })
  );
  const agents = read[0]!.agents;
  const options = read[0]!.preferences[0]!.length;
  read.forEach((round, t) => {
    sameAgents(round.agents, agents, t + 1);
    sameOptions(round.preferences, options, t + 1);
  });
  return { preferences: read.map(({ preferences }) => preferences), ...(agents && { agents }) };
}

/** Rounds that say their number, from 0 or 1, must follow one another: a list that is too short may lack one in the middle. */
function refuseOtherOrder(numbers: readonly unknown[]): void {
  const first = numbers[0] === 0 ? 0 : 1, other = numbers.findIndex((number, t) => (number ?? t + first) !== t + first);
  if (other < 0) return;
  const number = numbers[other], expected = other + first;
  if (typeof number === "number" && number > expected) throw incomplete(`lacks round ${expected}`);
  throw malformed(`has round ${excerpt(number)} where round ${expected} is expected`);
}

function listOfRounds(rounds: unknown, condition: ConditionKnobs): unknown[] {
  if (!Array.isArray(rounds)) throw malformed(`has rounds that are no list: ${excerpt(rounds)}`);
  if (rounds.length < condition.rounds) {
    throw incomplete(`ends at round ${rounds.length} of ${condition.rounds}`);
  }
  if (rounds.length === condition.rounds) return rounds;
  throw malformed(`has ${rounds.length} rounds, the file's name says ${condition.rounds}`);
}

interface RoundStates {
  readonly preferences: number[][];
  readonly agents?: readonly string[];
}

function readStates(
  states: unknown,
  mapping: RunMapping,
  { round, expected }: { round: number; expected: number },
): RoundStates {
  if (typeof states !== "object" || states === null) {
    throw incomplete(`round ${round} has no states of agents`);
  }
  const entries = Array.isArray(states)
    ? states.map((state: unknown) => ({ agent: valueAt(state, mapping.agent), state }))
    : Object.entries(states).map(([agent, state]) => ({ agent, state }));
  if (entries.length !== expected) {
    const code = entries.length < expected ? "incomplete" : "malformed";
    const names = entries.map(({ agent }) => String(agent ?? "")).filter(Boolean).join(", ");
    throw new RunFlaw(
      code,
      `round ${round} has ${entries.length} agents of ${expected}${names === "" ? "" : `: ${names}`}`,
    );
  }
  const named = entries.some(({ agent }) => agent !== undefined);
  const seated = named ? entries.map((entry) => ({ ...entry, rank: seatRank(entry.agent, round) })) : undefined;
  const ordered = seated?.sort((a, b) => a.rank - b.rank) ?? entries;
  const preferences = ordered.map(({ agent, state }, i) =>
    readShares(valueAt(state, mapping.preferences) ?? null, `round ${round}, ${named ? agent : `agent ${i + 1}`}`)
  );
  return { preferences, ...(named && { agents: ordered.map(({ agent }) => String(agent)) }) };
}

/** The place of an agent: roles in the paper's order, further ones of a role (`Welfare-2`) after them; `Agent 3` is third. */
function seatRank(agent: unknown, round: number): number {
  const [, role, again = "1", number] = /^(?:([A-Za-z]+)(?:-([2-9]|1\d))?|Agent (\d{1,2}))$/.exec(String(agent)) ?? [];
  const seat = ROLES.findIndex((name) => name === role);
  if (number !== undefined) return Number(number);
  if (seat >= 0) return (Number(again) - 1) * ROLES.length + seat;
  const known = nearest(String(agent), [...ROLES, "Agent 1"]).join(", ");
  throw malformed(`round ${round} has the unknown role ${excerpt(agent ?? null)}: the nearest known are ${known}`);
}

function sameAgents(agents: readonly string[] | undefined, first: readonly string[] | undefined, round: number): void {
  if (new Set(agents).size < (agents?.length ?? 0)) {
    throw malformed(`round ${round} has an agent twice: ${agents!.join(", ")}`);
  }
  if (agents?.join() === first?.join()) return;
  const names = (list: readonly string[] | undefined) => list?.join(", ") ?? "agents without names";
  throw malformed(`round ${round} has ${names(agents)}, round 1 ${names(first)}`);
}

function readMeans(trajectory: unknown, condition: ConditionKnobs): number[][] {
  const means = listOfRounds(trajectory, condition).map((state, t) => readShares(state, `round ${t + 1}`));
  means.forEach((state, t) => sameOptions([state], means[0]!.length, t + 1));
  return means;
}

function sameOptions(states: readonly (readonly number[])[], options: number, round: number): void {
  const other = states.find((state) => state.length !== options);
  if (other === undefined) return;
  throw malformed(`round ${round} has ${other.length} options where ${options} are expected`);
}

/** Written means are rounded; further away than this they are of something else. */
const MEANS_TOLERANCE = 1e-3;

function refuseOtherMeans(means: readonly (readonly number[])[], written: readonly (readonly number[])[]): void {
  means.forEach((state, t) => {
    sameOptions([written[t]!], state.length, t + 1);
    const k = state.findIndex((share, k) => Math.abs(share - written[t]![k]!) > MEANS_TOLERANCE);
    if (k < 0) return;
    const option = `round ${t + 1}, option ${OPTION_LETTERS[k] ?? k + 1}`;
    throw malformed(
      `${option}: the committee mean is written as ${written[t]![k]}, its agents' mean is ${
        Number(state[k]!.toFixed(6))
      }`,
    );
  });
}

/**
 * The shares of an agent or a committee, [K]: a list, or an object by `A`, `B`, `C` or `p_A`, `p_B`, `p_C`. They are given as
 * written, never rescaled.
 *
 * @param where such as `round 3, Chair`; opens every complaint.
 * @throws {RunFlaw} `incomplete` where a share is null or NaN, otherwise `malformed`.
 */
function readShares(value: unknown, where: string): number[] {
  if (value === null || value === undefined) throw incomplete(`${where} has no preferences`);
  const shares = Array.isArray(value) ? value : sharesByLetter(value);
  if (shares === undefined || shares.length < 2) {
    throw malformed(`${where} has no list of shares, nor shares named A, B, … or p_A, p_B, …`);
  }
  const numbers = shares.map((share, k) => readShare(share, `${where}, option ${OPTION_LETTERS[k] ?? k + 1}`));
  const sum = numbers.reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return numbers;
  throw malformed(`${where} has shares that sum to ${Number(sum.toFixed(6))}, more than 0.01 from 1`);
}

function readShare(share: unknown, where: string): number {
  if (typeof share === "number" && share >= 0 && share <= 1) return share;
  const written = JSON.stringify(share) ?? "missing";
  if (share === null || /^"(?:NaN|-?Infinity)"$/.test(written)) {
    throw incomplete(`${where} is ${written.replaceAll('"', "")}`);
  }
  throw malformed(`${where} is ${written.slice(0, 40)}: must be a number from 0 to 1`);
}

/** Values in the order of their letters, as far as letters go without a gap. */
function sharesByLetter(value: unknown): unknown[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const byName = new Map(Object.entries(value));
  const form = [(letter: string) => letter, (letter: string) => `p_${letter}`].find((name) => byName.has(name("A")));
  if (form === undefined) return undefined;
  const named = OPTION_LETTERS.map((letter) => byName.get(form(letter)));
  const end = named.findIndex((share) => share === undefined);
  return end < 0 || named.slice(end).every((share) => share === undefined)
    ? named.slice(0, end < 0 ? undefined : end)
    : undefined;
}
