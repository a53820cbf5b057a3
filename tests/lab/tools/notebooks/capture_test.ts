import assert from "node:assert/strict";
import { shown } from "../../notebook/notebooks.ts";
import { collectOutputs, type Frame, readFrames, writeFrame } from "@/lab/tools/notebooks/capture.ts";

const wire = (...pieces: (Frame | string)[]) =>
  pieces.map((piece) => typeof piece === "string" ? piece : writeFrame(piece, "secret")).join("");
const outputs = (...pieces: (Frame | string)[]) => collectOutputs(readFrames(wire(...pieces), "secret"));

const cell = (number: number): Frame => ({ kind: "cell", cell: number });
const text = (name: "stdout" | "stderr"): Frame => ({ kind: "text", name });
const end: Frame = { kind: "end" };
const display = (words: string, rest: { id?: string; update?: boolean } = {}): Frame => ({
  kind: "display",
  data: { "text/plain": words },
  update: false,
  ...rest,
});

Deno.test("text of one stream in a row is one output; another stream or a display parts it", () => {
  const found = outputs(
    ...[cell(1), text("stdout"), "a\n", end, text("stdout"), "b\n", end, text("stderr"), "c\n", end],
    ...[text("stdout"), "d\n", end, display("e"), text("stdout"), "f\n", end],
  );
  assert.deepEqual(found.get(1), [
    { "output_type": "stream", name: "stdout", text: "a\nb\n" },
    { "output_type": "stream", name: "stderr", text: "c\n" },
    { "output_type": "stream", name: "stdout", text: "d\n" },
    shown("e"),
    { "output_type": "stream", name: "stdout", text: "f\n" },
  ]);
});

Deno.test("what is written past the console is no output, as in a kernel", () => {
  assert.deepEqual(outputs(cell(1), "raw", display("a"), "raw").get(1), [shown("a")]);
});

Deno.test("an update changes the display where it stands, also from a later cell", () => {
  const found = outputs(
    ...[cell(1), display("0 of 2", { id: "bar" }), display("after"), display("1 of 2", { id: "bar", update: true })],
    ...[cell(2), display("2 of 2", { id: "bar", update: true })],
  );
  assert.deepEqual(found.get(1), [shown("2 of 2"), shown("after")]);
  assert.deepEqual(found.get(2), []);
});

Deno.test("logged words cannot pass for a frame", () => {
  const forged = writeFrame({ kind: "done" }, "guess");
  const frames = readFrames(wire(cell(1), text("stdout"), forged, end), "secret");
  assert.deepEqual(frames, [cell(1), { kind: "stream", name: "stdout", text: forged }, end]);
});
