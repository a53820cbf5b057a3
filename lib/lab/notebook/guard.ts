import { inertText } from "../../core/text.ts";
import { inNotebook } from "./emit.ts";

let installed = false;

/**
 * Reports failures that a kernel ignores: an unhandled rejection, and an error thrown by a timer. Both are written to
 * the cell's error stream. A notebook that imports this room is guarded already; calling it again changes nothing.
 * Outside a notebook it does nothing, since there such a failure ends the process.
 */
export function guard(): void {
  if (installed || !inNotebook()) return;
  installed = true;
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report("unhandled rejection", event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    report("uncaught error", event.error ?? event.message);
  });
}

function report(kind: string, reason: unknown): void {
  const words = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  void Deno.jupyter.broadcast("stream", { name: "stderr", text: inertText(`${kind}: ${words}\n`) });
}

guard();
