// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

/** The explorer of weights as somebody who uses it meets it; locators reach into its shadow root. */
export function explorerOn(page: Page) {
  const place = page.locator(`[data-controls="rescore-explorer"]`).first();
  const texts = (selector: string) => place.locator(selector).allTextContents();
  return {
    place,
    weight: (component: string) => place.locator(`#weight-${component}`),
    sum: place.locator(".sum"),
    named: place.getByLabel("Named weights"),
    reset: place.getByRole("button", { name: "Reset to published" }),
    threshold: (name: string) => place.getByLabel(name, { exact: true }),
    typed: (name: string) => place.getByLabel(`${name}, typed`),
    status: place.locator("p[role=status]"),
    alert: place.getByRole("alert"),
    shown: (name: RegExp) => place.getByRole("checkbox", { name }),
    names: (set: "published" | "own") => texts(`.${set} .body .name`),
    classes: () => texts(".published .body .class"),
    changes: (set: "published" | "own") => texts(`.${set} .body .change .spoken`),
    download: (file: string) => place.locator(`a[download="${file}"]`),
  };
}

type Explorer = ReturnType<typeof explorerOn>;

/** Uses everything there is, as `explorer.browser.ts` says; the same on our page and in a notebook. */
export async function useExplorer(page: Page): Promise<void> {
  const explorer = explorerOn(page);
  await explorer.weight("trust").waitFor();
  const before = { published: await explorer.names("published"), own: await explorer.names("own") };
  assert.deepEqual([before.published.length, before.own.length], [36, 60]);
  assert.match(before.published[0]!, /^MIMO-v2\.5 109/, "the best published run comes first");
  assert.deepEqual([...new Set(await explorer.changes("published"))], ["rank unchanged"]);

  await moveByKeyboard(page, explorer);
  assert.notDeepEqual(await explorer.names("own"), before.own, "the own runs have another order");
  assert.notDeepEqual(await explorer.names("published"), before.published, "the published runs have another order");
  await changesAreMarked(explorer);
  await marksStandAtTheirQ(explorer);
  await moveByPointer(page, explorer);
  await moveThresholds(page, explorer);
  await chooseNamed(explorer);
  await readDownloads(page, explorer);

  await explorer.reset.click();
  await says(explorer.status, /^Weights: published\. Published runs: no rank changed/);
  assert.deepEqual(await explorer.names("published"), before.published, "reset brings the order back");
  assert.deepEqual(await explorer.names("own"), before.own);
  assert.equal(await explorer.typed("strong").inputValue(), "0.82");
}

async function moveByKeyboard(page: Page, { weight, sum, status }: Explorer): Promise<void> {
  const slider = weight("coalition");
  await slider.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowRight");
  assert.equal(await slider.inputValue(), "0.36");
  assert.match(await slider.getAttribute("aria-valuetext") ?? "", /^0\.36, 27\.7 %$/, "0.36 of 1.30");
  assert.match(await sum.innerText(), /^Sum 1\.30, divided by it: normalised/);
  await says(status, /^Your own weights, divided by their sum 1\.30\. Published runs: of 36 ranks \d+/);
}

async function changesAreMarked({ place, changes }: Explorer): Promise<void> {
  const words = await changes("own");
  assert.ok(words.some((word) => /^up by \d+$/.test(word)) && words.some((word) => /^down by \d+$/.test(word)));
  const signs = await place.locator(".own .change.up").allTextContents();
  assert.ok(signs.length > 0 && signs.every((sign) => sign.startsWith("▲ ")), "an arrow upward");
  for (const word of await changes("published")) {
    assert.match(word, /^(rank unchanged|(up|down) by \d+( to \d+)?|undecided: .+ or unchanged)$/);
  }
}

/** Where the middle of each drawn diamond lies on its axis, beside the number in its row. */
async function marksStandAtTheirQ({ place }: Explorer): Promise<void> {
  const rows = await place.locator(".own .body .row").evaluateAll((rows) =>
    rows.slice(0, 8).map((row) => {
      const [track, mark] = [".track", ".mark"].map((name) => row.querySelector(name)!.getBoundingClientRect());
      const middle = mark!.x + mark!.width / 2;
      return { drawn: (middle - track!.x) / track!.width, written: Number(row.querySelector(".q")!.textContent) };
    })
  );
  for (const { drawn, written } of rows) {
    assert.ok(Math.abs(drawn - written) < 0.005, `${written} is drawn at ${drawn}`);
  }
  const widths = await place.locator(".published .mark").evaluateAll((marks) =>
    marks.map((mark) => mark.getBoundingClientRect().width)
  );
  assert.ok(Math.max(...widths) > 20, `the widest bar spans ${Math.max(...widths)} pixels`);
}

async function moveByPointer(page: Page, { weight, names, status }: Explorer): Promise<void> {
  const before = await names("own");
  const slider = weight("executability");
  await slider.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await slider.boundingBox())!;
  await page.mouse.move(x + width * 0.25, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.9, y + height / 2, { steps: 5 });
  await page.mouse.up();
  const value = Number(await slider.inputValue());
  assert.ok(value > 0.8 && value < 1, `dragged to ${value}`);
  await says(status, new RegExp(`divided by their sum ${(1.3 - 0.22 + value).toFixed(2)}`));
  assert.notDeepEqual(await names("own"), before);
}

async function moveThresholds(
  page: Page,
  { place, threshold, typed, classes, alert, status }: Explorer,
): Promise<void> {
  const strong = async () => (await classes()).filter((name) => name === "strong").length;
  const [before, told] = [await strong(), await status.innerText()];
  await typed("strong").fill("0.99");
  assert.equal(await strong(), before, "half a number is no threshold");
  await page.keyboard.press("Enter");
  assert.equal(await threshold("strong").inputValue(), "0.99");
  await status.filter({ hasNotText: told }).waitFor({ state: "attached" });
  assert.ok(before > 0 && await strong() < before, "fewer runs are strong");
  const line = await place.locator(".published").evaluate((element) =>
    getComputedStyle(element).getPropertyValue("--strong")
  );
  assert.equal(line, "99%");
  await threshold("adequate").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await typed("adequate").inputValue(), "0.69");
  await typed("adequate").fill("7");
  await page.keyboard.press("Enter");
  await says(alert, /^adequate must lie between 0 and 1/);
  assert.equal(await typed("adequate").inputValue(), "0.69", "the threshold is as it was");
}

async function chooseNamed({ named, weight, sum, status }: Explorer): Promise<void> {
  await named.selectOption("equal");
  assert.equal(await weight("trust").getAttribute("aria-valuetext"), "0.111, 11.1 %");
  assert.equal(await sum.innerText(), "Sum 1.00");
  await says(status, /^Weights: equal\. Published runs: of 36 ranks/);
}

async function readDownloads(page: Page, { download, shown, names, status }: Explorer): Promise<void> {
  const weights = JSON.parse(await saved(page, download("weights.json"))) as Record<string, number>;
  assert.deepEqual(Object.values(weights), Array(9).fill(1 / 9));
  const all = csvParse(await saved(page, download("ranking.csv")));
  assert.equal(all.length, 96);
  await shown(/^Published runs/).uncheck();
  await says(status, /^Weights: equal\. Own preserved runs/);
  const own = csvParse(await saved(page, download("ranking.csv")));
  assert.deepEqual([own.length, [...new Set(own.map(({ synthetic }) => synthetic))]], [60, ["true"]]);
  const [first] = await names("own");
  assert.ok(first!.startsWith(own[0]!.run!), `${first} stands first in the table, ${own[0]!.run} in the file`);
  await shown(/^Published runs/).check();
}

async function saved(page: Page, link: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  assert.equal(download.suggestedFilename(), await link.getAttribute("download"));
  return await Deno.readTextFile(await download.path());
}

/** Waits until a live region says something that matches. */
async function says(region: Locator, words: RegExp): Promise<void> {
  await region.filter({ hasText: words }).waitFor({ state: "attached" });
}
