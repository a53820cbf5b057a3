import { DataFrame } from "danfojs";
import { DOMParser } from "linkedom";
import assert from "node:assert/strict";
import { buildTable, type Cell, type Frame, tableBundle, tableOf, type TableOptions } from "@/lab/notebook/table.ts";

function read(rows: readonly Record<string, Cell>[], options: TableOptions) {
  const bundle = tableBundle(buildTable(rows, options));
  const html = `<!DOCTYPE html><html><body>${bundle["text/html"]}</body></html>`;
  const document = new DOMParser().parseFromString(html, "text/html");
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((cell) => cell.textContent);
  return { document, texts, plain: String(bundle["text/plain"]) };
}

const rows = [{ run: "a", q: 0.512345, n: 20, ok: true }, { run: "b", q: undefined, n: 0, ok: false }, {
  run: "c",
  q: -2,
}];

Deno.test("a table names its rows and columns for a screen reader", () => {
  const { document, texts } = read(rows, { caption: "Runs" });
  assert.equal(document.querySelector("table > caption")?.textContent, "Runs");
  assert.deepEqual(texts(`thead th[scope="col"]`), ["run", "q", "n", "ok"]);
  assert.deepEqual(texts(`tbody th[scope="row"]`), ["a", "b", "c"]);
});

Deno.test("a heading without words is no heading", () => {
  const { texts } = read(rows.map(({ run, ...row }) => ({ "": run, ...row })), { caption: "Runs", columns: ["", "q"] });
  assert.deepEqual([texts("thead th"), texts("thead td")], [["q"], [""]]);
});

Deno.test("an unknown value is a dash read as unknown, or the words given; never 0 or NaN", () => {
  const dashed = read(rows, { caption: "Runs" });
  assert.deepEqual(dashed.texts("tbody td"), ["0.512", "20", "yes", "–", "0", "no", "−2.000", "–", "–"]);
  assert.equal(dashed.document.querySelectorAll(`[aria-label="unknown"]`).length, 3);
  const worded = read([...rows, { run: "d", q: null }], {
    caption: "Runs",
    missing: "not published",
    columns: ["run", "q"],
  });
  assert.deepEqual(worded.texts("tbody td"), ["0.512", "not published", "−2.000", "not published"]);
});

Deno.test("a table's text is aligned, numbers to the right", () => {
  const { plain } = read(rows, {
    caption: "Runs",
    columns: ["run", "q"],
    format: { q: 2 },
  });
  assert.equal(
    plain,
    ["Runs", "run      q", "---  -----", "a     0.51", "b        –", "c    −2.00"].join("\n"),
  );
});

Deno.test("formats: decimals, a function of the value, no sign on what rounds to zero", () => {
  const { texts } = read([{ a: 1, b: -0.001, c: -0.2 }], {
    caption: "x",
    format: { b: 2, c: (value) => `${value} nats` },
  });
  assert.deepEqual(texts("tbody td"), ["0.00", "-0.2 nats"]);
});

Deno.test("words in a table are inert", () => {
  const { document, texts } = read([{ "<i>": "<script>\x1b[0m" }], { caption: "<b>" });
  assert.equal(document.querySelectorAll("script, i, b").length, 0);
  assert.deepEqual(texts("tbody th"), ["<script>⟨U+001B⟩[0m"]);
});

Deno.test("a table of no rows says so and keeps its columns", () => {
  const { texts } = read([], { caption: "None", columns: ["run", "q"] });
  assert.deepEqual([texts("thead th"), texts("tbody td")], [["run", "q"], ["no rows"]]);
});

for (const value of [NaN, Infinity, new Date(0) as unknown as number]) {
  Deno.test(`a table refuses ${String(value)}, naming row and column`, () => {
    assert.throws(() => buildTable([{ a: 1 }, { a: value }], { caption: "x" }), /^RangeError: row 2, column a: /);
  });
}

Deno.test("a table refuses a column that no record has, and a blank caption", () => {
  assert.throws(() => buildTable([{ q: 1 }], { caption: "x", columns: ["Q"] }), /no record has "Q"; the keys are q/);
  assert.throws(() => buildTable([{ q: 1 }], { caption: " " }), /needs a caption/);
});

Deno.test("a danfojs data frame can be shown as it is, also one derived from another", () => {
  const frame = new DataFrame([["a", 1.5], ["b", 2]], { columns: ["run", "q"] });
  const derived = frame.query(frame["q"].gt(1.6)) as Frame;
  assert.deepEqual(tableOf(frame as Frame, { caption: "x" }).cells, [["a", "1.5"], ["b", "2.0"]]);
  assert.deepEqual(tableOf(derived, { caption: "x" }).cells, [["b", "2"]]);
});

Deno.test("a long code may be broken after its marks, and only there", () => {
  const made = tableBundle(
    buildTable([{ run: "a", cause: "unreadable_state:tag_count & x" }], { caption: "Causes" }),
  );
  assert.ok(String(made["text/html"]).includes("unreadable_<wbr>state:<wbr>tag_<wbr>count &amp; x"));
  assert.ok(String(made["text/plain"]).includes("unreadable_state:tag_count & x"));
});

const columns: Record<string, readonly [heading: string, values: readonly Cell[], texts: readonly string[]]> = {
  "as many decimals as its values need": ["weight", [0.22, 0.1, 0], ["0.22", "0.10", "0.00"]],
  "four digits of the largest": ["loss", [38.2375, 0.5, -1.25], ["38.24", "0.50", "−1.25"]],
  "two digits of the smallest": ["value", [27.31234, 0.003126], ["27.3123", "0.0031"]],
  "whole numbers whole": ["runs", [20, 0, 12345], ["20", "0", "12345"]],
  "what is not zero not as zero": ["T", [0, 1e-5, 0.7], ["0.0", "1e−5", "0.7"]],
  "what is the sum of tenths with one": ["sum", [0.1 + 0.2, 0.1], ["0.3", "0.1"]],
  "λ̂ with four": ["λ̂ here", [1.5, 0.05953, -0.0481], ["1.5000", "0.0595", "−0.0481"]],
  "a count of slopes whole": ["slopes above zero", [26, 24], ["26", "24"]],
  "lambda with four": ["lambda", [0.1], ["0.1000"]],
  "p as everywhere": ["permutation p", [0.0481, 0.0002, 1], [".048", "< .001", "1.000"]],
  "a p beyond 1 as a number": ["p", [0.5, 1.5], ["0.5", "1.5"]],
  "shares in per cent": ["share of runs", [0.125, 0.004, 1], ["13 %", "<1 %", "100 %"]],
  "numbers among words each by itself": ["measured", ["all", 0.71634, 28, true], ["all", "0.7163", "28", "yes"]],
};
for (const [rule, [heading, values, texts]] of Object.entries(columns)) {
  Deno.test(`the numbers of a column are written in one way: ${rule}`, () => {
    const { cells } = buildTable(values.map((value) => ({ [heading]: value })), { caption: "x" });
    assert.deepEqual(cells, texts.map((text) => [text]));
  });
}

Deno.test("in tidy rows p is a preference, not a p-value", () => {
  const { cells } = buildTable([{ option: "A", p: 0.434 }, { option: "B", p: 0 }], { caption: "x" });
  assert.deepEqual(cells, [["A", "0.434"], ["B", "0.000"]]);
});

Deno.test("a column of published values says so where a value is absent; any other has a dash", () => {
  const { "text/plain": text } = tableBundle(
    buildTable([{ a: "x", "published λ̂": undefined, "λ̂": undefined }], { caption: "c" }),
  );
  assert.deepEqual(String(text).split("\n").at(-1)!.split(/ {2,}/), ["x", "not published", "–"]);
});
