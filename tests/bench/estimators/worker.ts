import { seenIn } from "./study.ts";
import { regimesOf, type TableName } from "./tables.ts";

/** Looks at the ensembles that it is sent the numbers of, and sends back what it saw. */
const made: Partial<Record<TableName, ReturnType<typeof regimesOf>>> = {};
addEventListener("message", async ({ data: { table, regime, from, to } }: MessageEvent) => {
  const all = await (made[table as TableName] ??= regimesOf(table));
  postMessage(seenIn(all[regime]!, from, to));
});
