import { nearest, UserError } from "../core/user_error.ts";
import type { ConditionKnobs } from "../schema/condition.ts";
import { OPTION_LETTERS, ROLES } from "../schema/scenario.ts";
import { RunFlaw, type RunMapping } from "./run_mapping.ts";
import { RunSource } from "./run_source.ts";
import { observer } from "./source_observations.ts";
import { assembleRuns } from "./source_runs.ts";
import { excerpt, flaw, type StateReader, SUM_TOLERANCE } from "./source_states.ts";
import { type Paths, SourceFlaw, valueAt } from "./source_values.ts";

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
  const fields = ["rounds", "trajectory", "run", "decision", "synthetic"] as const;
  const [rounds, trajectory, id, decision, synthetic] = fields.map((field) => valueAt(json, mapping[field]));
  if (rounds === undefined && trajectory === undefined) throw noRounds(json, mapping);
  const source = { ...LINE, rounds: condition.rounds }, options: string[] = [];
  const layout = rounds === undefined ? undefined : layoutOf(rounds, mapping);
  const spoken = layout && assembled(rounds, { ...source, observations: layout }, {
    states: sharesReader(mapping.preferences, options),
    expected: typeof condition.agents === "number" ? condition.agents : condition.agents.split("+").length,
    // The seats of a committee of one's own stand in its file alone: its agents keep the order in which they first speak.
    rankOf: layout.agent === undefined ? undefined : condition.committee === undefined ? seatRank : () => 0,
  });
  // Committee means are the states of one agent.
  const written = trajectory === undefined
    ? undefined
    : assembled({ means: trajectory }, source, { states: sharesReader("", options), expected: 1 });
  if (spoken && written) refuseOtherMeans(spoken.means, written.means);
  return {
    ...(isGiven(id) && { id: String(typed(id, "run", ["string", "number"])) }),
    means: (spoken ?? written)!.means,
    ...(spoken && { preferences: spoken.preferences, ...(layout.agent && { agents: spoken.agents }) }),
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

function noRounds(json: object, { rounds, trajectory }: RunMapping): RunFlaw {
  const fields = Object.keys(json).slice(0, 12).join(", ") || "none";
  const places = `rounds (${rounds.join(", ")}) nor committee means (${trajectory.join(", ")})`;
  return malformed(`has neither ${places}; its fields are ${fields}: say in a mapping where they are`);
}

/** A line as a mapping reads it: by agent the list of states, of which none may be missing. */
const LINE = RunSource.parse({
  schema: "run-source/2",
  name: "a line",
  unit: "line",
  observations: { layout: "by-agent" },
  state: { kind: "shares" },
  ended: "exclude",
});

interface Assembling {
  readonly states: StateReader;
  /** Number of agents. */
  readonly expected: number;
  readonly rankOf?: ((agent: string) => number) | undefined;
}

/** One line's run as its mapping reads it, with all agents of the condition. */
function assembled(value: unknown, source: RunSource, { states, expected, rankOf = () => 0 }: Assembling) {
  try {
    const observations = observer(source, states.read).run(value);
    const names = [...new Set(observations.map(({ agent }) => agent))];
    const [more] = names.slice(expected), count = `${names.length} agents of ${expected}`;
    if (more !== undefined) {
      const { turn } = observations.find(({ agent }) => agent === more)!;
      throw malformed(`round ${turn + 1} has ${more} beside ${names.slice(0, expected).join(", ")}: ${count}`);
    }
    names.sort((a, b) => rankOf(a) - rankOf(b));
    const whole = { ...source, agents: { ...source.agents, names } };
    const unit = { id: "", file: "", observations, decision: undefined };
    const { agents, runs: [run], excluded } = assembleRuns([unit], whole, states);
    if (run === undefined) throw incomplete(excluded[0]!.cause);
    if (run.ended > whole.rounds!) throw malformed(`has ${run.ended} rounds, the file's name says ${whole.rounds}`);
    if (names.length < expected) throw incomplete(`has ${count}: ${names.join(", ")}`);
    return { agents, means: run.means, preferences: run.states as RunContent["means"][] };
  } catch (error) {
    const cause = error instanceof UserError ? error.cause : error;
    if (!(cause instanceof SourceFlaw)) throw error;
    throw new RunFlaw(/^(?:state\.)?hold\b/.test(cause.choice) ? "incomplete" : "malformed", cause.words);
  }
}

/** Where the rounds of a line have their states; without the path of agents where none has a name. */
function layoutOf(rounds: unknown, { round, states, agent }: RunMapping) {
  const list = Array.isArray(rounds) ? rounds : [], spoken = list.map((one) => valueAt(one, states));
  refuseOtherOrder(list.map((one) => valueAt(one, round)));
  const silent = spoken.findIndex((entries) => typeof entries !== "object" || entries === null);
  if (silent >= 0) throw incomplete(`round ${silent + 1} has no states of agents`);
  const named = spoken.some((entries) =>
    !Array.isArray(entries) || entries.some((entry) => valueAt(entry, agent) !== undefined)
  );
  return { layout: "by-round" as const, list: "", skip: 0, states, agent: named ? agent : undefined };
}

/** Rounds that say their number, from 0 or 1, must follow one another: a list that is too short may lack one in the middle. */
function refuseOtherOrder(numbers: readonly unknown[]): void {
  const first = numbers[0] === 0 ? 0 : 1, other = numbers.findIndex((number, t) => (number ?? t + first) !== t + first);
  if (other < 0) return;
  const number = numbers[other], expected = other + first;
  if (typeof number === "number" && number > expected) throw incomplete(`lacks round ${expected}`);
  throw malformed(`has round ${excerpt(number)} where round ${expected} is expected`);
}

/** The place of an agent: roles in the paper's order, further ones of a role (`Welfare-2`) after them; `Agent 3` is third. */
function seatRank(agent: string): number {
  const [, role, again = "1", number] = /^(?:([A-Za-z]+)(?:-([2-9]|1\d))?|Agent (\d{1,2}))$/.exec(agent) ?? [];
  const seat = ROLES.findIndex((name) => name === role);
  if (number !== undefined) return Number(number);
  if (seat >= 0) return (Number(again) - 1) * ROLES.length + seat;
  const known = nearest(agent, [...ROLES, "Agent 1"]).join(", ");
  throw malformed(`has the unknown role ${excerpt(agent)}: the nearest known are ${known}`);
}

/** Written means are rounded; further away than this they are of something else. */
const MEANS_TOLERANCE = 1e-3;

function refuseOtherMeans(means: RunContent["means"], written: RunContent["means"]): void {
  means.forEach((state, t) => {
    const k = state.findIndex((share, k) => Math.abs(share - written[t]![k]!) > MEANS_TOLERANCE);
    if (k < 0) return;
    const where = `round ${t + 1}, option ${optionName(k)}`, own = Number(state[k]!.toFixed(6));
    throw malformed(`${where}: the committee mean is written as ${written[t]![k]}, its agents' mean is ${own}`);
  });
}

const optionName = (k: number): string => OPTION_LETTERS[k] ?? String(k + 1);

/**
 * Reads the shares of an agent or a committee, [K]: a list, or an object by `A`, `B`, `C` or `p_A`, `p_B`, `p_C`. They are given as
 * written, never rescaled; a state with a share that is null or NaN counts as none.
 *
 * @param options takes the names of the options from the first state: all others must have as many.
 */
function sharesReader(preferences: Paths, options: string[]): StateReader {
  return {
    options,
    read(said) {
      const value = valueAt(said, preferences);
      if (!isGiven(value)) return flaw("has no preferences", "hold");
      const shares = Array.isArray(value) ? value : sharesByLetter(value);
      if (shares === undefined || shares.length < 2) {
        return flaw("has no list of shares, nor shares named A, B, … or p_A, p_B, …", "state");
      }
      const k = shares.findIndex((share) => !(typeof share === "number" && share >= 0 && share <= 1));
      const words = `option ${optionName(k)} is ${excerpt(shares[k])}`;
      if (k >= 0 && MISSING.test(words)) return flaw(words.replaceAll('"', ""), "hold");
      if (k >= 0) return flaw(`${words}: must be a number from 0 to 1`, "state");
      const sum = shares.reduce((total, share) => total + share, 0);
      if (Math.abs(sum - 1) > SUM_TOLERANCE) {
        return flaw(`has shares that sum to ${Number(sum.toFixed(6))}, more than 0.01 from 1`, "state");
      }
      if (options.length === 0) options.push(...shares.map((_, k) => optionName(k)));
      if (shares.length === options.length) return { vector: shares };
      return flaw(`has ${shares.length} options where ${options.length} are expected`, "state");
    },
  };
}

/** The words for a share that is not there, as JSON has it or Python. */
const MISSING = /is (?:null|"NaN"|"-?Infinity")$/;

/** Values in the order of their letters, as far as letters go without a gap. */
function sharesByLetter(value: unknown): unknown[] | undefined {
  const [named] = ["", "p_"].map((form) => OPTION_LETTERS.map((letter) => valueAt(value, form + letter)))
    .filter(([first]) => first !== undefined);
  const shares = named?.slice(0, 1 + named.findLastIndex((share) => share !== undefined));
  return shares?.includes(undefined) ? undefined : shares;
}
