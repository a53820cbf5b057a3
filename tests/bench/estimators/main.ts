import { fileURLToPath } from "node:url";
import { progress } from "@/notebook/progress.ts";
import type { EstimatorStudy } from "../kept_tables.ts";
import { writeAtomically } from "@/record/files.ts";
import { badArguments, interruptible, print, runCommand } from "@/tools/command.ts";
import { allRecipes } from "./recipes.ts";
import { STOPPING, stoppingHash } from "./stopping.ts";
import { regimesOf, type TableName } from "./tables.ts";
import { rowOf, type Seen, STUDY, studyHash } from "./study.ts";

const FOLDER = fileURLToPath(new URL("../../../data/estimators/", import.meta.url));
const TABLES = { coverage: { options: STUDY, hash: studyHash }, stopping: { options: STOPPING, hash: stoppingHash } };
/** Ensembles that a worker looks at before it asks for more. */
const CHUNK = 100;
/** Ensembles of each regime that a test looks at again. */
const SLICE = 2;

const HELP = `
usage: deno task dev estimators [coverage|stopping]

Makes ensembles whose slope is known, ${STUDY.ensembles} of each regime, and counts how often intervals hold it and how
often tests reject (coverage), and how often and when designs that may stop early stop (stopping); by default both. Writes
the counts to data/estimators/, which notebooks show. To be run again when an estimator changes; a test says when a file is
stale. Takes some ten and twenty minutes on two cores, less on more.
`;

/** A worker that is asked one thing at a time. */
function asking(): { ask(question: object): Promise<Seen[]>; end(): void } {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(event.message));
        };
        worker.postMessage(question);
      }),
    end: () => worker.terminate(),
  };
}

/** Looks at every ensemble of a table's regimes, on all cores. */
async function look(table: TableName, count: number, signal: AbortSignal): Promise<Seen[][]> {
  const starts = Array.from({ length: STUDY.ensembles / CHUNK }, (_, i) => i * CHUNK);
  const questions = Array.from({ length: count }, (_, regime) => starts.map((from) => ({ regime, from }))).flat();
  const bar = await progress("Ensembles with a known slope, in hundreds", questions.length);
  const answers: Seen[][] = [];
  let next = 0;
  const work = async () => {
    const { ask, end } = asking();
    try {
      for (let at = next++; at < questions.length; at = next++) {
        signal.throwIfAborted();
        const { regime, from } = questions[at]!;
        answers[at] = await ask({ table, regime, from, to: from + CHUNK });
        await bar.advance();
      }
    } finally {
      end();
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work)).finally(() => bar.finish());
  return Array.from({ length: count }, (_, i) => answers.slice(i * starts.length, (i + 1) * starts.length).flat());
}

async function make(table: TableName): Promise<void> {
  const { options, hash } = TABLES[table], file = `${FOLDER}${table}.json`;
  const [all, code] = [await regimesOf(table), await hash()];
  const seen = await interruptible((signal) => look(table, all.length, signal));
  const study: EstimatorStudy = {
    ...{ schema: "estimator-study/1", command: "deno task estimators", code, options },
    recipes: (await allRecipes()).map(({ draw: _, ...recipe }) => recipe),
    rows: all.map((regime, i) => rowOf(regime, seen[i]!)),
    slice: all.map((regime, i) => rowOf(regime, seen[i]!.slice(0, SLICE))),
  };
  const text = JSON.stringify(study, null, 1).replace(/\n {3,}/g, " ").replace(/\n {2}([}\]])/g, " $1");
  await writeAtomically(file, `${text}\n`);
  print(`${study.rows.length} regimes written to data/estimators/${table}.json`);
}

if (import.meta.main) {
  await runCommand({
    name: "estimators",
    help: HELP,
    options: {},
    async run({ positionals: [name, ...rest] }) {
      const names = Object.keys(TABLES) as TableName[];
      const wanted = names.filter((table) => name === undefined || table === name);
      if (wanted.length === 0 || rest.length > 0) throw badArguments(`takes one of ${names.join(" and ")}, or nothing`);
      for (const table of wanted) await make(table);
    },
  });
}
