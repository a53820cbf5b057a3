import type { BenchRow } from "../bench/bench_row.ts";
import { type Plan, play, whole, withFolder } from "./live_study.ts";
import { faultServer } from "./server.ts";

/** Somebody else's idea of a bad endpoint, between the command and ours. It comes from npm and is no dependency of the project. */
const PACKAGE = "@copilotkit/aimock@1.43.0";

/** Shares of requests that it mishandles. `drop` is a status 500, `disconnect` a closed connection. */
const CHAOS = { ratelimit: 0.05, drop: 0.02, malformed: 0.02, disconnect: 0.02 } as const;

/** Runs a plan through the third-party mock in front of an endpoint that answers as councils do. */
export async function studyChaos(plan: Plan): Promise<BenchRow[]> {
  const about = `${plan.name} through ${PACKAGE}`;
  return await withFolder(async (folder) => {
    await using server = await faultServer({ distinct: true });
    await using mock = await startMock(folder, server.baseUrl);
    return whole(about, await play(plan, { out: `${folder}/out`, baseUrl: mock.baseUrl }));
  });
}

async function startMock(folder: string, upstream: string): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const install = ["install", "--silent", "--no-audit", "--no-fund", PACKAGE];
  const { success } = await new Deno.Command("npm", { args: install, cwd: folder, stdin: "null" }).spawn().status;
  if (!success) throw new Error(`npm cannot install ${PACKAGE}`);
  await Deno.mkdir(`${folder}/fixtures`);
  const port = freePort();
  const chaos = Object.entries(CHAOS).flatMap(([name, share]) => [`--chaos-${name}`, String(share)]);
  const proxy = ["--proxy-only", "--provider-openai", new URL(upstream).origin, "--fixtures", "fixtures"];
  const child = new Deno.Command("node_modules/.bin/llmock", {
    args: ["--port", String(port), ...proxy, ...chaos, "--log-level", "silent"],
    cwd: folder,
    stdin: "null",
    stdout: "null",
  }).spawn();
  await listening(port);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Resolves when something takes connections at the port. */
async function listening(port: number): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
