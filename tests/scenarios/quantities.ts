const NUMERALS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const numeral = new RegExp(String.raw`\b(${NUMERALS.join("|")})\b`, "gi");

/**
 * Every quantity in a text, sorted, in one notation: "18 thousand" is 18,000, "44 in 100" is 44 percent and "five" is 5.
 * "One" and "first" are left out: they are rarely quantities.
 */
export function quantities(text: string): string[] {
  const plain = text
    .replace(/(\d) thousand\b/g, "$1,000")
    .replace(/(\d) in 100\b/g, "$1 percent")
    .replace(numeral, (word) => String(2 + NUMERALS.indexOf(word.toLowerCase())));
  return (plain.match(/\d+(?:[.,]\d+)*(?: million| billion)?(?: percent)?/g) ?? []).sort();
}

/** The bare numbers of a text in order, thousands' commas taken out: [5.5, 1600000] for "5.5 percent of 1,600,000". */
export function numbers(text: string): number[] {
  return (text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []).map((digits) => Number(digits.replaceAll(",", "")));
}
