import { fileURLToPath } from "node:url";
import { progress } from "@/notebook/progress.ts";
import type { EstimatorStudy } from "../kept_tables.ts";
import { writeAtomically } from "@/record/files.ts";
import { badArguments, interruptible, print, runCommand } from "@/tools/command.ts";
import { allRecipes } from "./recipes.ts";
import { regimes, rowOf, type Seen, STUDY, studyHash } from "./study.ts";

const FILE = fileURLToPath(new URL("../../../data/estimators/coverage.json", import.meta.url));
/** Ensembles that a worker looks at before it asks for more. */
const CHUNK = 100;
/** Ensembles of each regime that a test looks at again. */
const SLICE = 2;

const HELP = `
usage: deno task dev estimators

Makes ensembles whose slope is known, ${STUDY.ensembles} of each regime, and counts how often intervals hold it and how
often tests reject. Writes the counts to data/estimators/coverage.json, which a notebook shows. To be run again when an
estimator changes; a test says when the file is stale. Takes some ten minutes on two cores, less on more.
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

/** Looks at every ensemble of some regimes, on all cores. */
async function look(count: number, signal: AbortSignal): Promise<Seen[][]> {
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
        answers[at] = await ask({ regime, from, to: from + CHUNK });
        await bar.advance();
      }
    } finally {
      end();
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work)).finally(() => bar.finish());
  return Array.from({ length: count }, (_, i) => answers.slice(i * starts.length, (i + 1) * starts.length).flat());
}

if (import.meta.main) {
  await runCommand({
    name: "estimators",
    help: HELP,
    options: {},
    async run({ positionals }) {
      if (positionals.length > 0) throw badArguments(`takes no arguments, got ${positionals.join(", ")}`);
      const [all, code] = [await regimes(), await studyHash()];
      const seen = await interruptible((signal) => look(all.length, signal));
      const study: EstimatorStudy = {
        ...{ schema: "estimator-study/1", command: "deno task estimators", code, options: STUDY },
        recipes: (await allRecipes()).map(({ draw: _, ...recipe }) => recipe),
        rows: all.map((regime, i) => rowOf(regime, seen[i]!)),
        slice: all.map((regime, i) => rowOf(regime, seen[i]!.slice(0, SLICE))),
      };
      await writeAtomically(
        FILE,
        JSON.stringify(study, null, 1).replace(/\n {3,}/g, " ").replace(/\n {2}([}\]])/g, " $1") + "\n",
      );
      print(`${study.rows.length} regimes written to data/estimators/coverage.json`);
    },
  });
}
