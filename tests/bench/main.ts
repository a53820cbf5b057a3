import { fileURLToPath } from "node:url";
import { unknownName, UserError } from "@/core/user_error.ts";
import { print, runCommand } from "@/lab/tools/command.ts";
import { type BenchRow, lineOf } from "./bench_row.ts";
import { benchBeta } from "./beta.ts";
import { benchCommittees } from "./committees.ts";
import { benchFiles } from "./files.ts";
import { benchLive } from "./live.ts";
import { benchPaper } from "./paper.ts";
import { benchQuality } from "./quality.ts";
import { benchRecords } from "./records.ts";
import { benchStation } from "./station.ts";
import { benchStatistics } from "./statistics.ts";

const BENCHES: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  statistics: benchStatistics,
  beta: benchBeta,
  station: benchStation,
  committees: benchCommittees,
  quality: benchQuality,
  paper: benchPaper,
  files: benchFiles,
  records: benchRecords,
  live: benchLive,
};

const HELP = `
usage: deno task dev bench [NAME...]

Speed and memory, one line a figure, each benchmark in a process of its own:
  statistics   beside a vectorised NumPy peer on one thread, measured in the same run (Debian: python3-numpy)
  beta         bias and coverage of betaConvergence on processes of known β
  station      whole runs of Mosaic-9, peak memory, prompt size
  committees   surrogate committees in memory and with ledgers on disk, peak memory
  quality      preserved and published runs under thousands of other weights, peak memory
  paper        every experiment of the deliberation paper on the surrogate, and the landscape's analysis, peak memory
  files        commands from a cold start, a long ledger, a page
  records      a table of 100,000 rows imported, beside the parser alone, peak memory
  live         live runs against an endpoint on loopback, beside the bare client and two agent frameworks (from npm)
`;

/** What a benchmark may do, in its own process: another one's heap and compiled code would be measured with it. */
const PERMISSIONS = [
  ...["--allow-read", "--allow-write", "--allow-env", "--allow-net=127.0.0.1"],
  "--allow-run=python3,/usr/bin/python3,deno,sh,npm",
];

async function runApart(name: string): Promise<void> {
  if (!Object.hasOwn(BENCHES, name)) throw unknownName("benchmark", name, Object.keys(BENCHES));
  const args = ["run", ...PERMISSIONS, fileURLToPath(import.meta.url), "--here", name];
  const { success } = await new Deno.Command("deno", { args, stdin: "null" }).spawn().status;
  if (!success) throw new UserError(`the benchmark ${name} failed`);
}

await runCommand({
  name: "bench",
  help: HELP,
  options: { here: { type: "string" } },
  async run({ values: { here }, positionals }) {
    if (here !== undefined) { for (const row of await BENCHES[here]!()) print(lineOf(row)); }
    else for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES)) await runApart(name);
  },
});
