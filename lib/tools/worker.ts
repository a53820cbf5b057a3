import { work } from "../sweep/worker.ts";
import { flags, interruptible, runCommand, say } from "./command.ts";
import { liveOptions, logAs } from "./live_flags.ts";
import { ADDRESS_FLAGS, ADDRESS_HELP, openStore } from "./store_flags.ts";

const HELP = `
usage: deno task worker --store URL [SWEEP...]

Works on the sweeps of a store, or on those that are named, until none of their runs is left: deno task run NAME --store URL
declares them. Start as many workers as you like, on as many machines; each may be stopped or killed at any time, and other
workers resume its runs.
${ADDRESS_HELP}
  --concurrency N       calls in flight at once to each provider, of this worker (default: 8)
  --patience TIME       how long to wait for an unresponsive endpoint, such as 90s, 15m, 2h (default: 15m); this worker
                        then leaves its runs to others
  --log json            writes notices as JSON objects, one a line, on standard error

Keys are read from this machine's environment alone, as by deno task run: runs of a provider whose key is not set here are
left to other workers. A sweep that was declared by another code, or from other prompts or line-ups, is refused with what
differs. While the database is away the worker waits, and then resumes.
Exit code 1 where no sweep fits this machine, or a provider is given up here.
example: OPENAI_API_KEY=… deno task worker --store postgres://lab@db.example/lab
`;

if (import.meta.main) {
  await runCommand({
    name: "worker",
    help: HELP,
    options: { ...ADDRESS_FLAGS, ...flags("string", "concurrency", "patience", "log") },
    async run({ values, positionals }) {
      logAs(values.log);
      const { concurrency, patienceMs } = liveOptions(values),
        sweeps = positionals.length > 0 ? positionals : undefined;
      await interruptible(async (signal, callSignal) => {
        await using database = await openStore(values, { signal });
        let runs = 0;
        const options = { sweeps, env: Deno.env, concurrency, patienceMs, signal, callSignal, onNotice: say };
        try {
          await work(database, { ...options, onRun: () => void runs++ });
        } finally {
          say(`${runs} runs ended here`);
        }
      }, { resumes: true, drains: true });
    },
  });
}
