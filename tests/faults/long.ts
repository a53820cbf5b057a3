import { setTimeout as delay } from "node:timers/promises";
import { atMost, type BenchRow } from "../bench/bench_row.ts";
import { startRun } from "./live_command.ts";
import { withFolder } from "./live_study.ts";

/** Calls of a committee run without repairs. */
const CALLS = 106;

/** Fault 30: what a call takes where there are ten times as many of them, in time and in memory. */
export async function studyLength({ calls }: { calls: number }): Promise<BenchRow[]> {
  return await withFolder(async (folder) => {
    const [few, many] = [await measured(folder, calls / 10), await measured(folder, calls)];
    const about = `${calls} calls in one ledger`;
    const note = `${few.seconds.toFixed(1)} and ${many.seconds.toFixed(1)} s`;
    return [
      atMost(1.5, {
        name: `${about}, time a call over that of a tenth of them`,
        value: many.seconds / few.seconds / 10,
        unit: "×",
        note,
      }),
      {
        name: `${about}, peak memory`,
        value: many.peakMB,
        unit: "MB",
        note: `a tenth of them: ${few.peakMB.toFixed(0)} MB`,
      },
    ];
  });
}

async function measured(folder: string, calls: number): Promise<{ seconds: number; peakMB: number }> {
  const runs = Math.round(calls / CALLS);
  const began = performance.now();
  await using child = startRun(["--scenario", "HL-01", "--replicates", String(runs), "--out", `${folder}/${runs}`]);
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const ended = child.status.then(() => true);
  let peakMB = NaN;
  while (!await Promise.race([ended, delay(500, false, { ref: false })])) peakMB = await peakOf(child.pid) ?? peakMB;
  await Promise.all(texts);
  return { seconds: (performance.now() - began) / 1000, peakMB };
}

/** The high-water mark of a process's memory in MB, where the system tells it. */
export async function peakOf(pid: number): Promise<number | undefined> {
  // Deno itself may read there with all permissions alone.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`], stderr: "null" }).output();
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(new TextDecoder().decode(stdout)) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
}
