import { type TableName, TABLES } from "./tables.ts";

/** Looks at the ensembles that it is sent the numbers of, and sends back what it saw. */
addEventListener("message", async ({ data: { table, part, from, to } }: MessageEvent) => {
  postMessage(await TABLES[table as TableName].look(part, from, to));
});
