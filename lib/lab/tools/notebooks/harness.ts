import { createRequire, Module } from "node:module";
import { installCapture, send } from "./capture.ts";

/**
 * The process in which one notebook runs: `deno run harness.ts MODULE-URL MARK`. Ends with code 1 when the notebook
 * fails, also for failures that a kernel ignores: an unhandled rejection, an error in a timer.
 */
async function main(module: string, mark: string): Promise<never> {
  installCapture(mark);
  for (const name of ["mathjs", "xlsx"]) loadWhenUsed(name, "danfojs");
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

/**
 * Delays a slow dependency of a package until it is used: mathjs and xlsx take nine tenths of danfojs' loading time,
 * and most users never need them.
 */
function loadWhenUsed(name: string, by: string): void {
  const require = createRequire(createRequire(import.meta.url).resolve(by));
  const path = require.resolve(name);
  const load = () => {
    delete require.cache[path];
    return require(path) as object;
  };
  let real: object | undefined;
  const exports = new Proxy({}, { get: (_, key) => Reflect.get(real ??= load(), key) });
  require.cache[path] = Object.assign(new Module(path), { exports, filename: path, loaded: true });
}

function fail(error: unknown): never {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  send({ kind: "error", name, message, stack });
  Deno.exit(1);
}

if (import.meta.main) await main(Deno.args[0]!, Deno.args[1]!);
