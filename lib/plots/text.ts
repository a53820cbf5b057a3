const DANGEROUS = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu;

/**
 * A label made fit for one line of XML text: white space joined; control characters, which XML forbids, and
 * direction overrides, which reorder their neighbours, replaced by U+FFFD. `<` and `&` stay: the serialiser escapes them.
 */
export function cleanLabel(label: string): string {
  return inertLetters(label.replace(/\s+/g, " ").trim());
}

/** The same letter by letter: white space stays as it is. */
export function inertLetters(text: string): string {
  return text.toWellFormed().replace(/[\t\r\n]/g, " ").replace(DANGEROUS, "\uFFFD");
}

/** Estimated width in pixels of a text in DejaVu Sans, by classes of letters, erring on the wide side. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const letter of text) ems += letterWidth(letter);
  return ems * size;
}

function letterWidth(letter: string): number {
  if (/\p{M}/u.test(letter)) return 0;
  if (/[ijlI.,:;'|!()[\]/ ]/.test(letter)) return 0.4;
  if (/[ftr"-]/.test(letter)) return 0.46;
  if (/[mwMW@%…→←]/.test(letter) || letter.codePointAt(0)! >= 0x2e80) return 1;
  return /[\p{Lu}=+−<>~^#&≤≥±]/u.test(letter) ? 0.84 : 0.64;
}

/**
 * The text broken into lines no wider than `width` pixels, at spaces where it can be.
 * What does not fit into `maxLines` is cut and ends in an ellipsis: the alt text and the rows hold it whole.
 */
export function wrapText(text: string, width: number, size: number, maxLines = 3): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of cleanLabel(text).split(" ").flatMap((word) => breakWord(word, width, size))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), shorten(lines.slice(maxLines - 1).join(" "), width, size)];
}

function breakWord(word: string, width: number, size: number): string[] {
  if (textWidth(word, size) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const letter of word) {
    if (piece !== "" && textWidth(piece + letter, size) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}

function shorten(line: string, width: number, size: number): string {
  const letters = [...line];
  while (letters.length > 0 && textWidth(`${letters.join("")}…`, size) > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
