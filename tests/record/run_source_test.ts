import assert from "node:assert/strict";
import { z } from "zod";
import { violations } from "@/record/read_json.ts";
import { RunSource } from "@/record/run_source.ts";

const SMALLEST = {
  schema: "run-source/2",
  name: "votes",
  unit: "file",
  observations: { layout: "turns", agent: "who" },
  state: { kind: "vote", options: "occurring" },
};

/** The complaints about the smallest mapping with some choices changed: `field: rule`. */
function complaints(changed: Readonly<Record<string, unknown>>): string[] {
  const checked = violations(RunSource, { ...SMALLEST, ...changed });
  return checked.ok ? [] : checked.violations.map(({ path, rule }) => `${path.join(".")}: ${rule}`);
}

Deno.test("a mapping of five choices is enough, and what it leaves open refuses flaws", () => {
  const { files, round, outside, hold, ended, copies, agents } = RunSource.parse(SMALLEST);
  assert.deepEqual([files, round], ["*", { by: "order" }]);
  assert.deepEqual([outside, hold, ended, copies, agents.different], Array(5).fill("refuse"));
});

for (
  const [what, changed, complaint] of [
    ["a choice", { untis: "file" }, "untis: is no choice here: did you mean unit?"],
    ["a choice within a choice", { about: { model: "x" } }, "about.model: is no choice here: did you mean models?"],
    ["a word", { hold: "lsat" }, 'hold: must be refuse, last, none; found "lsat": did you mean last?'],
    [
      "a kind",
      { state: { kind: "vot" } },
      'state.kind: must be shares, vote, number, issues; found "vot": did you mean vote?',
    ],
    [
      "a layout that is missing",
      { observations: {} },
      "observations.layout: must be turns, pairs, by-agent, by-round, rows",
    ],
  ] as const
) {
  Deno.test(`a mapping that misspells ${what} is answered with the nearest name`, () => {
    assert.deepEqual(complaints(changed), [complaint]);
  });
}

for (
  const [what, changed, complaint] of [
    ["files outside the folder", { files: "../../etc/*" }, /^files: must stay inside/],
    ["files at the root", { inside: ["/etc/passwd"] }, /^inside/],
    ["a pattern with many stars", { files: "*a*a*a*a*b" }, /^files: must have at most 4 of \*, \*\* and \{ \}/],
    ["a pattern of nested repeats", { inside: ["+(+(a))b"] }, /^inside.*must have no \( \)/],
    ["a pattern of many alternatives", { files: "{a,}{a,}{a,}{a,}{a,}b" }, /^files: must have at most 4/],
    ["a quote between cells", { separator: '"' }, /^separator: must be one character, and no quote/],
    ["a range without end", { state: { kind: "number", range: [-1e308, 1e308] } }, /must rise/],
    ["a range that falls", { state: { kind: "number", range: [1, 0] } }, /must rise/],
    [
      "an option twice",
      { state: { kind: "vote", options: ["a", "a"] } },
      /options: must name each once/,
    ],
    [
      "rows without a number of the round",
      { observations: { layout: "rows", agent: "a" } },
      /^round\.by: must be path where/,
    ],
    ["a path with a gap", { decision: "a..b" }, /^decision: must be names parted by dots/],
  ] as const
) {
  Deno.test(`a mapping is refused with ${what}`, () => {
    const [first, ...more] = complaints(changed);
    assert.match(first!, complaint);
    assert.deepEqual(more, []);
  });
}

Deno.test("every choice of a mapping is described", () => {
  type Node = { description?: string; properties?: Record<string, Node>; anyOf?: Node[]; oneOf?: Node[]; items?: Node };
  const bare: string[] = [];
  const walk = (node: Node, path: string): void => {
    for (const [name, inner] of Object.entries(node.properties ?? {})) {
      const one = `${path}.${name}`, inside = [inner, ...inner.oneOf ?? [], ...inner.anyOf ?? []];
      if (!inside.some((node) => node.description ?? node.properties) && name !== "schema") bare.push(one);
      inside.forEach((node) => walk(node, one));
    }
    if (node.items) walk(node.items, `${path}[]`);
  };
  walk(z.toJSONSchema(RunSource, { io: "input" }) as Node, "");
  assert.deepEqual(bare, []);
});
