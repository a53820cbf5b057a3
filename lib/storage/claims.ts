import { Claims } from "../schema/claims.ts";
import { folderUrl } from "./folder_url.ts";
import { readJson } from "./read_json.ts";

const CLAIMS = new URL("../../data/claims/", import.meta.url);

/**
 * The statements of one paper that are checked against what it publishes.
 *
 * @param paper which paper: `deliberation` or `station`, as its file in `data/claims/` is named.
 * @param options `folder`: where to look; default the project's own `data/claims/`.
 * @throws {UserError} when the file is missing or malformed, naming line, column, field and rule.
 */
export async function loadClaims(
  paper: string,
  { folder = CLAIMS }: { folder?: string | URL | undefined } = {},
): Promise<Claims> {
  return await readJson(new URL(`${paper}.json`, folderUrl(folder)), Claims);
}
