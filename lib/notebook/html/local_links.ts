import { marked } from "marked";

/** Whether a link leads to a file beside, not to a place on the page or the web. */
export function isLocal(href: string): boolean {
  return href !== "" && !href.startsWith("#") && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(href);
}

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
