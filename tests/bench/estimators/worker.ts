import { regimes, seenIn } from "./study.ts";

/** Looks at the ensembles that it is sent the numbers of, and sends back what it saw. */
const all = regimes();
addEventListener("message", async ({ data: { regime, from, to } }: MessageEvent) => {
  postMessage(seenIn((await all)[regime]!, from, to));
});
