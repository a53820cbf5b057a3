import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { PATIENCE_MS } from "./patience.ts";

/** A real browser for the tests, and what they watch in it. */

const CHROMIUM = "/usr/bin/chromium";
const ARGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** Runs `use` with a browser and closes it in any case. */
export async function withBrowser(use: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

/** Runs `use` with a page that has a context of its own. */
export async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Errors and warnings on the console with the place they speak of, and exceptions. */
export function watchConsole(page: Page): string[] {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      troubles.push(`${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  return troubles;
}

/** What `watchConsole` sees, and anything fetched besides the page itself. */
export function watch(page: Page): string[] {
  const troubles = watchConsole(page);
  page.on("request", (request) => {
    if (!request.isNavigationRequest() && !/^(data|blob):/.test(request.url())) {
      troubles.push(`request for ${request.url()}`);
    }
  });
  return troubles;
}

/** Words of the drawings that do not lie wholly inside them. */
export async function wordsCutOff(page: Page): Promise<string[]> {
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
