import { fileURLToPath } from "node:url";
import { progress } from "@/lab/notebook/progress.ts";
import { writeAtomically } from "@/record/files.ts";
import { badArguments, interruptible, print, runCommand, textTable } from "@/lab/tools/command.ts";
import { ANSWERS } from "./answers.ts";
import type { AnswerRow } from "../kept_tables.ts";
import { STUDY } from "./study.ts";
import { type TableName, TABLES } from "./tables.ts";

const FOLDER = fileURLToPath(new URL("../../../data/estimators/", import.meta.url));
/** Ensembles that a worker looks at before it asks for more. */
const CHUNK = 100;
/** Ensembles of each regime that a test looks at again. */
const SLICE = 2;

const HELP = `
usage: deno task dev estimators [coverage|stopping|answers]

Makes ensembles whose slope is known, ${STUDY.ensembles} of each regime, and counts how often intervals hold it and how
often tests reject (coverage), and how often and when designs that may stop early stop (stopping); and ${ANSWERS.ensembles}
studies of surrogates with each planted skill and calibration, and counts how often intervals hold the true value (answers).
By default all three. Writes the counts to data/estimators/, which notebooks show. To be run again when an estimator changes; a
test says when a file is stale. Takes some ten, five and seven minutes on two cores, less on more.
`;

/** A worker that is asked one thing at a time. */
function asking(): { ask(question: object): Promise<unknown[]>; end(): void } {
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

/** Looks at every ensemble of a table's parts, on all cores. */
async function look(table: TableName, count: number, signal: AbortSignal): Promise<unknown[][]> {
  const starts = Array.from({ length: TABLES[table].ensembles / CHUNK }, (_, i) => i * CHUNK);
  const questions = Array.from({ length: count }, (_, part) => starts.map((from) => ({ part, from }))).flat();
  const bar = await progress("Ensembles with a known truth, in hundreds", questions.length);
  const answers: unknown[][] = [];
  let next = 0;
  const work = async () => {
    const { ask, end } = asking();
    try {
      for (let at = next++; at < questions.length; at = next++) {
        signal.throwIfAborted();
        const { part, from } = questions[at]!;
        answers[at] = await ask({ table, part, from, to: from + CHUNK });
        await bar.advance();
      }
    } finally {
      end();
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work)).finally(() => bar.finish());
  return Array.from({ length: count }, (_, i) => answers.slice(i * starts.length, (i + 1) * starts.length).flat());
}

async function make(name: TableName): Promise<void> {
  const { options, hash, parts, rows, about } = TABLES[name], file = `${FOLDER}${name}.json`;
  const [count, code] = [await parts(), await hash()];
  const seen = await interruptible((signal) => look(name, count, signal));
  const rowsOf = async (many?: number) => (await Promise.all(seen.map((one, i) => rows(i, one.slice(0, many))))).flat();
  const { schema, command, ...more } = await about();
  const study = { schema, command, code, options, ...more, rows: await rowsOf(), slice: await rowsOf(SLICE) };
  const text = JSON.stringify(study, null, 1).replace(/\n {3,}/g, " ").replace(/\n {2}([}\]])/g, " $1");
  await writeAtomically(file, `${text}\n`);
  if (name === "answers") print(coverageText(study.rows as AnswerRow[]));
  print(`${study.rows.length} rows written to data/estimators/${name}.json`);
}

/** The shares of intervals that hold the true value, and their mean widths. */
function coverageText(rows: readonly AnswerRow[]): string {
  const cells = rows.map(({ skill, slope, measure, truth, ensembles, below, above, given, width }) => [
    ...[`${skill}`, `${slope}`, measure, truth.toFixed(4), ((given - below - above) / ensembles).toFixed(3)],
    ...[(below / ensembles).toFixed(3), (above / ensembles).toFixed(3), width.toFixed(4)],
  ]);
  return textTable([["skill", "slope", "measure", "truth", "held", "below", "above", "width"], ...cells]);
}

if (import.meta.main) {
  await runCommand({
    name: "estimators",
    help: HELP,
    options: {},
    async run({ positionals: [name, ...rest] }) {
      const names = Object.keys(TABLES) as TableName[];
      const wanted = names.filter((table) => name === undefined || table === name);
      if (wanted.length === 0 || rest.length > 0) throw badArguments(`takes one of ${names.join(", ")}, or nothing`);
      for (const table of wanted) await make(table);
    },
  });
}
