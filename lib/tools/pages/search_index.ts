import { parseHTML } from "linkedom";
import { bundleBrowser } from "../../notebook/bundle_browser.ts";
import { scriptJson } from "../../core/text.ts";

/** A section of a page as the search knows it. */
export interface Section {
  /** Link from the folder of all pages. */
  readonly href: string;
  /** The page's title, and the section's heading; empty for what stands before the first. */
  readonly title: string;
  readonly section: string;
  readonly text: string;
}

/** Parts of a page that say nothing of their own: pictures, whose words stand in captions too, code and scripts. */
const SILENT = /<svg\b.*?<\/svg>|<script\b.*?<\/script>|<style\b.*?<\/style>|<details class="code">.*?<\/details>/gs;

/** What a page says, by section: prose, findings, captions, tables; not code. */
export function sectionsOf(page: string, href: string): Section[] {
  const { document } = parseHTML(page.replace(SILENT, " "));
  const title = document.title, sections: { href: string; title: string; section: string; text: string }[] = [];
  const open = (id: string, section: string) =>
    sections.push({ href: id === "" ? href : `${href}#${encodeURIComponent(id)}`, title, section, text: "" });
  open("", "");
  const visit = (node: Node): void => {
    if (node.nodeType === 3) sections.at(-1)!.text += node.textContent;
    if (node.nodeType !== 1) return;
    const element = node as Element;
    if (element.className === "anchor") return;
    if (/^H[23]$/.test(element.nodeName) && element.id !== "") {
      open(
        element.id,
        [...element.childNodes].filter((child) => (child as Element).className !== "anchor").map((child) =>
          child.textContent
        ).join("").trim(),
      );
    }
    for (const child of node.childNodes) visit(child);
    sections.at(-1)!.text += " ";
  };
  visit(document.querySelector("main") ?? document.body);
  return sections.map((one) => ({ ...one, text: one.text.replace(/\s+/g, " ").trim() })).filter(({ text }) =>
    text !== ""
  );
}

/**
 * The script that a page loads when its search is first used: what all pages say, and the search itself.
 *
 * @throws {UserError} where the bundler is switched off.
 */
export async function searchIndex(sections: readonly Section[]): Promise<string> {
  const script = await bundleBrowser(new URL("./search_page.ts", import.meta.url));
  return `globalThis.chaosSections=${scriptJson(sections)};\n${script}`;
}
