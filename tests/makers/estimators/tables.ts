import { answerRowsOf, ANSWERS, answersHash, answersIn, CELLS, fewWrongRows, type StudySeen } from "./answers.ts";
import { allRecipes } from "./recipes.ts";
import { STOPPING, stoppingHash, stoppingRegimes } from "./stopping.ts";
import { type Regime, regimes, rowOf, type Seen, seenIn, STUDY, studyHash } from "./study.ts";

/** A table: what is looked at, in how many ensembles, and the rows that come of it. */
interface Table {
  readonly options: Readonly<Record<string, number>>;
  readonly ensembles: number;
  readonly hash: () => Promise<string>;
  /** How many regimes or cells are looked at. */
  readonly parts: () => Promise<number>;
  readonly look: (part: number, from: number, to: number) => Promise<unknown[]>;
  readonly rows: (part: number, seen: readonly unknown[]) => Promise<object[]>;
  /** Fields of the file besides. */
  readonly about: () => Promise<{ readonly schema: string; readonly command: string }>;
}

/** A table of regimes, each with one row. */
function ofRegimes(options: Table["options"], hash: Table["hash"], make: () => Promise<Regime[]>): Table {
  let made: ReturnType<typeof make> | undefined;
  const all = () => made ??= make();
  return {
    ...{ options, hash, ensembles: STUDY.ensembles },
    parts: async () => (await all()).length,
    look: async (part, from, to) => seenIn((await all())[part]!, from, to),
    rows: async (part, seen) => [rowOf((await all())[part]!, seen as Seen[])],
    about: async () => ({
      ...{ schema: "estimator-study/1", command: "deno task dev estimators" },
      recipes: (await allRecipes()).map(({ draw: _, ...recipe }) => recipe),
    }),
  };
}

export const TABLES = {
  coverage: ofRegimes(STUDY, studyHash, regimes),
  stopping: ofRegimes(STOPPING, stoppingHash, stoppingRegimes),
  answers: {
    ...{ options: ANSWERS, hash: answersHash, ensembles: ANSWERS.ensembles },
    parts: () => Promise.resolve(CELLS.length),
    look: (part, from, to) => Promise.resolve(answersIn(part, from, to)),
    rows: (part, seen) => Promise.resolve(answerRowsOf(part, seen as StudySeen[])),
    about: () =>
      Promise.resolve({
        ...{ schema: "answer-study/1", command: "deno task dev estimators answers" },
        fewWrong: fewWrongRows(),
      }),
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;
