import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { publishedRanker } from "@/explorer/rescore/ranking.ts";
import { PUBLISHED_STATE, withWeight } from "@/explorer/rescore/state.ts";
import { controlsBundle } from "@/notebook/controls.ts";
import { rescoreExplorer } from "@/notebook/rescore_explorer.ts";
import { loadPublishedRows } from "@/paper/published_rows.ts";
import { pageShell } from "@/tools/pages/page_shell.ts";
import { axeViolations } from "./axe.ts";
import { watch, watchConsole, withBrowser, withPage } from "./chromium.ts";
import { runAllCells, saveNotebook, startClassicNotebook } from "./classic_notebook.ts";
import { explorerOn, useExplorer } from "./explorer_page.ts";
import { quietestRound } from "./patience.ts";

/**
 * Uses the explorer of weights in a real browser: on the page that `reproduce` wrote, and in classic Notebook with the
 * Deno kernel. Not part of `deno test tests`: run it by name, after `reproduce`, where chromium and Debian's
 * jupyter-notebook are installed.
 */
const PAGES = Deno.env.get("CHAOS_LAB_PAGES") ?? join(import.meta.dirname!, "../../data/out/html");
const NOTEBOOK = "station/06_rescore_explorer";
const PAGE = pathToFileURL(join(PAGES, `${NOTEBOOK}.html`)).href;

/** What classic Notebook says of itself, whatever notebook is open. */
const OF_CLASSIC = [
  /find-and-replace does not exist, still binding it/,
  /Could not cross validate the widget/,
  // Debian enables an extension for Python's widgets that is not there unless it is installed too.
  /\/nbextensions\/widgets\//,
  /^Widgets are not available/,
];

const published = await loadPublishedRows();

/** A page of ours with so many runs, each published one as often as it takes. */
async function pageWith(count: number, copies = 1): Promise<string> {
  const runs = Array.from({ length: count }, (_, i) => {
    const run = published[i % published.length]!;
    return { ...run, label: `${run.label} (${i})` };
  });
  const { "text/html": html } = await controlsBundle(rescoreExplorer({ published: runs, own: [] }));
  const main = [`<h1>Test</h1>`, ...Array<unknown>(copies).fill(html)].join("\n");
  return pageShell({ title: "Test", description: "Test", links: [], headings: [], main });
}

Deno.test("the explorer on its page", async () => {
  await withBrowser((browser) =>
    withPage(browser, { acceptDownloads: true }, async (page) => {
      const troubles = watch(page);
      await page.goto(PAGE);
      await useExplorer(page);
      assert.deepEqual(await axeViolations(page), []);
      assert.deepEqual(troubles, []);
    })
  );
});

Deno.test("the explorer in classic Notebook, run on the Deno kernel", async () => {
  const file = join(import.meta.dirname!, `../../notebooks/${NOTEBOOK}.ipynb`);
  const before = await Deno.readTextFile(file);
  await using server = await startClassicNotebook();
  await withBrowser((browser) =>
    withPage(browser, { acceptDownloads: true }, async (page) => {
      const troubles = watchConsole(page);
      await page.goto(server.url(`${NOTEBOOK}.ipynb`));
      await runAllCells(page);
      await explorerOn(page).weight("trust").waitFor();
      await useExplorer(page);
      assert.deepEqual(await axeViolations(page, "[data-controls]"), []);
      assert.deepEqual(troubles.filter((words) => !OF_CLASSIC.some((own) => own.test(words))), []);
      await saveNotebook(page);
    })
  );
  const after = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, before);
  assert.equal(after, before, "run and saved, the stored notebook is as it was");
});

Deno.test("without scripts the still picture stands in the explorer's place", async () => {
  await withBrowser((browser) =>
    withPage(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(PAGE);
      const picture = page.locator("[data-controls] img");
      assert.match(await picture.getAttribute("alt") ?? "", /MIMO-v2\.5 109/);
      const { width, height } = (await picture.boundingBox())!;
      assert.ok(width > 400 && height > 200, `${width} by ${height} pixels`);
    })
  );
});

Deno.test("on a narrow screen the explorer fits", async () => {
  await withBrowser((browser) =>
    withPage(browser, { viewport: { width: 400, height: 800 } }, async (page) => {
      await page.goto(PAGE);
      await explorerOn(page).weight("trust").waitFor();
      const [content, window] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth] as const;
      });
      assert.ok(content <= window, `the page is ${content} pixels wide in a window of ${window}`);
      assert.deepEqual(await axeViolations(page), []);
    })
  );
});

Deno.test("two explorers on one page do not meet", async () => {
  const html = await pageWith(4, 2);
  await withBrowser((browser) =>
    withPage(browser, {}, async (page) => {
      const troubles = watch(page);
      await page.setContent(html);
      const sliders = page.locator("#weight-trust");
      await sliders.nth(1).waitFor();
      await sliders.nth(1).fill("0.5");
      assert.deepEqual(await sliders.evaluateAll((all) => all.map((slider) => (slider as HTMLInputElement).value)), [
        ...["0.1", "0.5"],
      ]);
      assert.equal(await page.locator("[data-controls] img").count(), 0, "both still pictures have given way");
      assert.deepEqual(troubles, []);
    })
  );
});

Deno.test("a move of a slider over 300 runs is answered within a frame", async () => {
  const html = await pageWith(300);
  await withBrowser((browser) =>
    withPage(browser, {}, async (page) => {
      await page.setContent(html);
      await explorerOn(page).weight("trust").waitFor();
      const { median, slowest } = await quietestRound(() => timesOfMoves(page), 16);
      process.stdout.write(`300 runs: median ${median.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms of 50 moves\n`);
      assert.ok(median < 16, `${median} ms`);
    })
  );
});

Deno.test("rows out of view are written once the reader rests", async () => {
  const html = await pageWith(300);
  const runs = Array.from({ length: 300 }, (_, i) => published[i % published.length]!);
  const rank = publishedRanker(runs);
  const names = (weight: number) =>
    rank(withWeight(PUBLISHED_STATE, "trust", weight)).order.map((i) => `${runs[i]!.label} (${i})`);
  const [before, after] = [names(PUBLISHED_STATE.weights.trust), names(0.9)];
  const lastChanged = after.findLastIndex((name, i) => name !== before[i]);
  assert.ok(lastChanged > 100, "a row far below the first screen changes");
  await withBrowser((browser) =>
    withPage(browser, {}, async (page) => {
      await page.setContent(html);
      const explorer = explorerOn(page);
      await explorer.weight("trust").waitFor();
      await explorer.weight("trust").fill("0.9");
      const row = explorer.place.locator(".published .body .name").nth(lastChanged);
      await row.filter({ hasText: after[lastChanged]! }).waitFor({ state: "attached" });
      assert.deepEqual((await explorer.names("published")).map((name) => name.trim()), after);
    })
  );
});

/** Milliseconds that each of 50 moves of a slider took, sorted: reckoning, changes of the page and their layout. */
async function timesOfMoves(page: Page): Promise<number[]> {
  return await page.evaluate(async () => {
    const root = document.querySelector("[data-controls] > div")!.shadowRoot!;
    const sliders = [...root.querySelectorAll<HTMLInputElement>("input[id^=weight]")];
    const body = root.querySelector(".body")!;
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      const slider = sliders[i % sliders.length]!;
      slider.value = String((i * 37 % 100) / 100);
      const begin = performance.now();
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      body.getBoundingClientRect(); // The layout belongs to the answer.
      times.push(performance.now() - begin);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times.toSorted((a, b) => a - b);
  });
}
