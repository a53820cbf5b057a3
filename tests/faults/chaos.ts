import type { BenchRow } from "../bench/bench_row.ts";
import { type Plan, play, whole, withFolder } from "./live_study.ts";
import { PACKAGE, startMock } from "./mock.ts";
import { faultServer } from "./server.ts";

/** Shares of requests that it mishandles. `drop` is a status 500, `disconnect` a closed connection. */
const CHAOS = { ratelimit: 0.05, drop: 0.02, malformed: 0.02, disconnect: 0.02 } as const;

/** Runs a plan through the third-party mock in front of an endpoint that answers as councils do. */
export async function studyChaos(plan: Plan): Promise<BenchRow[]> {
  const about = `${plan.name} through ${PACKAGE}`;
  return await withFolder(async (folder) => {
    await using server = await faultServer({ distinct: true });
    const chaos = Object.entries(CHAOS).flatMap(([name, share]) => [`--chaos-${name}`, String(share)]);
    const flags = ["--proxy-only", "--provider-openai", new URL(server.baseUrl).origin, ...chaos];
    await using mock = await startMock(folder, { flags });
    return whole(about, await play(plan, { out: `${folder}/out`, baseUrl: mock.baseUrl }));
  });
}
