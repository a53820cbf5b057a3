import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { FRAGMENT, PRESETS } from "@/lab/explorer/rescore/state.ts";
import { indexPage } from "@/lab/tools/pages/landing.ts";

const entry = (name: string, title = name) => ({ name, title, description: "", href: `${name}.html`, minutes: 7 });

Deno.test("the landing page names the guide's pages, where there are any", () => {
  const page = { title: "<G>", description: "For <all>.", href: "guide/g.html" };
  const { document } = parseHTML(indexPage({ entries: [], guide: [page] }));
  const item = document.querySelector("#guide ~ ul li");
  assert.equal(item?.querySelector("a")?.getAttribute("href"), "guide/g.html");
  assert.deepEqual([item?.textContent, item?.getAttribute("title")], ["<G>", "For <all>."]);
  assert.doesNotMatch(indexPage({ entries: [] }), /id="guide"/);
});

Deno.test("a finding on the landing page leads to its notebook; its HTML is text", () => {
  const finding = { text: "", markdown: "**x** <b> holds (1 of 2).", verdict: "contradicted" as const, claim: "y" };
  const { document } = parseHTML(indexPage({ entries: [], findings: [{ finding, href: "a.html" }] }));
  const item = document.querySelector(".found")!;
  assert.equal(item.querySelector("a")?.getAttribute("href"), "a.html");
  assert.equal(item.querySelector("a")?.textContent, "x <b> holds.");
  assert.equal(item.querySelector("strong")?.textContent, "x");
  assert.equal(item.querySelector(".chip")?.textContent, "Contradicted");
});

Deno.test("the landing page opens each explorer on what a newcomer should see", () => {
  const names = ["deliberation/16_explorer", "station/06_rescore_explorer"];
  const { document } = parseHTML(indexPage({ entries: names.map((name) => entry(name)) }));
  const links = [...document.querySelectorAll(".explorers a")].map((link) => link.getAttribute("href")!);
  const fragments = (of: string) =>
    links.filter((href) => href.startsWith(`${of}.html#`)).map((href) => new URL(href, "file:///").hash);
  assert.deepEqual(fragments(names[1]!).map((fragment) => FRAGMENT.read(fragment)), PRESETS.map(({ state }) => state));
  assert.equal(fragments(names[0]!).length, 3);
});

Deno.test("every notebook stands once on the landing page, unlisted ones in the group of their folder", () => {
  const names = ["00_start_here", "deliberation/99_new", "station/99_new", "groups/99_new", "99_other"];
  const { document } = parseHTML(indexPage({ entries: names.map((name) => entry(name)) }));
  const inOrder = (group: Element) => Number(/order:(\d)/.exec(group.getAttribute("style")!)![1]);
  const all = [...document.querySelectorAll("#notebooks ~ .list section")] as unknown as Element[];
  const groups = all.sort((a, b) => inOrder(a) - inOrder(b)).map((group) => [
    group.querySelector("h3")!.textContent,
    ...[...group.querySelectorAll("a")].map(({ textContent }) => textContent),
  ]);
  assert.deepEqual(groups, [
    ["Learn", "00_start_here"],
    ["Real models", "groups/99_new"],
    ["Paper 1: deliberation", "deliberation/99_new"],
    ["Paper 2: station", "station/99_new"],
    ["Do your own", "99_other"],
  ]);
});
