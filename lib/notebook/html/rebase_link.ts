import { join, relative, resolve } from "node:path";
import { isLocal } from "./local_links.ts";

/** Where a notebook and its page stand; all absolute. */
export interface PagePlace {
  /** Folder of the notebook. */
  readonly from: string;
  /** Folder of its page. */
  readonly to: string;
}

/**
 * A relative link of a notebook as its page must write it: to another notebook's page where it named a notebook, and to
 * the same file as before otherwise.
 */
export function rebaseLink(href: string, { from, to }: PagePlace): string {
  if (!isLocal(href)) return href;
  const [, path = "", rest = ""] = /^([^#?]*)(.*)$/s.exec(href) ?? [];
  if (path.endsWith(".ipynb")) return path.replace(/\.ipynb$/, ".html") + rest;
  const link = relative(to, resolve(from, path)).replaceAll("\\", "/");
  return (path.endsWith("/") ? join(link, "/") : link) + rest;
}
