import type { Rng } from "@/core/rng.ts";

/** A random reply that obeys what a request demands, as a server that guides would write it; by readers of its own. */

type Draw = () => string;

/** Throws on whatever the three dialects would not understand, and where a request demands nothing. */
export function sampledReply(body: Readonly<Record<string, unknown>>, rng: Rng): string {
  const { grammar, structured_outputs } = body;
  if (typeof grammar === "string") {
    if (!grammar.startsWith("root ::= ")) throw new Error("a grammar begins with its root");
    return sampler(grammar.slice("root ::= ".length), rng, gbnfText)();
  }
  return sampler((structured_outputs as { regex: string }).regex, rng, regexText)();
}

/** What stands at the beginning of a text as a literal, and its length. */
type Literal = (text: string) => readonly [value: string, length: number];

const gbnfText: Literal = (text) => {
  const quoted = /^"(?:\\.|[^"\\])*"/.exec(text)?.[0];
  if (quoted === undefined) throw new Error(`no symbol of a grammar: ${text.slice(0, 20)}`);
  return [JSON.parse(quoted), quoted.length];
};

const regexText: Literal = (text) => {
  const [written = "", escaped] = /^(?:\\([\[\]{}().|?n])|[^\\\[\]{}().|?*+^$\n])/.exec(text) ?? [];
  if (written === "") throw new Error(`no symbol of an expression: ${text.slice(0, 20)}`);
  return [escaped === "n" ? "\n" : escaped ?? written, written.length];
};

function sampler(text: string, rng: Rng, literal: Literal): Draw {
  let at = 0;
  const choice = (): Draw => {
    const branches = [sequence()];
    while (text[at] === "|") branches.push((at++, sequence()));
    return () => branches[rng.int(branches.length)]!();
  };
  const sequence = (): Draw => {
    const parts: Draw[] = [];
    while (at < text.length && text[at] !== "|" && text[at] !== ")") parts.push(repeated());
    if (parts.length === 0) throw new Error(`an empty alternative at ${at}`);
    return () => parts.map((part) => part()).join("");
  };
  const repeated = (): Draw => {
    const isLiteral = text[at] !== "[" && text[at] !== "(";
    const once = part();
    const [written, least, most] = /^(?:\{(\d+),(\d+)\}|\?)/.exec(text.slice(at, at + 12)) ?? [];
    if (written === undefined) return once;
    if (isLiteral) throw new Error("dialects differ in what a repetition behind text repeats");
    at += written.length;
    const from = Number(least ?? 0), to = Number(most ?? 1);
    return () => Array.from({ length: from + rng.int(to - from + 1) }, once).join("");
  };
  const part = (): Draw => {
    if (text[at] === "(") {
      at++;
      const inside = choice();
      if (text[at++] !== ")") throw new Error("a group without its end");
      return inside;
    }
    if (text[at] === "[") {
      const written = /^\[(?:\\[trn]|[^\]\\])+\]/.exec(text.slice(at))?.[0];
      if (written === undefined) throw new Error(`no class: ${text.slice(at, at + 20)}`);
      at += written.length;
      const letters = LETTERS.filter((letter) => new RegExp(written).test(letter));
      if (letters.length === 0) throw new Error(`${written} takes no letter`);
      return () => letters[rng.int(letters.length)]!;
    }
    const [value, length] = literal(text.slice(at));
    at += length;
    return () => value;
  };
  const whole = choice();
  if (at < text.length) throw new Error(`what stands behind the end: ${text.slice(at, at + 20)}`);
  return whole;
}

/** What a model may write, marks that look like those of the formats among them. */
const LETTERS = [...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)), "é", "“", "→", "\t", "\r", "\n"];
