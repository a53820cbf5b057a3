import type { Frame } from "./frame.ts";
import type { Output } from "./notebook_file.ts";

/**
 * The outputs of every cell, as a client of the kernel would have stored them: text of one stream in a row is one
 * output, and a display that is updated changes where it stands.
 */
export function collectOutputs(frames: readonly Frame[]): Map<number, Output[]> {
  const cells = new Map<number, Output[]>();
  const named = new Map<string, Extract<Output, { output_type: "display_data" }>[]>();
  let outputs: Output[] = [];
  for (const frame of frames) {
    if (frame.kind === "cell") {
      outputs = [];
      cells.set(frame.cell, outputs);
    } else if (frame.kind === "stream" && frame.text !== "") {
      const last = outputs.at(-1);
      if (last?.output_type === "stream" && last.name === frame.name) last.text += frame.text;
      else outputs.push({ output_type: "stream", name: frame.name, text: frame.text });
    } else if (frame.kind === "display" && frame.update) {
      for (const output of named.get(frame.id ?? "") ?? []) output.data = frame.data;
    } else if (frame.kind === "display") {
      const output = { "output_type": "display_data" as const, data: frame.data, metadata: {} };
      outputs.push(output);
      if (frame.id !== undefined) named.set(frame.id, [...named.get(frame.id) ?? [], output]);
    }
  }
  return cells;
}
