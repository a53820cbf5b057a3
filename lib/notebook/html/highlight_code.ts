import hljs from "highlight.js/lib/core";
import typescript from "highlight.js/lib/languages/typescript";

hljs.registerLanguage("typescript", typescript);

/** TypeScript as HTML with a class for each kind of word; everything in it is escaped. */
export function highlightCode(source: string): string {
  return hljs.highlight(source, { language: "typescript", ignoreIllegals: true }).value;
}
