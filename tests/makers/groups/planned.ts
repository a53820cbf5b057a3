import type { z } from "zod";
import { GroupCondition, GroupSet } from "@/lab/paper/groups.ts";
import { readCsv } from "@/record/read_csv.ts";

/** The published records, which are no part of the project. */
export const RECORDS = new URL("../../../../shared/groups/", import.meta.url);
export const DATA = new URL("../../../data/groups/", import.meta.url);

/** A condition with the folder of its set. */
export type PlannedCondition = z.output<typeof GroupCondition> & { readonly folder: string };

/** All conditions, set by set. */
export async function plannedConditions(): Promise<PlannedCondition[]> {
  const sets = await readCsv(new URL("sets.csv", DATA), GroupSet);
  const conditions = await readCsv(new URL("conditions.csv", DATA), GroupCondition);
  return conditions.map((row) => ({ ...row, folder: sets.find(({ set }) => set === row.set)!.folder }));
}
