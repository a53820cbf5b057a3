import assert from "node:assert/strict";
import { listScenarios, loadScenario } from "@/lab/live/scenarios.ts";
import { numbers } from "./quantities.ts";

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

    Deno.test(`${name}: every text is in plain characters, single-spaced, with nothing before or after it`, () => {
      for (const text of texts) {
        assert.equal(text, text.trim());
        assert.doesNotMatch(text, / {2}|\s[.,;:?!]|[^\x20-\x7e]/);
      }
      for (const { label } of options) assert.doesNotMatch(label, /[:\n]/, "a colon ends a label where it is read");
      for (const { text } of options) assert.match(text, /\.$/);
      assert.match(background, /[.?]$/);
      assert.doesNotMatch(title, /[.?!]$/);
    });

    Deno.test(`${name}: no text holds what a parser or a prompt template would act on`, () => {
      for (const text of texts) assert.doesNotMatch(text, /STATE:|\{\{|\}\}|[{}[\]]|\n/i);
    });
  }
}

/** Deliberation paper, Table S4: domain, type, options, and the decision question by what it cannot be asked without. */
const PUBLISHED: Readonly<Record<string, readonly [string, "choice" | "allocation", string, RegExp]>> = {
  "IM-01": [
    "Immigration",
    "choice",
    "Humanitarian / Balanced points / Deterrence+verification",
    /^Which rule should be used/,
  ],
  "IM-02": [
    "Immigration",
    "choice",
    "Full cooperation / Limited cooperation / Non-cooperation",
    /^Should the city's police enforce immigration law/,
  ],
  "HL-01": [
    "Health",
    "choice",
    "Single-payer / Public option / Regulated multi-payer",
    /^Which of these systems best balances the cost .* with its quality/,
  ],
  "HL-02": [
    "Health",
    "choice",
    "Maximize lives / Maximize life-years / Equity lottery",
    /^What is the best way to allocate scarce/,
  ],
  "IN-01": [
    "Income",
    "choice",
    "UBI / Targeted cash transfer / Negative income tax",
    /^Is universality worth its cost/,
  ],
  "IN-02": [
    "Income",
    "choice",
    "Strict work requirements / Moderate requirements / No requirements",
    /^Is conditionality necessary for support/,
  ],
  "CL-01": [
    "Climate",
    "choice",
    "Carbon tax+dividend / Cap-and-trade / Sectoral regulations",
    /^Is pricing carbon the most effective approach/,
  ],
  "CL-04": [
    "Climate",
    "allocation",
    "Sea walls / Relocation / Insurance / Heat / Wildfire",
    /^Should adaptation be prioritised for equity/,
  ],
  "SP-01": [
    "Speech",
    "choice",
    "Remove content / Label+downrank / Minimal intervention",
    /^Is preventing harm worth what it costs in free speech/,
  ],
  "SP-03": [
    "Speech",
    "choice",
    "Keep engagement ranking / Reduce amplification / User-choice",
    /^Should the platform's algorithms be more transparent/,
  ],
  "AI-01": [
    "AI governance",
    "choice",
    "Open weights / Licensed release / API-only",
    /^Should openness be required for safety/,
  ],
  "AI-02": [
    "AI governance",
    "choice",
    "Mandatory audits / Voluntary+incentives / No mandate",
    /^Is preventing misuse more important than innovation/,
  ],
};

Deno.test("the scenarios are the twelve of Table S4, two for each of six domains", async () => {
  assert.deepEqual((await listScenarios()).map(({ id }) => id), Object.keys(PUBLISHED).toSorted());
  const domains = Object.values(PUBLISHED).map(([domain]) => domain);
  assert.deepEqual(domains, [...new Set(domains)].flatMap((domain) => [domain, domain]));
  assert.equal(new Set(domains).size, 6);
});

for (const [id, [domain, type, labels, asked]] of Object.entries(PUBLISHED)) {
  Deno.test(`${id}: domain, type, option names and decision question are those of Table S4`, async () => {
    const packet = await loadScenario(id);
    const given = packet.options.map(({ label }) => label).join(" / ");
    assert.deepEqual([packet.domain, packet.type, given], [domain, type, labels]);
    assert.match(packet.question, asked);
  });
}

/** Numbers a packet gives more than once, in two forms, or as parts of a whole, have to agree. */
const SUMS: readonly (readonly [id: string, rule: string, where: RegExp, holds: (...found: number[]) => boolean])[] = [
  ["HL-01", "kinds of cover are all residents", /Today .*? 8 percent/, (a, b, c, d) => a + b + c + d === 100],
  [
    "HL-01",
    "8 percent of 9.4 million people have no cover",
    /8 percent, about [\d,]+ people/,
    (share, people) => Math.abs(share / 100 * 9.4e6 - people) < 5_000,
  ],
  ["IM-01", "origins are all applicants", /Of last year's applicants .*? elsewhere/, (a, b, c) => a + b + c === 100],
  ["IM-02", "cases are all cases", /Of these cases .*? without/, (a, b, c) => a + b + c === 100],
  [
    "IM-02",
    "88,000 of 1.6 million people",
    /about [\d,]+ people, [\d.]+ percent/,
    (people, share) => people / 1.6e6 === share / 100,
  ],
  [
    "IM-02",
    "the part that depends on help",
    /pays 85 .*? 25\.5 million/,
    (all, share, part) => all * share / 100 === part,
  ],
  ["HL-02", "ages are all patients", /Of these patients 34 .*? 21/, (a, _, b, _from, _to, c) => a + b + c === 100],
  ["HL-02", "beds and further beds", /There are 640 .*? above all 800/, (beds, _, more, all) => beds + more === all],
  [
    "IN-01",
    "a point of income tax",
    /come to 140 billion .*? yields 1\.4 billion/,
    (taxable, yields) => taxable / 100 === yields,
  ],
  [
    "IN-02",
    "recipients are all recipients",
    /Of the recipients .*? 5 percent/,
    (a, b, c, d, e) => a + b + c + d + e === 100,
  ],
  [
    "IN-02",
    "yearly cost of support, in billions",
    /142,000 adults .*? 1\.33 billion/,
    (adults, crowns, cost) => Math.abs(adults * crowns * 12 / 1e9 - cost) < 0.005,
  ],
  [
    "IN-02",
    "files of all caseworkers",
    /The 890 caseworkers have about 160 files/,
    (workers, files) => Math.abs(workers * files / 142_000 - 1) < 0.01,
  ],
  [
    "CL-01",
    "the promised cut",
    /from 80 million .*? 40 percent/,
    (now, then, cut) => Math.abs(1 - then / now - cut / 100) < 1e-12,
  ],
  [
    "CL-01",
    "a yearly cut of 4.2 percent for twelve years",
    /the promise takes 4\.2 percent/,
    (yearly) => Math.abs(1 - 0.6 ** (1 / 12) - yearly / 100) < 0.0005,
  ],
  [
    "CL-01",
    "sectors are all emissions",
    /Electricity causes .*? farming 7/,
    (a, b, c, d, e) => a + b + c + d + e === 100,
  ],
  [
    "SP-01",
    "flagged posts",
    /120 million posts .*? 720,000/,
    (posts, share, flagged) => Math.abs(posts * 1e6 * share / 100 - flagged) < 1,
  ],
  ["SP-03", "views of the feed are all users", /Of users 48 .*? no opinion/, (a, b, c) => a + b + c === 100],
  ["AI-01", "models by release", /Last year 34 such .*? 13/, (all, a, b, c) => a + b + c === all],
  ["AI-02", "complaints by cause", /Last year 640 .*? 140/, (all, a, b, c) => a + b + c === all],
];
for (const [id, rule, where, holds] of SUMS) {
  Deno.test(`${id}: figures agree: ${rule}`, async () => {
    const found = numbers(where.exec((await loadScenario(id)).background)?.[0] ?? "");
    assert.equal(found.length, holds.length, `numbers found: ${found.join(", ")}`);
    assert.ok(holds(...found), found.join(", "));
  });
}

/** What an option says of its own money follows from the background's figures. */
Deno.test("IN-01: what the three programmes cost follows from adults, amounts and taxes", async () => {
  const { background, options } = await loadScenario("IN-01");
  const [ubi, targeted, negative] = options.map(({ text }) => text);
  const [adults, benefits] = [6.0e6, 9.6e9];
  assert.match(background, /6\.0 million of them adults/);
  assert.match(background, /cost 9\.6 billion crowns a year/);
  const outlay = adults * 290 * 12;
  assert.match(ubi!, /receive 290 crowns a month .* rises by 6 points/);
  assert.ok(Math.abs(outlay - 20.9e9) < 0.05e9 && ubi!.includes("20.9 billion"));
  assert.ok(Math.abs(outlay - benefits - 6 * 1.4e9 - 2.9e9) < 0.05e9 && ubi!.includes("2.9 billion"));
  assert.match(background, /28 percent of adults live below/);
  assert.match(targeted!, /560 crowns .* 78 percent .* 7 percent of the outlay/);
  const transfers = adults * 0.28 * 0.78 * 560 * 12 / (1 - 0.07);
  assert.ok(Math.abs(transfers / benefits - 1) < 0.02, "net spending stays about as it is");
  assert.match(negative!, /half of the gap .* keep 50 crowns of every further 100/);
  for (const crowns of [2.9, 2.4]) assert.ok(crowns <= 3.0, "within what parliament allows");
});

Deno.test("IN-02 and AI-02: what the options save or cost follows from the background", async () => {
  const support = await loadScenario("IN-02");
  assert.match(support.options[0]!.text, /by 18 percent .* saves about 240 million/);
  assert.ok(Math.abs(0.18 * 1.33e9 - 240e6) < 1e6);
  const checks = await loadScenario("AI-02");
  assert.match(checks.background, /520 are added each year, .* costs 78,000 crowns/);
  assert.match(checks.options[1]!.text, /30 percent of its cost\. About 55 percent .* about 7 million/);
  assert.ok(Math.abs(520 * 0.55 * 78_000 * 0.30 - 7e6) < 0.5e6);
});
