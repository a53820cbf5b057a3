import { DOMParser, parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { code, notebookOf, prose, shown } from "../../notebook/notebooks.ts";
import { FRAGMENT, PRESETS } from "@/explorer/rescore/state.ts";
import { indexPage, notebookPage } from "@/tools/pages/pages.ts";
import { createMarkdownRenderer, renderOutput, resultsOf, summaryOf } from "@/tools/pages/render.ts";

const markdown = createMarkdownRenderer((href) => `r/${href}`);

const notebook = notebookOf(
  prose("# Runs <b>drift</b> & `part`\n\nThe *first* paragraph\nof [two](x.ipynb).\n\nThe second."),
  prose("## One question\n\ntext\n\n### Deeper"),
  code(`const a = "<script>";\nawait show(a);`, [shown("<script>alert(1)</script>")], 1),
  code(""),
);
const html = notebookPage(notebook, {
  rebase: (href) => `r/${href}`,
  index: "i.html",
  reference: "api.html",
  source: "s.ipynb",
});
const page = new DOMParser().parseFromString(html, "text/html");

Deno.test("a page has title, language, one main landmark and a skip link that leads to it", () => {
  assert.equal(page.title, "Runs drift & part");
  assert.equal(page.documentElement.getAttribute("lang"), "en-GB");
  assert.equal(page.querySelectorAll("main").length, 1);
  assert.equal(page.querySelector("body > a")?.getAttribute("href"), `#${page.querySelector("main")?.id}`);
});

Deno.test("a page lists its sections, and every entry leads to one", () => {
  const entries = [...page.querySelectorAll(".contents a")];
  assert.deepEqual(entries.map((entry) => entry.textContent), ["One question", "Deeper"]);
  for (const entry of entries) assert.ok(page.getElementById(decodeURIComponent(entry.getAttribute("href")!.slice(1))));
});

Deno.test("a page fetches nothing; its scripts only fold code and mark the section that is read", () => {
  assert.equal(page.querySelectorAll("script[src], link[rel=stylesheet], img[src^=http]").length, 0);
  for (const script of page.querySelectorAll("script")) {
    assert.doesNotMatch(script.textContent!, /fetch|import|XMLHttp|eval|innerHTML|location/);
  }
  assert.doesNotMatch(html, /https?:\/\/(?!www\.w3\.org)/);
  assert.match(page.querySelector("meta[http-equiv]")!.getAttribute("content")!, /default-src 'none'/);
});

Deno.test("code can be folded away and shows markup as text; outputs too", () => {
  const [cell, ...others] = page.querySelectorAll("details.code");
  assert.equal(others.length, 0, "an empty cell is not shown");
  assert.equal(cell!.querySelector("summary")?.textContent, "Code, cell 1 (2 lines)");
  assert.equal(cell!.querySelector("code")?.textContent, `const a = "<script>";\nawait show(a);`);
  assert.equal(page.querySelector("pre.output")?.textContent, "<script>alert(1)</script>");
});

Deno.test("links lead to the list, to the executed notebook, to the API reference and where `rebase` says", () => {
  const links = [...page.querySelectorAll("header a, main a:not(.anchor)")].map((link) => link.getAttribute("href"));
  assert.deepEqual(links, ["i.html", "s.ipynb", "api.html", "r/x.ipynb"]);
});

Deno.test("a notebook is summed up by its title and first paragraph, as plain text", () => {
  assert.deepEqual(summaryOf(notebook), { title: "Runs drift & part", description: "The first paragraph of two." });
  assert.deepEqual(summaryOf(notebookOf()), { title: "Untitled notebook", description: "" });
});

Deno.test("a page without code has no switch for code, and no executed notebook", () => {
  const html = notebookPage(notebookOf(prose("# Guide\n\nFor [all](x.md).\n\n## Part")), {
    rebase: (href) => `r/${href}`,
    index: "i.html",
    reference: "api.html",
  });
  const { document } = parseHTML(html);
  assert.equal(document.querySelector("#show-code"), null);
  const links = [...document.querySelectorAll("header a, main a:not(.anchor)")].map((link) =>
    link.getAttribute("href")
  );
  assert.deepEqual(links, ["i.html", "api.html", "r/x.md"]);
});

Deno.test("the list names the guide's pages, where there are any", () => {
  const page = { title: "<G>", description: "For <all>.", href: "guide/g.html" };
  const { document } = parseHTML(indexPage([], { reference: "api.html", guide: [page] }));
  const item = document.querySelector("#guide ~ ul li");
  assert.equal(item?.querySelector("a")?.getAttribute("href"), "guide/g.html");
  assert.equal(item?.textContent, "<G>: For <all>.");
  assert.ok(document.querySelector('.contents a[href="#guide"]'));
  assert.doesNotMatch(indexPage([], { reference: "api.html" }), /id="guide"/);
});

Deno.test("the list of notebooks links to each, with its description", () => {
  const index = new DOMParser().parseFromString(
    indexPage([{ title: "<A>", description: "d", href: "a.html", findings: ["**x** <b>"] }], { reference: "api.html" }),
    "text/html",
  );
  const [item] = index.querySelectorAll("main li");
  assert.equal(item!.querySelector("a")?.getAttribute("href"), "a.html");
  assert.match(item!.textContent!, /<A>\s*d\s*x <b>/);
  assert.equal(index.querySelector("header a")?.getAttribute("href"), "api.html");
  assert.equal(item!.querySelector(".found strong")?.textContent, "x", "findings are Markdown, HTML in them is text");
});

Deno.test("a page opens with its findings, offers every picture for download, and leads to its neighbours", () => {
  const svg = `data:image/svg+xml;base64,${btoa("<svg/>")}`;
  const figure =
    `<figure data-figure="f"><img alt="a" src="${svg}" style=""><figcaption>c<div><a>Data as CSV</a></div>\n</figcaption></figure>`;
  const withFinding = notebookOf(
    prose("# A\n\nb"),
    code("await show(a);", [
      {
        "output_type": "display_data",
        metadata: {},
        data: { "text/markdown": "**Finding.** λ̂ is *0.05*", "text/plain": "" },
      },
      { "output_type": "display_data", metadata: {}, data: { "text/html": figure, "image/png": "iV" } },
    ], 1),
  );
  const made = notebookPage(withFinding, {
    ...{
      rebase: (href: string) => href,
      index: "i.html",
      reference: "",
      source: "s.ipynb",
      next: { title: "B", href: "b.html" },
    },
  });
  const document = new DOMParser().parseFromString(made, "text/html");
  assert.equal(document.querySelector("main h1 ~ .findings li")?.textContent, "λ̂ is 0.05\n");
  assert.deepEqual([...document.querySelectorAll("a[download]")].map((link) => link.getAttribute("download")), [
    "f.svg",
    "f.png",
  ]);
  assert.equal(document.querySelector("header a:last-child")?.textContent, "Next: B");
  assert.deepEqual(resultsOf(withFinding), { findings: ["λ̂ is *0.05*"], thumbnail: { url: svg, alt: "a" } });
});

Deno.test("an output is its HTML, else its image with the text as alt, else its text; an error is text", () => {
  const display = (data: Record<string, unknown>) =>
    renderOutput({ "output_type": "display_data", data, metadata: {} }, markdown);
  assert.match(display({ "text/html": "<b>x</b>", "text/plain": "x" }), /<b>x<\/b>/);
  assert.match(
    display({ "image/png": `iV"><x>=`, "text/plain": `"<a>` }),
    /alt="&quot;&lt;a&gt;" src="data:image\/png;base64,iVx="/,
  );
  assert.match(display({ "application/x": "<b>" }), /nothing that can be shown: application\/x/);
  const error = renderOutput({ "output_type": "error", ename: "<E>", evalue: "\x1b[1m", traceback: [] }, markdown);
  assert.match(error, /&lt;E&gt;: ⟨U\+001B⟩\[1m/);
});

/** WCAG 2, relative luminance. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** The colours of a page, light and dark, as its style names them. */
const [light, dark] = [...html.matchAll(/:root \{([^}]*)\}/g)].map(([, rules]) =>
  Object.fromEntries([...rules!.matchAll(/--(\w+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]))
);

for (const [theme, palette] of Object.entries({ light: light!, dark: dark! })) {
  for (const ground of ["page", "code"]) {
    for (const ink of ["text", "muted", "link", "keyword", "string", "number", "name"]) {
      Deno.test(`${ink} can be read on ${ground} in the ${theme} theme`, () => {
        const [a, b] = [luminance(palette[ink]!), luminance(palette[ground]!)];
        assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 4.5);
      });
    }
  }
}

Deno.test("a Markdown output is rendered, its links rebased; HTML in it is text and no link runs anything", () => {
  const data = {
    "text/plain": "plain",
    "text/markdown":
      "**λ̂ = 0.05**, see [a](b.ipynb) <b onclick=x>1 < 2</b>\n\n<script>x</script>\n\n[run](javascript:x)",
  };
  const html = renderOutput({ "output_type": "display_data", data, metadata: {} }, markdown);
  assert.match(html, /^<div class="output"><p><strong>λ̂ = 0\.05<\/strong>, see <a href="r\/b\.ipynb">a<\/a> /);
  assert.match(html, /&lt;b onclick=x&gt;1 &lt; 2&lt;\/b&gt;/);
  assert.match(html, /&lt;script&gt;x&lt;\/script&gt;/);
  assert.doesNotMatch(html, /<script|<b |javascript:|plain/);
});

Deno.test("the landing page opens each explorer on what a newcomer should see", () => {
  const entry = (href: string) => ({ title: href, description: "", href, findings: [] });
  const page = indexPage([entry("deliberation/16_explorer.html"), entry("station/06_rescore_explorer.html")], {
    reference: "api.html",
  });
  const { document } = parseHTML(page);
  const links = [...document.querySelectorAll(".explorers a")].map((link) => link.getAttribute("href")!);
  const fragments = (of: string) =>
    links.filter((href) => href.startsWith(`${of}#`)).map((href) => new URL(href, "file:///").hash);
  assert.deepEqual(
    fragments("station/06_rescore_explorer.html").map((fragment) => FRAGMENT.read(fragment)),
    PRESETS.map(({ state }) => state),
  );
  assert.equal(fragments("deliberation/16_explorer.html").length, 3);
});

Deno.test("the landing page has a section for each folder of notebooks, and every notebook stands in its own", () => {
  const names = { deliberation: "Argue", station: "Survive", groups: "Really" };
  const entries = Object.entries(names).map(([half, title]) => (
    { title, description: "", href: `${half}/x.html`, half, findings: [] }
  ));
  const { document } = parseHTML(indexPage(entries, { reference: "api.html" }));
  for (const [half, title] of Object.entries(names)) {
    const section = document.querySelector(`#${half}`)!.parentElement!;
    assert.deepEqual([...section.querySelectorAll(".card a")].map(({ textContent }) => textContent), [title]);
  }
});
