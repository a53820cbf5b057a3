import assert from "node:assert/strict";
import { listScenarios, loadScenario } from "@/storage/scenarios.ts";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
/** Sentence ends: a mark before white space or the end, so that 9.4 is no end. */
const sentences = (text: string) => text.split(/(?<=[.!?])\s+/);
const figures = (text: string) => text.match(/\d[\d,.]*/g) ?? [];

/** Words that would rank an option, and the labels of rank themselves. */
const VERDICTS =
  /\b(best|better|worse|worst|fair|unfair|fairer|just|unjust|ideal|optimal|sensible|reckless|harsh|cruel|generous|obvious\w*|clearly|unfortunately|fortunately|must|should|ought|wasteful|wise)\b/i;

for (const { id, variants } of await listScenarios()) {
  for (const variant of [undefined, ...variants]) {
    const name = [id, variant].filter(Boolean).join(", ");
    const packet = await loadScenario(id, { variant });
    const { background, options, question, title } = packet;
    const texts = [title, background, question, ...options.flatMap(({ label, text }) => [label, text])];

    Deno.test(`${name}: the background has 150 to 250 words and concrete figures`, () => {
      const count = words(background).length;
      assert.ok(150 <= count && count <= 250, `${count} words`);
      assert.ok(figures(background).length >= 10);
    });

    Deno.test(`${name}: each option has two or three sentences, in like lengths`, () => {
      for (const { label, text } of options) {
        assert.ok([2, 3].includes(sentences(text).length), `${label}: ${sentences(text).length} sentences`);
      }
      const lengths = options.map(({ text }) => words(text).length);
      assert.ok(Math.max(...lengths) / Math.min(...lengths) <= 1.3, lengths.join(", "));
      assert.ok(new Set(options.map(({ label }) => label)).size === options.length, "labels differ");
    });

    Deno.test(`${name}: each option gives its gains first and then, turned by one "however", its costs`, () => {
      for (const { label, text } of options) {
        const turned = sentences(text).map((sentence) => /, however,/.test(sentence));
        assert.deepEqual(turned, [...Array(turned.length - 1).fill(false), true], label);
        assert.ok(figures(text).length >= 1, `${label}: no figure`);
        assert.doesNotMatch(text, VERDICTS, label);
      }
    });

    Deno.test(`${name}: the background speaks for no option by name`, () => {
      // An allocation's programmes are named after hazards, which the background has to describe.
      for (const { label } of packet.type === "choice" ? options : []) {
        assert.ok(!background.toLowerCase().includes(label.toLowerCase()), label);
      }
      assert.doesNotMatch(background, VERDICTS);
    });

    Deno.test(`${name}: the question is one question`, () => {
      assert.equal(question.match(/\?/g)?.length, 1);
      assert.ok(question.endsWith("?"));
    });

    Deno.test(`${name}: no text holds what a parser or a prompt template would act on`, () => {
      for (const text of texts) assert.doesNotMatch(text, /STATE:|\{\{|\}\}|[{}[\]]|\n/i);
    });
  }
}

// Deliberation paper, Table S4.
const PUBLISHED = {
  "HL-01": ["Health", "choice", "Single-payer / Public option / Regulated multi-payer"],
  "IM-01": ["Immigration", "choice", "Humanitarian / Balanced points / Deterrence+verification"],
  "CL-04": ["Climate", "allocation", "Sea walls / Relocation / Insurance / Heat / Wildfire"],
} as const;
for (const [id, published] of Object.entries(PUBLISHED)) {
  Deno.test(`${id}: domain, type and option names are those of Table S4`, async () => {
    const { domain, type, options } = await loadScenario(id);
    assert.deepEqual([domain, type, options.map(({ label }) => label).join(" / ")], published);
  });
}

Deno.test("shares of a whole that the backgrounds give add up to 100 percent", async () => {
  const health = figures((await loadScenario("HL-01")).background.match(/Today .*? have no cover/)![0]);
  assert.deepEqual(health, ["61", "24", "7", "8", "750,000"]);
  assert.equal(61 + 24 + 7 + 8, 100);
  assert.ok(Math.abs(0.08 * 9.4e6 - 750_000) < 5_000, "8 percent of 9.4 million people");
  const origins = figures(
    (await loadScenario("IM-01")).background.match(/Of last year's applicants .*? elsewhere/)![0],
  );
  assert.deepEqual(origins, ["44", "31", "25"]);
  assert.equal(44 + 31 + 25, 100);
});
