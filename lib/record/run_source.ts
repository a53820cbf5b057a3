import { z } from "zod";
import { nearest } from "../core/user_error.ts";

/** "did you mean": the known name nearest to each of those written. */
const near = (written: readonly string[], known: readonly string[]): string =>
  `did you mean ${written.map((name) => nearest(name, known, { count: 1 })[0]).join(", ")}?`;

/** An object of choices: a misspelt name is answered with the nearest one. */
const choices = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? `is no choice here: ${near(keys as string[], Object.keys(shape))}` : undefined,
  });

const noWord = (input: unknown, words: readonly string[]): string =>
  `must be ${words.join(", ")}` +
  (input === undefined ? "" : `; found ${JSON.stringify(input)}: ${near([String(input)], words)}`);

/** One of several words: an unknown one is answered with the nearest. */
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: ({ input }) => noWord(input, words) });

/** As `oneOf`, for the word that says which choices an object has. */
const unknownKind = (field: string) => ({
  error: ({ code, input, options }: z.core.$ZodRawIssue) =>
    code === "invalid_union" ? noWord(Object(input)[field], options as string[]) : undefined,
});

const Path = z.string().regex(/^$|^[^.]+(?:\.[^.]+)*$/, "must be names parted by dots, such as result.rounds");
const Paths = z.union([Path, z.array(Path).min(1)], {
  error: "must be a path such as result.rounds, or a list of paths",
});
/** Signs of a pattern each of which may match in many ways: the time for a name that does not match multiplies. */
const wildcards = (glob: string): number => glob.replace(/\\./g, "").match(/\*+|[{+]/g)?.length ?? 0;
const MOST_WILDCARDS = 4;
const Glob = z.string().min(1).max(500)
  .refine((glob) => !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(glob), "must stay inside the folder")
  .refine((glob) => !/[()]/.test(glob.replace(/\\./g, "")), "must have no ( ); in a name they are written \\( and \\)")
  .refine((glob) => wildcards(glob) <= MOST_WILDCARDS, `must have at most ${MOST_WILDCARDS} of *, ** and { }`);
const Globs = z.union([Glob, z.array(Glob).min(1)], { error: "must be a pattern such as */*.json, or a list of them" });
const Name = z.string().min(1);
const Names = z.array(Name).min(1).refine((names) => new Set(names).size === names.length, "must name each once");
const Pattern = z.string().min(1).max(500);
const anyCase = z.boolean().default(false).describe("whether capitals and small letters count alike");
const list = Paths.default("").describe("in a unit: the list of turns, rounds or rows; by default the unit itself");
const skip = z.int().min(0).default(0).describe("entries at the beginning that are no observations");
const opening = z.int().min(0).default(0).describe("entries after these that count for their speaker but are no round");
const at = Paths.default("").describe(
  "in an observation: its state, or the text with it; of several paths the first that is there",
);

const About = choices({
  models: z.union([Name, z.array(Name)]).optional().describe("the models that spoke"),
  temperature: z.number().min(0).optional().describe("sampling temperature"),
  licence: z.string().optional().describe("licence of the records"),
  source: z.string().optional().describe("where the records are published"),
  cite: z.string().optional().describe("the publication to cite"),
  redrawn: z.string().optional().describe("what differs between the replicates, such as the order of speakers"),
  synthetic: z.boolean().optional().describe("whether no language model took part"),
  looks: z.int().min(1).optional().describe("looks of a stopping design, which p and intervals do not allow for"),
});

const Observations = z.discriminatedUnion("layout", [
  choices({
    layout: z.literal("turns").describe("a list of turns in order, each of one agent"),
    ...{ list, skip, opening },
    agent: Paths.describe("in a turn: who speaks"),
  }),
  choices({
    layout: z.literal("pairs").describe("a list of interactions in order, each of several agents"),
    ...{ list, skip, opening },
    speakers: z.array(choices({
      agent: Path.describe("in an interaction: who"),
      said: Path.describe("in an interaction: what this agent said, in which state.at begins"),
    })).min(1).describe("the agents of an interaction"),
  }),
  choices({
    layout: z.literal("by-agent").describe("for each agent the list of its states by round"),
    list,
    agent: Paths.optional().describe("in a list of agents: the name; without it, agents are numbered from 1"),
    states: Paths.default("").describe("in an agent's entry: the list of its states"),
  }),
  choices({
    layout: z.literal("by-round").describe("for each round the states of all agents"),
    ...{ list, skip },
    agent: Paths.optional().describe("in a state of a list: whose it is; without it, agents are numbered from 1"),
    states: Paths.default("").describe("in a round: states by agent, or a list of them"),
  }),
  choices({
    layout: z.literal("rows").describe("one observation a row, in any order; round.by must be path"),
    list,
    agent: Paths.describe("in a row: whose state it is"),
  }),
], unknownKind("layout"));

const Round = z.discriminatedUnion("by", [
  choices({ by: z.literal("order").describe("each turn, or each place in the list of rounds, is a round") }),
  choices({
    by: z.literal("count").describe("a round is a number of turns or interactions"),
    every: z.union([z.int().min(1), z.literal("agents")], { error: 'must be a whole number from 1, or "agents"' })
      .describe("how many; agents: until each could have spoken once (N turns, N/2 interactions of two)"),
  }),
  choices({
    by: z.literal("path").describe("the records number their rounds"),
    at: Paths.describe("in a turn, a round or a row: its round's number"),
    first: z.int().min(0).default(1).describe("the number of the first round"),
  }),
], unknownKind("by"));

const Agents = choices({
  names: Names.optional().describe("whom a run must have, in this order; without it, those that most runs have"),
  rename: z.record(Name, Name).default({}).describe("other names for agents, by the written name"),
  leaveOut: z.array(Name).default([]).describe("written names whose observations are not read, such as a moderator's"),
  different: oneOf(["refuse", "exclude", "allow"]).default("refuse")
    .describe("what to do with a run of other agents; allow: an agent that is not in it has not spoken"),
});

const State = z.discriminatedUnion("kind", [
  choices({
    kind: z.literal("shares").describe("shares of the options, as a list or by option"),
    at,
    options: Names.optional().describe("the options in order; without it, the names in the first state, or 1, 2, …"),
    total: z.number().positive().default(1).describe("what the shares sum to, such as 100 for percent"),
  }),
  choices({
    kind: z.literal("vote").describe("one option of several"),
    ...{ at, anyCase },
    options: z.union([Names, z.literal("occurring")], { error: 'must be a list of different names, or "occurring"' })
      .describe("the options in order; occurring: all that occur, sorted"),
    pattern: Pattern.optional()
      .describe("regular expression (RE2) whose last match in the text is the vote: its first group, or all of it"),
    rename: z.record(Name, Name).default({}).describe("options by other ways to write them"),
  }),
  choices({
    kind: z.literal("number").describe("a number within a range, kept as the shares of the range's two ends"),
    ...{ at, anyCase },
    range: z.tuple([z.number(), z.number()])
      .refine(([low, high]) => low < high && high - low < Infinity, "must rise")
      .describe("lower, upper end"),
    pattern: Pattern.optional().describe("regular expression (RE2) whose last match in the text is the number"),
  }),
  choices({
    kind: z.literal("issues").describe("one option in each of several issues"),
    at,
    issues: Names.describe("the issues in order"),
    options: Names.describe("the options of every issue in order"),
    patterns: z.array(choices({
      match: Pattern.describe("regular expression (RE2): the first group is the issue, the second its option"),
      within: Pattern.optional().describe("regular expression (RE2) of passages to look in: first group, or all"),
      anyCase,
    })).min(1).optional().describe(
      "tried in order: a text is read by the first that finds all issues, in the last passage that has them all, each at " +
        "its last match; without patterns, the state is an object of options by issue",
    ),
  }),
], unknownKind("kind"));

/** Where runs are in anybody's records, and how a state becomes a vector: all choices, no code. */
export const RunSource = choices({
  schema: z.literal("run-source/2"),
  name: Name.describe("name of the condition, in free text"),
  about: About.prefault({}).describe("what the records are, and whose"),
  files: Globs.default("*").describe("in a folder that is given: the files to read, such as */history*.json"),
  inside: Globs.default("*").describe("in a zip: the files to read, such as samples/*.json"),
  unit: oneOf(["file", "line", "element", "rows"]).describe(
    "what holds a run: a JSON file; a line of JSON lines; an element of a list in a JSON file; the rows (CSV, tabs, JSON " +
      "lines or a JSON list) that have its name",
  ),
  elements: Paths.default("").describe("with unit element or rows, in a JSON file: the list"),
  separator: z.string().regex(/^[^"\r\n]$/, "must be one character, and no quote").default(",").describe(
    "between cells of a CSV file; in a .tsv file it is the tab",
  ),
  only: z.record(Path, z.union([z.string(), z.number(), z.boolean()])).default({})
    .describe("reads only units, or rows, that have these values"),
  run: Paths.optional().describe("in a unit or a row: what together names its run; without it, file and place"),
  decision: Paths.optional().describe("in a unit: the run's decision"),
  failed: Paths.optional().describe("in a unit: the error of a run that broke off; with a value there, it is excluded"),
  observations: Observations,
  round: Round.default({ by: "order" }),
  rounds: z.int().min(1).max(100_000).optional().describe("T, rounds to read; without it, those of the longest run"),
  agents: Agents.prefault({}),
  state: State,
  text: Paths.optional().describe("in a turn, a state or a row: the words that came with it, to compare what was said"),
  outside: oneOf(["refuse", "flag", "missing"]).default("refuse")
    .describe(
      "states that cannot be read or are out of range: missing, unread; flag, kept as written where it is a number",
    ),
  hold: oneOf(["refuse", "last", "none"]).default("refuse")
    .describe("the state of who says nothing in a round: the last one, or none, so that the mean is without it"),
  repeated: oneOf(["refuse", "last"]).default("refuse")
    .describe("an agent's second state in a round that the records number"),
  ended: oneOf(["refuse", "carry", "cut", "exclude"]).default("refuse")
    .describe("runs that stop before round T: carry their last state, cut all to the shortest, exclude them"),
  copies: oneOf(["refuse", "exclude", "keep"]).default("refuse").describe("a file with the bytes of one before it"),
}).refine(({ observations: { layout }, round: { by } }) => layout !== "rows" || by === "path", {
  path: ["round", "by"],
  error: "must be path where the layout is rows",
});
/** A checked mapping; its defaults are filled in. */
export type RunSource = z.infer<typeof RunSource>;
/** A mapping as written: what has a default may be left out. */
export type RunSourceChoices = z.input<typeof RunSource>;
