import { openDatabase } from "@/lab/sweep/database.ts";
import { declareRuns } from "./big_store.ts";

/** Declares a sweep of so many runs: `declare.ts URL NAME RUNS`. A process of its own, to be killed. */

const [url, name, runs] = Deno.args as [string, string, string];
await using database = await openDatabase(url);
await declareRuns(database, name, Number(runs));
