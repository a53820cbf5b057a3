import { duration } from "../model/endpoint_health.ts";
import { sweepStatus } from "../sweep/sweep_status.ts";
import { sweepNames } from "../sweep/sweeps.ts";
import { print, runCommand } from "./command.ts";
import { ADDRESS_FLAGS, openStore, statusWords } from "./store_flags.ts";
import HELP from "./help/status.txt" with { type: "text" };

if (import.meta.main) {
  await runCommand({
    name: "status",
    help: HELP,
    options: { ...ADDRESS_FLAGS, json: { type: "boolean", default: false } },
    async run({ values, positionals }) {
      await using database = await openStore(values, { reads: true });
      for (const sweep of positionals.length > 0 ? positionals : await sweepNames(database)) {
        const status = await sweepStatus(database, sweep);
        if (values.json) {
          print(JSON.stringify({ sweep, ...status }));
          continue;
        }
        const { runs, workers, perSecond, secondsLeft } = status;
        const states = Object.entries(runs).map(([state, count]) => `${count} ${state}`).join(", ");
        const rate = perSecond === undefined ? "no call in the last minute" : `${perSecond.toPrecision(2)} calls/s`;
        const left = secondsLeft === undefined ? "time left unknown" : `${duration(1000 * secondsLeft)} left`;
        print(`${sweep}: runs ${states}; ${statusWords(status)}; ${rate}, ${left}`);
        for (const { worker, running, calls, seen } of workers) {
          print(`  ${worker}: ${running} runs, ${calls} calls, last seen ${seen.toISOString()}`);
        }
      }
    },
  });
}
