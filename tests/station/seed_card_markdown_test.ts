import { marked } from "marked";
import assert from "node:assert/strict";
import { seedCardMarkdown } from "@/station/seed_card_markdown.ts";
import { weather } from "@/station/weather.ts";

Deno.test("a seed card names every shock once, with its severity, and every speaking order", () => {
  const card = weather(104);
  const text = seedCardMarkdown(card);
  for (const { round, order, shocks } of card.rounds) {
    const section = text.split(`## Round ${round} `)[1]!.split("## ")[0]!;
    assert.equal(section.match(/^\| (?!---|shock)/gm)?.length ?? 0, shocks.length, `round ${round}`);
    for (const { id, severity, text } of shocks) {
      assert.ok(section.includes(` ${id} | ${severity.toFixed(2)} |`), id);
      assert.ok(section.includes(text), id);
    }
    assert.equal(section.match(/Speaking order: (.*)\./)![1]!.split(", ").length, order.length);
  }
});

Deno.test("counts of a seed card are those of its shocks", () => {
  const shocks = weather(104).rounds.flatMap(({ shocks }) => shocks);
  const faults = shocks.filter(({ kind }) => kind === "power_fault").length;
  const words = ["no", "one", "two", "three", "four"];
  assert.match(seedCardMarkdown(weather(104)), new RegExp(`${words[faults]} power fault`));
  assert.match(seedCardMarkdown(weather(104)), new RegExp(`with ${shocks.length} shocks`));
});

Deno.test("fault 47: texts of a card from elsewhere are inert, and break no table", async () => {
  const card = weather(104);
  const [first, ...rest] = card.rounds;
  const shocks = [{ ...first!.shocks[0]!, id: "<i>", text: "a | b\n<img src=x> [l](http://e.example)" }];
  const html = await marked(seedCardMarkdown({ ...card, rounds: [{ ...first!, shocks }, ...rest] }));
  assert.doesNotMatch(html, /<img|<i>|<a /);
  assert.ok(html.includes("a | b &lt;img src=x&gt;"), html);
});
