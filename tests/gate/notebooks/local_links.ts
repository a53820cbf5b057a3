import { marked } from "marked";
import { isLocal } from "@/lab/tools/pages/links.ts";

/** The relative links and images of a markdown text, in order. */
export function localLinks(markdown: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if ((token.type === "link" || token.type === "image") && isLocal(String(token.href))) {
      links.push(String(token.href));
    }
  });
  return links;
}
