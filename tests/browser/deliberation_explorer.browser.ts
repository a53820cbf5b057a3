// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { fixedText, intervalText } from "@/core/numbers.ts";
import { createRng } from "@/core/rng.ts";
import type { CommitteeData } from "@/explorer/committee/data.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { divergence } from "@/stats/divergence.ts";
import { referenceSlopes } from "@/stats/reference_slopes.ts";
import { axeViolations } from "./axe.ts";
import { watch, withBrowser, withPage } from "./chromium.ts";

/**
 * Uses the explorer of committees in a real browser, on the page that `reproduce` wrote. Not part of `deno test tests`:
 * run it by name, after `reproduce`, where chromium is installed.
 */
const PAGES = Deno.env.get("CHAOS_LAB_PAGES") ?? join(import.meta.dirname!, "../../data/out/html");
const FILE = join(PAGES, "deliberation/16_explorer.html");
const PAGE = pathToFileURL(FILE).href;

/** What the page was given, read from the page itself. */
async function dataOf(file: string): Promise<CommitteeData> {
  const [, json] = /<script type="module">const \$controls=(\{.*\});\n/.exec(await Deno.readTextFile(file))!;
  return JSON.parse(json!).data;
}

function explorerOn(page: Page) {
  const place = page.locator(`[data-controls="committee-explorer"]`).first();
  const result = (name: string) => place.locator(`.result.${name}`);
  return {
    place,
    condition: place.getByLabel("Condition"),
    law: place.getByLabel("Law drawn"),
    scale: (name: string) => place.getByRole("radio", { name, exact: true }),
    slider: (id: string) => place.locator(`#${id}`),
    paperWindow: place.getByRole("button", { name: "Window of the paper" }),
    ...{ lambda: result("lambda"), percentile: result("percentile"), lawFound: result("law") },
    chart: place.locator(".chart svg"),
    strip: place.locator(".strip svg"),
    measured: place.locator("p[role=status]").first(),
    told: place.locator("p[role=status]").last(),
    run: place.getByRole("combobox", { name: "Run", exact: true }),
    states: place.locator(".states"),
    words: place.locator(".words"),
    download: place.locator("a[download]"),
  };
}

type Explorer = ReturnType<typeof explorerOn>;

/** What the library says of a choice, as the page should write it. */
function expected(
  { conditions, seed, resamples }: CommitteeData,
  { label, replicates, from, to }: { label: string; replicates: number; from: number; to: number },
) {
  const { name, means } = conditions.find((one) => one.label === label)!;
  const runs = means.slice(0, replicates);
  const { lambda, low, high } = bootstrapSlope(runs, { rng: createRng(seed).fork(name), resamples, from, to });
  return { D: divergence(runs), lambda: fixedText(lambda!), percentile: intervalText(low, high)! };
}

/** Waits until resampling is done, and compares what is written with what the library says. */
async function shows({ lambda, percentile, lawFound }: Explorer, wanted: ReturnType<typeof expected>): Promise<void> {
  await lawFound.filter({ hasNotText: "…" }).waitFor({ timeout: 5000 });
  assert.deepEqual([await lambda.innerText(), await percentile.innerText()], [wanted.lambda, wanted.percentile]);
}

async function press(page: Page, on: Locator, key: string, times = 1): Promise<void> {
  await on.focus();
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
}

/** λ̂ and its interval in the moment in which a slider has moved: the interval waits for a pause. */
async function answeredAtOnce(slider: Locator, value: number): Promise<(string | null)[]> {
  return await slider.evaluate((input: HTMLInputElement, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    const root = input.getRootNode() as ShadowRoot;
    return ["lambda", "percentile"].map((name) => root.querySelector(`.result.${name}`)!.textContent);
  }, value);
}

/** Waits until a live region says something that matches. */
async function says(region: Locator, words: RegExp): Promise<void> {
  await region.filter({ hasText: words }).waitFor({ timeout: 5000 });
}

Deno.test("the explorer of committees, by keyboard alone", async () => {
  const data = await dataOf(FILE);
  await withBrowser((browser) =>
    withPage(browser, { acceptDownloads: true }, async (page) => {
      const troubles = watch(page);
      await page.goto(PAGE);
      const explorer = explorerOn(page);
      await measureByKeyboard(page, explorer, data);
      await lookOtherwise(page, explorer);
      await readDownload(page, explorer, data);
      await readRun(page, explorer, data);
      assert.deepEqual(await axeViolations(page), []);
      assert.deepEqual(troubles, []);
    })
  );
});

async function measureByKeyboard(page: Page, explorer: Explorer, data: CommitteeData): Promise<void> {
  const { condition, slider, percentile, measured } = explorer;
  const label = data.conditions[0]!.label;
  const all = { label, replicates: 20, from: 3, to: 20 };
  await shows(explorer, expected(data, all));
  await says(measured, /^HL-01, roles off: 20 of 20 complete runs\. λ̂ over rounds 3 to 20 is/);

  await press(page, slider("from"), "ArrowRight", 4);
  await press(page, slider("to"), "ArrowLeft", 5);
  const early = { ...all, from: 7, to: 15 };
  await shows(explorer, expected(data, early));
  assert.deepEqual(await answeredAtOnce(slider("to"), 16), [expected(data, { ...early, to: 16 }).lambda, "…"]);
  await press(page, slider("to"), "ArrowLeft");
  await shows(explorer, expected(data, early));
  const { randomWalk } = referenceSlopes({ from: 7, to: 15 });
  await says(measured, new RegExp(`over rounds 7 to 15 .* A random walk has ${fixedText(randomWalk)}`));
  assert.match(
    await explorer.strip.getAttribute("aria-label") ?? "",
    new RegExp(`random walk ${fixedText(randomWalk)}`),
  );

  await press(page, slider("replicates"), "ArrowLeft", 12);
  await shows(explorer, expected(data, { ...early, replicates: 8 }));
  await press(page, slider("replicates"), "Home");
  await says(percentile, /^undefined: too few replicates$/);

  await press(page, condition, "ArrowDown", 3);
  assert.equal(await slider("replicates").inputValue(), "2");
  const mixed = data.conditions[3]!;
  await press(page, slider("replicates"), "End");
  await press(page, explorer.paperWindow, "Enter");
  await shows(explorer, expected(data, { label: mixed.label, replicates: mixed.means.length, from: 3, to: 20 }));
  await says(measured, new RegExp(`^${mixed.label}: ${mixed.means.length} of ${mixed.means.length} complete runs`));
}

async function lookOtherwise(page: Page, { scale, law, chart, lambda, percentile }: Explorer): Promise<void> {
  const [before, interval] = [await lambda.innerText(), await percentile.innerText()];
  assert.match(await chart.getAttribute("aria-label") ?? "", /^ln D\(t\) of HL-01, mixed, roles on; /);
  const straight = await chart.locator(".fit").getAttribute("d");
  await press(page, scale("ln D(t)"), "ArrowRight");
  assert.equal(await scale("D(t)").isChecked(), true);
  assert.match(await chart.getAttribute("aria-label") ?? "", /^D\(t\) of /);
  assert.notEqual(await chart.locator(".fit").getAttribute("d"), straight);
  assert.notEqual(await chart.locator(".law").getAttribute("d"), "", "the best law is drawn");
  await law.selectOption("none");
  assert.equal(await chart.locator(".law").getAttribute("d"), "");
  assert.deepEqual(
    [await lambda.innerText(), await percentile.innerText()],
    [before, interval],
    "no other measurement",
  );
}

async function readDownload(page: Page, { download, lambda }: Explorer, data: CommitteeData): Promise<void> {
  const [file] = await Promise.all([page.waitForEvent("download"), download.press("Enter")]);
  assert.equal(file.suggestedFilename(), "divergence.csv");
  const rows = csvParse(await Deno.readTextFile(await file.path()));
  const { label, means } = data.conditions[3]!;
  const { D } = expected(data, { label, replicates: means.length, from: 3, to: 20 });
  assert.deepEqual(rows.map((row) => Number(row.D)), D);
  assert.deepEqual([...new Set(rows.map((row) => row.condition))], [label]);
  assert.equal(fixedText(Number(rows[0]!.lambda)), await lambda.innerText());
}

async function readRun(page: Page, { run, slider, states, words, told, place }: Explorer, data: CommitteeData) {
  await says(told, /round 1: committee mean/);
  await press(page, slider("round"), "ArrowRight", 6);
  assert.equal(await slider("round").getAttribute("aria-valuetext"), "7, of 20");
  const [first, second] = data.runs;
  const turns = first!.turns.filter(({ round }) => round === 7);
  assert.deepEqual(
    await words.locator("p").allInnerTexts(),
    turns.map(({ seat, argument }) => `${first!.seats[seat]} ${argument}`),
    "the arguments in the order in which they were spoken",
  );
  const bySeat = turns.toSorted((a, b) => a.seat - b.seat);
  assert.deepEqual(
    await states.locator("tbody tr").evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent))
    ),
    bySeat.map(({ preferences }) => preferences.map((share) => share.toFixed(2))),
  );
  await says(told, /, round 7: committee mean/);
  assert.equal(await place.locator(".standing .way").count(), 1, "three options stand in a triangle");

  await press(page, slider("round"), "End");
  await says(told, new RegExp(`round 20: .* After it the committee decides ${first!.decision}\\.$`));
  await press(page, run, "ArrowDown");
  await says(told, new RegExp(`^${second!.label}, round 20: committee mean A .*, E `));
  assert.equal(await place.locator(".standing rect").count(), 5, "five options stand in bars");
}

Deno.test("without scripts the still picture stands in the explorer's place", async () => {
  await withBrowser((browser) =>
    withPage(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(PAGE);
      const picture = page.locator("[data-controls] img");
      assert.match(await picture.getAttribute("alt") ?? "", /HL-01, roles off, 20 runs, λ̂ /);
      const { width, height } = (await picture.boundingBox())!;
      assert.ok(width > 400 && height > 200, `${width} by ${height} pixels`);
      assert.match(await page.locator("[data-controls] figcaption").innerText(), /synthetic/i);
    })
  );
});

Deno.test("on a narrow screen and on a dark page the explorer of committees fits and can be read", async () => {
  await withBrowser(async (browser) => {
    for (const [width, colorScheme] of [[400, "light"], [400, "dark"], [1280, "dark"]] as const) {
      await withPage(browser, { viewport: { width, height: 800 }, colorScheme }, async (page) => {
        await page.goto(PAGE);
        await explorerOn(page).lawFound.filter({ hasNotText: "…" }).waitFor();
        const [content, room] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth] as const;
        });
        assert.ok(content <= room, `the page is ${content} pixels wide in a window of ${room}`);
        const { slider, run } = explorerOn(page);
        await run.selectOption({ index: 1 });
        for (const [from, to] of [["1", "3"], ["18", "20"], ["1", "20"]]) {
          assert.deepEqual(await wordsCutOff(page), []);
          await slider("from").fill(from!);
          await slider("to").fill(to!);
        }
        assert.deepEqual(await wordsCutOff(page), []);
        assert.deepEqual(await axeViolations(page), []);
      });
    }
  });
});

/** Words of the drawings that do not lie wholly inside them. */
async function wordsCutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const root = document.querySelector("[data-controls] > div")!.shadowRoot!;
    return [...root.querySelectorAll("svg[role=img]")].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll("text")].filter((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
      }).map((text) => text.textContent ?? "");
    });
  });
}

Deno.test("every move but resampling is answered within a frame", async () => {
  await withBrowser((browser) =>
    withPage(browser, {}, async (page) => {
      await page.goto(PAGE);
      await explorerOn(page).lawFound.filter({ hasNotText: "…" }).waitFor();
      // Whatever else the machine does only adds to a time: the quietest round counts.
      const rounds = [await timesOfMoves(page), await timesOfMoves(page), await timesOfMoves(page)];
      const [median, slowest] = rounds.map((times) => [times[25]!, times[49]!] as const).sort(([a], [b]) => a - b)[0]!;
      const resampling = await longestTask(page);
      const moves = `moves: median ${median.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms of 50`;
      process.stdout.write(`${moves}; resampling: ${resampling.toFixed(0)} ms from the pause to the last number\n`);
      assert.ok(median < 16, `${median} ms`);
    })
  );
});

/** Milliseconds that each of 50 moves took, sorted: reckoning, changes of the page and their layout. */
async function timesOfMoves(page: Page): Promise<number[]> {
  return await page.evaluate(async () => {
    const root = document.querySelector("[data-controls] > div")!.shadowRoot!;
    const sliders = ["from", "to", "replicates", "round"].map((id) => root.querySelector<HTMLInputElement>(`#${id}`)!);
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      const slider = sliders[i % sliders.length]!;
      slider.value = String(2 + (i * 7 % 18));
      const begin = performance.now();
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      root.querySelector(".card")!.getBoundingClientRect(); // The layout belongs to the answer.
      times.push(performance.now() - begin);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times.toSorted((a, b) => a - b);
  });
}

/** Milliseconds from a move over all replicates to the last number that follows it, the pause taken off. */
async function longestTask(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const root = document.querySelector("[data-controls] > div")!.shadowRoot!;
    const last = root.querySelector(".result.law")!;
    const slider = root.querySelector<HTMLInputElement>("#replicates")!;
    slider.value = slider.value === "20" ? "19" : "20";
    const settled = Promise.withResolvers<void>();
    const observer = new MutationObserver(() => {
      if (last.textContent !== "…") settled.resolve();
    });
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    observer.observe(last, { childList: true, characterData: true, subtree: true });
    const begin = performance.now();
    await settled.promise;
    return performance.now() - begin - 250;
  });
}
