import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { axeViolations } from "./axe.ts";
import { watch, watchConsole, withBrowser, withPage } from "./chromium.ts";

/**
 * Looks at every page that `reproduce` wrote, in a real browser. Not part of `deno test tests`: run it by name, after
 * `reproduce`, where chromium is installed.
 */
const PAGES = Deno.env.get("CHAOS_LAB_PAGES") ?? join(import.meta.dirname!, "../../data/out/html");

const REFERENCE = join(PAGES, "api");

Deno.test("every page of the notebooks", async (t) => {
  // The reference's pages are deno doc's own.
  const pages = (await findPages(PAGES)).filter((path) => !path.startsWith(REFERENCE));
  assert.ok(pages.some((path) => !path.endsWith("index.html")), `no pages in ${PAGES}: run reproduce first`);
  await withBrowser(async (browser) => {
    for (const path of pages) await t.step(path.slice(PAGES.length + 1), () => inspect(browser, path));
  });
});

Deno.test("the API reference, opened from a file, finds a function from every kind of page", async () => {
  await withBrowser(async (browser) => {
    for (const from of ["index.html", "core/index.html", "~/createRng.html", "stats/~/divergence.html"]) {
      await withPage(browser, { viewport: { width: 400, height: 900 } }, async (page) => {
        const troubles = watchConsole(page);
        await page.goto(pathToFileURL(join(REFERENCE, from)).href, { waitUntil: "load" });
        await checkOverflow(page);
        await page.fill("#searchbar", "bootstrapSlope");
        await page.click("#searchResults a");
        await page.waitForURL(/~\/bootstrapSlope\.html$/);
        assert.match(await page.textContent("main") ?? "", /resamples\?: number/);
        assert.deepEqual(troubles, [], from);
      });
    }
  });
});

async function inspect(browser: Browser, path: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await withPage(browser, { colorScheme }, async (page) => {
      const troubles = watch(page);
      await page.goto(pathToFileURL(path).href, { waitUntil: "load" });
      await checkImages(page);
      await checkOverflow(page);
      await checkContents(page);
      await checkFrame(page);
      await checkContrast(page);
      assert.deepEqual(await axeViolations(page), [], "what axe-core has against the page");
      assert.deepEqual(troubles, [], "messages, failures and requests");
    });
  }
}

async function checkImages(page: Page): Promise<void> {
  const images = await page.$$eval("img", (all) =>
    all.map((image) => ({
      name: image.closest("figure")?.dataset.figure ?? image.src.slice(0, 40),
      alt: image.alt,
      complete: image.complete,
      width: image.naturalWidth,
    })));
  for (const { name, alt, complete, width } of images) {
    assert.ok(complete && width > 200, `the image of ${name} is ${width} pixels wide`);
    assert.notEqual(alt.trim(), "", `the image of ${name} has no alt text`);
  }
}

async function checkOverflow(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  assert.ok(content <= window, `the page is ${content} pixels wide in a window of ${window}`);
}

async function checkContents(page: Page): Promise<void> {
  const { broken, listed, sections } = await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
    const target = (link: HTMLAnchorElement) => document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return {
      broken: links.filter((link) => target(link) === null).map((link) => link.hash),
      listed: document.querySelectorAll(".contents a").length,
      sections: document.querySelectorAll("main :is(h2, h3):not([data-story] *)").length,
    };
  });
  assert.deepEqual(broken, [], "links within the page that lead nowhere");
  assert.equal(listed, sections, "every section is in the table of contents");
}

async function checkFrame(page: Page): Promise<void> {
  const frame = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    mains: document.querySelectorAll("main").length,
    titles: document.querySelectorAll("h1").length,
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    first: (document.querySelector("a[href]") as HTMLAnchorElement).hash,
  }));
  assert.equal(frame.lang, "en-GB");
  assert.deepEqual([frame.mains, frame.titles], [1, 1], "one main landmark and one title");
  assert.equal(new Set(frame.ids).size, frame.ids.length, "no id is used twice");
  assert.equal(frame.first, "#main", "the first link skips to the content");
}

/** Contrast of every text with the nearest painted ground below it, by the formula of WCAG 2. */
async function checkContrast(page: Page): Promise<void> {
  const faint = await page.evaluate(() => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: string) => {
      const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element: Element | null): string => {
      if (element === null) return "rgb(255, 255, 255)";
      const colour = getComputedStyle(element).backgroundColor;
      return channels(colour)[3] === 0 ? ground(element.parentElement) : colour;
    };
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    return [...document.body.querySelectorAll("*")].filter(hasText).flatMap((element) => {
      const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return contrast < 4.5 ? [`${element.tagName} ${element.textContent?.slice(0, 30)}: ${contrast.toFixed(2)}`] : [];
    });
  });
  assert.deepEqual(faint, [], "texts too faint to read");
}

async function findPages(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) paths.push(...await findPages(join(folder, name)));
    else if (name.endsWith(".html")) paths.push(join(folder, name));
  }
  return paths.sort();
}
