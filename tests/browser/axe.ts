import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What axe-core has against a page, or against one part of it: rule, impact and the first element of each. Its rules
 * are all asked, best practices too, unless only some are named.
 */
export async function axeViolations(page: Page, selector = "html", rules?: readonly string[]): Promise<string[]> {
  // Without a tag in the page: its policy lets no further script in.
  await page.evaluate(axe.source);
  return await page.evaluate(async ({ selector, rules }) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document.querySelector(selector)!, rules ? { runOnly: rules } : {});
    return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html.slice(0, 200)}`);
  }, { selector, rules: rules && [...rules] });
}
