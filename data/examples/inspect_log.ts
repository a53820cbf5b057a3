import { inspectSamples } from "@/record/mod.ts";

/** A log that `deno task export --as inspect` wrote: each complete sample holds the shares of every round by agent. */
export default function* log(path: string) {
  for (const { run, metadata, scores, error } of inspectSamples(path)) {
    if (error) continue;
    const decision = scores?.decision && String(scores.decision.value);
    for (const [t, round] of (metadata!.rounds as Record<string, Record<string, number>>[]).entries()) {
      for (const [agent, shares] of Object.entries(round)) {
        yield { run, round: t + 1, agent, state: Object.values(shares), decision };
      }
    }
  }
}
