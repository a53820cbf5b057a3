/**
 * What the process that runs a notebook tells the one that started it. Frames travel on standard output between a mark
 * that nobody else knows; what a cell logs travels natively after a `text` frame, so that it looks as it always does.
 */
export type Frame =
  | { readonly kind: "cell"; readonly cell: number }
  | { readonly kind: "text"; readonly name: StreamName }
  | { readonly kind: "end" }
  | { readonly kind: "stream"; readonly name: StreamName; readonly text: string }
  | { readonly kind: "display"; readonly data: Record<string, unknown>; readonly id?: string; readonly update: boolean }
  | { readonly kind: "error"; readonly name: string; readonly message: string; readonly stack: string }
  | { readonly kind: "done" };

export type StreamName = "stdout" | "stderr";

/** A frame as it is written. */
export function writeFrame(frame: Frame, mark: string): string {
  return `\0${mark}${JSON.stringify(frame)}\n`;
}

/** The frames in a process's output; `text` frames come back as `stream` frames with what followed them. */
export function readFrames(output: string, mark: string): Frame[] {
  return output.split(`\0${mark}`).slice(1).map((piece): Frame => {
    const end = piece.indexOf("\n");
    const frame = JSON.parse(piece.slice(0, end)) as Frame;
    return frame.kind === "text" ? { kind: "stream", name: frame.name, text: piece.slice(end + 1) } : frame;
  });
}
