import { z } from "zod";

/** The five mandates of the deliberation paper (S2.2), in its order of listing. */
export const ROLES = ["Chair", "Welfare", "Rights", "Equity", "Security"] as const;

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;
