import { installCapture, send } from "./capture.ts";

/**
 * The process in which one notebook runs: `deno run harness.ts MODULE-URL MARK`. Ends with code 1 when the notebook
 * fails, also in ways that a kernel lets pass: a rejection with nobody waiting, an error in a timer.
 */
async function main(module: string, mark: string): Promise<never> {
  installCapture(mark);
  globalThis.addEventListener("unhandledrejection", (event) => fail(event.reason));
  globalThis.addEventListener("error", (event) => fail(event.error));
  try {
    await import(module);
  } catch (error) {
    fail(error);
  }
  send({ kind: "done" });
  Deno.exit(0);
}

function fail(error: unknown): never {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  send({ kind: "error", name, message, stack });
  Deno.exit(1);
}

if (import.meta.main) await main(Deno.args[0]!, Deno.args[1]!);
