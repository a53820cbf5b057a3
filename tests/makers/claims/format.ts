import { z } from "zod";
import type { Claim as Stated, Rules } from "@/lab/paper/claims.ts";
import { folderUrl } from "@/record/files.ts";
import { readJson } from "@/record/read_json.ts";

const limit = z.union([z.number(), z.boolean(), z.string().min(1)]);
const bound = z.strictObject({ above: limit, atLeast: limit, below: limit, atMost: limit, is: limit }).partial();
const rule = z.record(z.string(), bound);
const rules: z.ZodType<Rules> = z.union([rule, z.array(rule).min(1)]);
const criterion = { supported: rules.optional(), contradicted: z.union([rules, z.literal("never")]).optional() };
const sql = z.string().regex(/^(select|with) /, "must be an SQL query");
const quantity = z.union([
  sql,
  z.strictObject({ flag: sql }),
  z.strictObject({ list: sql }),
  z.strictObject({ row: sql }),
  z.strictObject({ rows: sql }),
]);
const Claim: z.ZodType<Stated> = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"),
  section: z.string().min(1),
  claim: z.string().min(1),
  implied: z.literal(true).optional(),
  criterion: z.string().min(1).optional(),
  ...criterion,
  quantities: z.record(z.string(), quantity).optional(),
  values: z.record(z.string(), z.json()).optional(),
  evidence: z.string().min(1).optional(),
  items: z.record(z.string(), z.string().min(1)).optional(),
  needs: z.array(z.string().min(1)).min(1).optional(),
  missing: z.string().min(1).optional(),
}).superRefine(({ quantities, values, criterion, supported, contradicted, evidence, needs, missing }, context) => {
  const complain = (message: string) => context.addIssue({ code: "custom", message });
  if (quantities === undefined && missing === undefined) complain("needs quantities, or must say what is missing");
  if (quantities === undefined) {
    if ((needs ?? values ?? supported ?? contradicted) !== undefined) complain("has files or rules, but no quantities");
    return;
  }
  if (criterion === undefined || evidence === undefined) complain("has quantities but no criterion or no evidence");
  if ((supported ?? contradicted) === undefined) complain("has quantities but no rule");
  if (values === undefined || needs === undefined) complain("has no values or files: run deno task dev claims");
});

const File = z.strictObject({
  schema: z.literal("claims/3"),
  paper: z.string().min(1),
  views: z.record(z.string(), sql),
  claims: z.array(Claim).min(1).refine(
    (claims) => new Set(claims.map(({ id }) => id)).size === claims.length,
    "must have ids of their own",
  ),
});

const CLAIMS = new URL("../../../data/claims/", import.meta.url);

/**
 * The claims of one paper, held to their format.
 *
 * @param options `folder`: where to look for `PAPER.json`; default the project's own `data/claims/`.
 * @throws {UserError} when the file is missing or malformed, naming line, column, field and rule.
 */
export const loadClaims = (paper: string, { folder = CLAIMS }: { folder?: string | URL | undefined } = {}) =>
  readJson(new URL(`${paper}.json`, folderUrl(folder)), File);
