/** How a file of lines ends. */
export interface LastLine {
  /** Byte offset at which the last line begins: just after the last line end, so the file's size where all is ended. */
  readonly offset: number;
  /** `ended` with a line end; `whole` JSON that lacks only that; `torn`, what a kill or a power cut leaves behind. */
  readonly state: "ended" | "whole" | "torn";
}

const LINE_END = 0x0a;

/** The end of a file of JSON lines, whose writer may have been killed in the middle of one. */
export function lastLine(bytes: Uint8Array): LastLine {
  const offset = bytes.lastIndexOf(LINE_END) + 1;
  if (offset === bytes.length) return { offset, state: "ended" };
  return { offset, state: isJson(bytes.subarray(offset)) ? "whole" : "torn" };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
