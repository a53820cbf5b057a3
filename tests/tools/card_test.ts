import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { DOMParser } from "linkedom";
import { committeeCard } from "@/runs/card.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { runCondition } from "@/live/run_condition.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { Card } from "@/schema/card.ts";
import { cardPage } from "@/tools/card_page.ts";
import { condition, council } from "../runs/councils.ts";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

const HOSTILE = `</td></table><script>alert(1)</script><img src=x onerror=alert(2)> \u202E\u001b[31m`;

/** Surrogates whose every argument ends in the same hostile words. */
const hostile = (chat: ChatModel): ChatModel => async (request, options) => {
  const reply = await chat(request, options);
  return reply.text.includes("STATE:") ? { ...reply, text: `${HOSTILE}\n${reply.text}` } : reply;
};

Deno.test("card writes a page and a JSON with the numbers of measure, and replaces no file", async () => {
  await withFiles({}, async (out) => {
    const path = `${out}/HL-01__T0.0__N2__rolesTrue__R2.jsonl`;
    await runCondition(condition, { council: council(), replicates: 6, seed: 1, path });
    const written = await outcome("card", [path, "--out", `${out}/card`]);
    assert.deepEqual([written.code, written.stderr], [0, ""]);
    const card = Card.parse(JSON.parse(await Deno.readTextFile(`${out}/card/card.json`)));
    const [part] = card.parts;
    assert.deepEqual([card.parts.length, part!.kind, part!.synthetic, part!.runs.planned], [1, "committee", true, 6]);
    assert.equal(part!.runs.complete + Object.values(part!.runs.missing).reduce((sum, n) => sum + n, 0), 6);
    assert.equal(part!.replies!.unreadable, part!.replies!.repaired);
    assert.ok(part!.replies!.unreadable > 0, "every fifth first reply is spoilt");
    assert.equal(Object.values(part!.decisions!.runs).reduce((sum, n) => sum + n, 0), part!.runs.complete);
    assert.ok(part!.limits.some((limit) => /^6 runs are few/.test(limit)));
    const page = await Deno.readTextFile(`${out}/card/card.html`);
    assert.ok(!/<script|https?:(?!\/\/www\.w3\.org)/.test(page), "self-contained, without scripts");
    assertFailed(await outcome("card", [path, "--out", `${out}/card`]), 1, /card\.html is there already/);
  });
});

Deno.test("slope, interval and β of a card are those of measure", async () => {
  const fixture = fileURLToPath(new URL("../runs/fixtures/HL-01__T0.0__N5__rolesTrue.jsonl", import.meta.url));
  await withFiles({}, async (out) => {
    const [measured, written] = await Promise.all([
      outcome("measure", [fixture, "--json"]),
      outcome("card", [fixture, "--out", out]),
    ]);
    assert.equal(written.code, 0, written.stderr);
    const { lambda, low, high, convergence, D } = JSON.parse(measured.stdout);
    const [{ drift } = {}] = Card.parse(JSON.parse(await Deno.readTextFile(`${out}/card.json`))).parts;
    assert.deepEqual([drift!.lambda, drift!.low, drift!.high, drift!.beta.beta], [lambda, low, high, convergence.beta]);
    assert.deepEqual(drift!.D, D);
  });
});

Deno.test("words of a hostile transcript are text on a card, and nothing else", async () => {
  await withFiles({}, async (out) => {
    const path = `${out}/hostile.jsonl`;
    await runCondition(condition, { council: council(hostile), replicates: 4, seed: 1, path });
    const source = committeeCard(await readLedger(path));
    assert.ok(source.apart?.turns.some(({ texts }) => texts[0].includes("<script>")), "the words are there");
    const page = new DOMParser().parseFromString(cardPage([source]), "text/html");
    assert.equal(page.querySelectorAll("script, td img, [onerror]").length, 0);
    assert.ok(page.querySelector(".sides")!.textContent!.includes("<script>alert(1)</script>"));
    for (const hidden of ["\u202E", "\u001b"]) assert.ok(!cardPage([source]).includes(hidden));
  });
});

Deno.test("imported records and stations have cards of their own kind", async () => {
  const jury = fileURLToPath(new URL("../../data/examples/jury.csv", import.meta.url));
  await withFiles({}, async (out) => {
    const records = await outcome("card", ["--from", "csv", jury, "--out", `${out}/jury`]);
    assert.equal(records.code, 0, records.stderr);
    const [part] = Card.parse(JSON.parse(await Deno.readTextFile(`${out}/jury/card.json`))).parts;
    assert.deepEqual([part!.kind, part!.runs.complete, part!.reasons], ["records", 24, undefined]);
    assert.ok(part!.limits.some((limit) => /No texts are on record/.test(limit)));
    assertFailed(await outcome("card", []), 2, /name a ledger/);
    assertFailed(await outcome("card", [`${out}/nothing`]), 1, /there is no such file or folder/);
  });
});
