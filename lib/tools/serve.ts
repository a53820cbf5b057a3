import { badArguments, print, runCommand, say, wholeNumber } from "./command.ts";
import { serve } from "./serve/endpoint.ts";

const HELP = `
usage: deno task serve [--port N] [--seed N] [--latency MS] [--fault KIND:RATE]…

Serves the surrogate committee and the station's personas as an OpenAI-compatible endpoint on 127.0.0.1, to try live runs
without a model and without paying. Its replies are a program's and say nothing about language models.

  GET  /v1/models             model ids: those of scenarios/lineups.json, and a persona of the station each
  POST /v1/chat/completions   whole or streamed (stream: true), with usage. A prompt of the station is answered by the
                              persona that the model id names, or else by coalition; a committee's by the surrogate

  --port N            default: 8484; 0 takes a free one
  --seed N            of replies to requests that send no seed, and of faults (default: 1)
  --latency MS        from a request to its answer (default: 0)
  --fault KIND:RATE   the share of requests that fails, such as rate_limit:0.05; may be repeated. Kinds:
                      rate_limit (429, a pause of 200 ms asked for), server (503), network (the connection breaks off
                      in the body), timeout (never answered), protocol (a page with status 200), empty, truncated,
                      content_filter, auth (401), quota (402), bad_request (400), no_usage (a reply without its token
                      counts)

Any key is taken, but one must be sent. A request larger than 1 MB is refused (413), and so is one to another host than
127.0.0.1 or localhost (421). Ctrl-C ends it.
example:  deno task serve --fault rate_limit:0.05 --fault network:0.02
          export OPENAI_BASE_URL=http://127.0.0.1:8484/v1 OPENAI_API_KEY=not-a-secret        (in another terminal)
          deno task run --scenario IM-01 --replicates 2 --council live
`;

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
