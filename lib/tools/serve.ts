import { badArguments, print, runCommand, say, wholeNumber } from "./command.ts";
import { serve } from "./serve/endpoint.ts";
import HELP from "./help/serve.txt" with { type: "text" };

function faultsOf(given: readonly string[]): Record<string, number> {
  return Object.fromEntries(given.map((text) => {
    const [kind = "", rate = "", more] = text.split(":");
    if (more !== undefined || rate.trim() === "" || Number.isNaN(Number(rate))) {
      throw badArguments(`--fault must be KIND:RATE such as rate_limit:0.05, got "${text}"`);
    }
    return [kind, Number(rate)];
  }));
}

if (import.meta.main) {
  await runCommand({
    name: "serve",
    help: HELP,
    options: {
      port: { type: "string", default: "8484" },
      seed: { type: "string", default: "1" },
      latency: { type: "string", default: "0" },
      fault: { type: "string", multiple: true, default: [] },
    },
    async run({ values, positionals }) {
      if (positionals.length > 0) throw badArguments(`takes no names, got ${positionals.join(", ")}`);
      const port = wholeNumber("--port", values.port);
      if (port > 65_535) throw badArguments(`--port must be at most 65535, got ${port}`);
      const served = await serve({
        port,
        seed: wholeNumber("--seed", values.seed),
        latencyMs: wholeNumber("--latency", values.latency),
        faults: faultsOf(values.fault),
      }).catch((error: unknown) => {
        if (error instanceof Deno.errors.AddrInUse) {
          throw badArguments(`port ${port} is taken; give another --port, or 0`);
        }
        throw error;
      });
      print(`OPENAI_BASE_URL=${served.baseUrl} OPENAI_API_KEY=not-a-secret`);
      say("The surrogate and the personas answer there; Ctrl-C ends it.");
      await new Promise<void>((resolve) => Deno.addSignalListener("SIGINT", resolve));
      await served[Symbol.asyncDispose]();
    },
  });
}
