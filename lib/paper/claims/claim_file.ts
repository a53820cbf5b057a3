import { z } from "zod";
import { folderUrl } from "../../runs/files.ts";
import { readJson } from "../../runs/read_json.ts";

/**
 * One statement of a paper that somebody could dispute. It has a `check` where what is published can speak to it, and
 * says what is `missing` where nothing can, or where the check may come out undecided.
 */
export const Claim = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"),
  section: z.string().min(1).describe("where the paper states it"),
  claim: z.string().min(1).describe("what it states, in our words"),
  implied: z.literal(true).optional().describe("no sentence states it; others of the paper rest on it"),
  criterion: z.string().min(1).optional().describe("what must hold for it to count as supported, chosen by us"),
  check: z.string().min(1).optional().describe("name of the function that decides"),
  needs: z.array(z.string().min(1)).min(1).optional().describe(
    "files that the check reads, as seen from data/published/",
  ),
  missing: z.string().min(1).optional().describe("what would be needed to decide"),
}).superRefine(({ check, criterion, needs, missing }, context) => {
  const complain = (message: string) => context.addIssue({ code: "custom", message });
  if (check === undefined && missing === undefined) complain("needs a check, or must say what is missing");
  if (check !== undefined && criterion === undefined) complain("has a check but no criterion");
  if (check !== undefined && needs === undefined) complain("has a check but names no file that it needs");
  if (check === undefined && needs !== undefined) complain("names files, but no check that reads them");
});
export type Claim = z.infer<typeof Claim>;

/** The statements of one paper that are checked, or that cannot be. */
export const Claims = z.strictObject({
  schema: z.literal("claims/1"),
  paper: z.string().min(1),
  claims: z.array(Claim).min(1).refine(
    (claims) => new Set(claims.map(({ id }) => id)).size === claims.length,
    "must have ids of their own",
  ),
});
export type Claims = z.infer<typeof Claims>;

const CLAIMS = new URL("../../../data/claims/", import.meta.url);

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
