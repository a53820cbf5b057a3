/**
 * Whether an object in a JSON text has a key twice: `JSON.parse` keeps the last value, and an agent's state would be lost.
 * Counts the keys of the text and of what it was parsed to, since a parser of our own takes ten times as long.
 *
 * @param text JSON that has been parsed to `value`.
 */
export function hasRepeatedKey(text: string, value: unknown): boolean {
  return keysInText(text) !== keysInValue(value);
}

const BLANK = /\s/;

function keysInText(text: string): number {
  let keys = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let after = end + 1;
    while (BLANK.test(text[after] ?? "")) after += 1;
    if (text[after] === ":") keys += 1;
    start = text.indexOf('"', end + 1);
  }
  return keys;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text[first - 1] === "\\") first -= 1;
  return (place - first) % 2 === 1;
}

/** With a stack of its own: a text may be nested more deeply than functions can be. */
function keysInValue(value: unknown): number {
  const left = [value];
  let keys = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) keys += inner.length;
    for (const value of inner) if (typeof value === "object") left.push(value);
  }
  return keys;
}
