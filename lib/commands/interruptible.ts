import { UserError } from "../core/user_error.ts";

/** Does work that the first Ctrl-C stops in an orderly way; a second one ends the process, as ever. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = () => {
    Deno.removeSignalListener("SIGINT", interrupt);
    stop.abort(new UserError("stopped; every finished call is kept, and the same command goes on from here"));
  };
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    return await work(stop.signal);
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}
