import { crc32 } from "node:zlib";

/**
 * Lines that show when they were changed: each ends with a checksum of itself that is begun with the checksum of a line
 * before it. A flipped bit breaks the line it is in; a line that is missing, doubled or exchanged breaks the next.
 */

const FIELD = ',"check":"';
const LENGTH = FIELD.length + 8 + '"}'.length;
const CHECK = /^,"check":"([0-9a-f]{8})"\}$/;

/** The JSON text of a line with its checksum as last field. `before`: the checksum of the line that it follows. */
export const sealed = (line: object, before: string | undefined): { text: string; check: string } =>
  sealedText(JSON.stringify(line).slice(0, -1), before);

/** As `sealed`, on the JSON text of a line without its closing brace. */
export function sealedText(body: string, before: string | undefined): { text: string; check: string } {
  const check = checksum(body, before);
  return { text: `${body}${FIELD}${check}"}`, check };
}

/**
 * The checksum that ends a line, and whether it is that of the line. Undefined where the line ends otherwise.
 *
 * @param bytes the line without its line end.
 */
export function readSeal(bytes: Uint8Array, before: string | undefined): { check: string; holds: boolean } | undefined {
  const end = bytes.length - LENGTH;
  if (end < 0) return undefined;
  const check = CHECK.exec(new TextDecoder().decode(bytes.subarray(end)))?.[1];
  return check === undefined ? undefined : { check, holds: check === checksum(bytes.subarray(0, end), before) };
}

/**
 * The text of lines, each sealed with the one before it in its chain.
 *
 * @param options `chainOf`: the name of a line's chain; by default they are one, which continues from `before`.
 */
export function chained<Line extends object>(
  lines: readonly Line[],
  { chainOf = () => "", before }: {
    readonly chainOf?: (line: Line) => string;
    readonly before?: string | undefined;
  } = {},
): string {
  const last = new Map(before === undefined ? [] : [["", before]]);
  return lines.map((line) => {
    const { text, check } = sealed(line, last.get(chainOf(line)));
    last.set(chainOf(line), check);
    return `${text}\n`;
  }).join("");
}

const checksum = (body: string | Uint8Array, before: string | undefined): string =>
  crc32(body, before === undefined ? 0 : Number.parseInt(before, 16)).toString(16).padStart(8, "0");
