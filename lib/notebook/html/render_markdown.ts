import { Marked } from "marked";
import { escapeHtml } from "../escape_html.ts";

/** A heading of a page. */
export interface Heading {
  readonly depth: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

/** Turns the markdown cells of one page into HTML. */
export interface MarkdownRenderer {
  /** One cell. HTML in it is kept: notebooks are our own words. */
  render(markdown: string): string;
  /** The headings met so far. */
  readonly headings: readonly Heading[];
}

/**
 * A renderer for the cells of one page. Headings get the ids that Jupyter gives them (spaces become hyphens), so that a
 * link to a section works in both; a repeated heading gets a number.
 *
 * @param rebase turns the target of a link or image into what the page must write.
 */
export function createMarkdownRenderer(rebase: (href: string) => string): MarkdownRenderer {
  const headings: Heading[] = [];
  const marked = new Marked({
    gfm: true,
    walkTokens(token) {
      if (token.type === "link" || token.type === "image") token.href = rebase(String(token.href));
    },
    renderer: {
      // Code may be wider than the page: what scrolls must be reachable by keyboard.
      code({ text, lang = "" }) {
        return `<pre tabindex="0"><code class="language-${escapeHtml(lang)}">${escapeHtml(text)}\n</code></pre>\n`;
      },
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const plain = unescape(text);
        const id = freeId(plain.trim().replace(/ /g, "-"), headings);
        headings.push({ depth, id, text: plain });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return { render: (markdown) => marked.parse(markdown, { async: false }), headings };
}

function freeId(id: string, taken: readonly Heading[]): string {
  const ids = new Set(taken.map((heading) => heading.id));
  let free = id;
  for (let i = 2; ids.has(free); i++) free = `${id}-${i}`;
  return free;
}

/** The text renderer escapes; contents and ids need the words themselves. */
function unescape(text: string): string {
  return text.replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
