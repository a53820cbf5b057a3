import { wholeRule } from "../runs/stop_rule.ts";
import { work } from "../sweep/worker.ts";
import { interruptible, logAsJson, runCommand, say, word } from "./command.ts";
import { LIVE_FLAGS } from "./live_flags.ts";
import { ADDRESS_FLAGS, openStore } from "./store_flags.ts";
import HELP from "./help/worker.txt" with { type: "text" };

if (import.meta.main) {
  await runCommand({
    name: "worker",
    help: HELP,
    options: {
      ...ADDRESS_FLAGS,
      concurrency: LIVE_FLAGS.concurrency,
      patience: LIVE_FLAGS.patience,
      log: word("json"),
    },
    async run({ values, positionals }) {
      if (values.log) logAsJson();
      const { concurrency, patience: patienceMs } = values;
      const sweeps = positionals.length > 0 ? positionals : undefined;
      await interruptible(async (signal, callSignal) => {
        await using database = await openStore(values, { signal });
        let runs = 0;
        const options = {
          sweeps,
          ruleOf: wholeRule,
          env: Deno.env,
          concurrency,
          patienceMs,
          signal,
          callSignal,
          onNotice: say,
        };
        try {
          await work(database, { ...options, onRun: () => void runs++ });
        } finally {
          say(`${runs} runs ended here`);
        }
      }, { resumes: true, drains: true });
    },
  });
}
