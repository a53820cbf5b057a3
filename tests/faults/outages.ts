import type { BenchRow } from "../bench/bench_row.ts";
import { createRng } from "@/core/rng.ts";
import { type FaultName, PASSING } from "./faults.ts";
import { type Plan, play, reconciled, whole, withFolder } from "./live_study.ts";
import { faultServer, type FaultServerOptions, mixed, outage } from "./server.ts";

/** A plan run against an endpoint that fails: every run must be whole, and every request on record. */
async function survives(about: string, plan: Plan, options: FaultServerOptions): Promise<BenchRow[]> {
  return await withFolder(async (out) => {
    await using server = await faultServer({ distinct: true, ...options });
    const done = await play(plan, { out, baseUrl: server.baseUrl });
    return [...whole(about, done), ...await reconciled(about, out, server.seen)];
  });
}

/** An endpoint that answers so many calls and then fails for so long. */
export function studyOutage(
  plan: Plan,
  { fault, lastsMs, after }: { fault: FaultName; lastsMs: number; after: number },
): Promise<BenchRow[]> {
  const about = `${plan.name}, ${lastsMs / 1000} s of "${fault}"`;
  return survives(about, plan, { script: outage(fault, { after, lastsMs }) });
}

/** An endpoint that mishandles a share of all requests, in as many ways as are named. */
export function studyMixture(
  plan: Plan,
  { share, names = PASSING, seed }: { share: number; names?: readonly FaultName[]; seed: number },
): Promise<BenchRow[]> {
  const about = `${plan.name}, ${100 * share} % of requests failed in ${names.length} ways`;
  return survives(about, plan, { script: mixed(share, names, createRng(seed)) });
}
