import { Marked } from "marked";
import { emit, type MimeBundle } from "./emit.ts";
import { escapeHtml, inertText } from "../../core/text.ts";

/** A story's headings rank below the notebook's sections, which alone are listed in the contents. */
const BELOW = 2;

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + BELOW);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    // A screen reader would announce an empty heading.
    tablecell(token) {
      const tag = token.header && token.text.trim() !== "" ? "th" : "td";
      const align = token.align === null ? "" : ` align="${token.align}"`;
      return `<${tag}${align}>${this.parser.parseInline(token.tokens)}</${tag}>\n`;
    },
    // The words may come from anybody: markup is text, and nothing links or loads.
    html: ({ text }) => escapeHtml(text),
    link({ tokens }) {
      return this.parser.parseInline(tokens);
    },
    image: ({ text }) => escapeHtml(text),
  },
});

/** Shows Markdown as a story: headings, paragraphs and quotations, without links, images or HTML. */
export async function story(markdown: string): Promise<void> {
  await emit(storyBundle(markdown));
}

/** The output that `story` shows. */
export function storyBundle(markdown: string): MimeBundle {
  const text = inertText(markdown);
  const html = marked.parse(text, { async: false });
  return { "text/html": `<article data-story style="max-width:44em">\n${html}</article>`, "text/plain": text };
}
