import { join, relative, resolve } from "node:path";

/** True if a link leads to a local file, not to a place on the page or the web. */
export const isLocal = (href: string): boolean => !/^($|#|[a-z][a-z0-9+.-]*:|\/\/)/i.test(href);

/** The folders of a notebook or guide page and of its HTML page; all absolute. */
interface PagePlace {
  /** Folder of all notebooks: a Markdown file in it is a guide page. */
  readonly root: string;
  /** Folder of the notebook. */
  readonly from: string;
  /** Folder of its page. */
  readonly to: string;
}

/**
 * A relative link of a notebook, rewritten for its page: links to notebooks and guide pages lead to their pages, all
 * others to the same file as before.
 */
export function rebaseLink(href: string, { root, from, to }: PagePlace): string {
  if (!isLocal(href)) return href;
  const [, path = "", rest = ""] = /^([^#?]*)(.*)$/s.exec(href) ?? [];
  const isGuide = path.endsWith(".md") && !relative(root, resolve(from, path)).startsWith("..");
  if (isGuide || path.endsWith(".ipynb")) return path.replace(/\.(ipynb|md)$/, ".html") + rest;
  const link = relative(to, resolve(from, path)).replaceAll("\\", "/");
  return (path.endsWith("/") ? join(link, "/") : link) + rest;
}

/** Link from a folder to a file. */
export function urlTo(folder: string, file: string): string {
  return relative(folder, file).split(/[\\/]/).map(encodeURIComponent).join("/");
}
