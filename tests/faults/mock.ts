/** Somebody else's server of the OpenAI dialect. It comes from npm and is no dependency of the project. */
export const PACKAGE = "@copilotkit/aimock@1.43.0";

/** A reply of the server, given to the requests whose last and system messages hold these words; the first that fits counts. */
export interface Fixture {
  readonly match: { readonly userMessage?: string; readonly systemMessage?: string };
  readonly response: { readonly content: string };
}

/** Installs the server into `folder` and starts it there; `flags` are its own. */
export async function startMock(
  folder: string,
  { flags = [], fixtures = [] }: { flags?: readonly string[]; fixtures?: readonly Fixture[] },
): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const install = ["install", "--silent", "--no-audit", "--no-fund", PACKAGE];
  const { success } = await new Deno.Command("npm", { args: install, cwd: folder, stdin: "null" }).spawn().status;
  if (!success) throw new Error(`npm cannot install ${PACKAGE}`);
  await Deno.mkdir(`${folder}/fixtures`);
  if (fixtures.length > 0) await Deno.writeTextFile(`${folder}/fixtures/all.json`, JSON.stringify({ fixtures }));
  const port = freePort();
  const child = new Deno.Command("node_modules/.bin/llmock", {
    args: ["--port", String(port), "--fixtures", "fixtures", ...flags, "--log-level", "silent"],
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
