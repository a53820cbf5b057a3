import { pathToFileURL } from "node:url";

/**
 * A folder as a URL to resolve names against: `new URL(name, folderUrl(folder))` is inside it.
 *
 * @param folder a path, or a file URL with or without its closing slash (without, resolving would drop the last part).
 */
export function folderUrl(folder: string | URL): URL {
  const url = typeof folder === "string" ? pathToFileURL(folder) : folder;
  return url.href.endsWith("/") ? url : new URL(`${url.href}/`);
}
