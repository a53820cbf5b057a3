import { openDatabase } from "@/sweep/database.ts";
import { costOf, STEPS } from "./pages.ts";
await using d = await openDatabase("postgres://lab@127.0.0.1:5599/big");
for (const [what, st] of Object.entries(STEPS)) console.log(what, await costOf(d, await st(d, "big")));
