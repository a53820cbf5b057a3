import { z } from "zod";
import { contentHash } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import { createRng } from "../core/rng.ts";
import { STATION_PERSONAS, stationPersona } from "../model/station/station_persona.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import { loadLineups, loadSurrogateParameters } from "../runs/scenarios.ts";
import { ChatMessage } from "../schema/model_call.ts";
import { COUNCIL } from "../schema/station_ids.ts";
import { badArguments, print, runCommand, say, wholeNumber } from "./command.ts";

const HELP = `
usage: deno task serve [--port N] [--seed N] [--latency MS] [--fault KIND:RATE]…

The surrogate committee and the station's personas as an OpenAI-compatible endpoint on 127.0.0.1: what a live council
does can be tried without a model and without paying. Its replies are a program's and say nothing about language models.

  GET  /v1/models             model ids: those of scenarios/lineups.json, and a persona of the station each
  POST /v1/chat/completions   whole or streamed (stream: true), with usage. A prompt of the station is answered by the
                              persona that the model id names, or else by coalition; a committee's by the surrogate

  --port N            default: 8484; 0 takes a free one
  --seed N            of replies to requests that send no seed, and of faults (default: 1)
  --latency MS        from a request to its answer (default: 0)
  --fault KIND:RATE   so large a share of requests fails, such as rate_limit:0.05; may be repeated. Kinds:
                      rate_limit (429, a pause of 200 ms asked for), server (503), network (the connection breaks off in the body),
                      timeout (never answered), protocol (a page with status 200), empty, truncated, content_filter,
                      auth (401), quota (402), bad_request (400), no_usage (a reply without its token counts)

Any key is taken, but one must be sent. Ctrl-C ends it.
example:  deno task serve --fault rate_limit:0.05 --fault network:0.02
          OPENAI_BASE_URL=http://127.0.0.1:8484/v1 OPENAI_API_KEY=any deno task run --scenario IM-01 --replicates 2 --council live
`;

/** Content as text or, as some clients send it, in parts. */
const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join("")),
]);

const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: ChatMessage.shape.role, content: Content })).min(1),
  temperature: z.number().min(0).max(2).default(1),
  seed: z.int().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
});

/** The ways in which the endpoint can be told to fail. */
export const SERVED_FAULTS = [
  ...["rate_limit", "server", "network", "timeout", "protocol", "empty", "truncated", "content_filter"],
  ...["auth", "quota", "bad_request", "no_usage"],
] as const;

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port?: number;
  readonly seed?: number;
  /** Milliseconds from a request to its answer. */
  readonly latencyMs?: number;
  /** Share of requests by kind, of `SERVED_FAULTS`; they may sum to 1. */
  readonly faults?: Readonly<Record<string, number>>;
}

/** An endpoint that is being served; disposing of it breaks off what it is answering. */
export interface Served extends AsyncDisposable {
  /** Ends in `/v1`: the value of OPENAI_BASE_URL. */
  readonly baseUrl: string;
}

/**
 * Serves the surrogate committee and the station's personas behind `/v1/chat/completions` on loopback.
 *
 * Equal requests with equal seeds get equal replies; one without a seed gets the dice of its prompt and of how often that
 * was answered before. Replies say `synthetic: true`, which the record then says too.
 *
 * @throws {UserError} on an unknown kind of fault or shares that are not in [0, 1] or sum to more than 1.
 */
export async function serve({ port = 8484, seed = 1, latencyMs = 0, faults = {} }: ServeOptions = {}): Promise<Served> {
  checkFaults(faults);
  const rng = createRng(seed);
  const committee = surrogate(await loadSurrogateParameters());
  const models = await servedModels();
  let requests = 0;
  const asked = new Map<string, number>();
  /** Replicates send the same words, and must not get the same reply; one that is asked again after a fault must. */
  const ownSeed = (prompt: string, fault: string | undefined): number => {
    const times = asked.get(prompt) ?? 0;
    if (fault === undefined) asked.set(prompt, times + 1);
    return rng.fork(prompt).fork(times).key;
  };
  const stop = new AbortController();

  const complete = async (request: Request): Promise<Response> => {
    const dice = rng.fork(++requests);
    const fault = faultOf(faults, dice.fork("fault").next());
    if (!/^Bearer \S/.test(request.headers.get("authorization") ?? "") || fault === "auth") {
      return failure(401, "no valid API key was sent: any will do, as Authorization: Bearer …");
    }
    const body = Body.safeParse(await request.json().catch(() => undefined));
    if (!body.success) return failure(400, `not a chat completion request: ${z.prettifyError(body.error)}`);
    const { model, messages, temperature, stream } = body.data;
    if (!models.includes(model)) {
      const [offer] = nearest(model, models, { count: 1 });
      return failure(404, `the model ${model} is not served${offer === undefined ? "" : `; did you mean ${offer}?`}`);
    }
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const refused = fault === undefined ? undefined : refusal(fault, stop.signal);
    if (refused) return await refused;
    const maxTokens = body.data.max_completion_tokens ?? body.data.max_tokens ?? 4096;
    const chat = isStation(messages[0]!.content) ? personaOf(model) : committee;
    const own = body.data.seed ?? ownSeed(contentHash({ model, messages, temperature }), fault);
    const { text } = await chat({ model, messages, temperature, seed: own, maxTokens });
    const reply = completion({ number: requests, model, messages, text: fault === "empty" ? "" : text });
    const answer = fault === undefined ? reply : spoilt(reply, fault);
    if (fault === "network") return brokenOff(JSON.stringify(answer));
    return stream ? streamed(answer) : Response.json(answer);
  };

  const server = Deno.serve(
    { port, hostname: "127.0.0.1", onListen: () => {}, signal: stop.signal },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/models") {
        return Response.json({
          object: "list",
          data: models.map((id) => ({ id, object: "model", owned_by: "surrogate" })),
        });
      }
      if (pathname !== "/v1/chat/completions") return failure(404, `no such path: ${pathname}`);
      if (request.method !== "POST") return failure(405, "chat completions are asked for with POST");
      // A prompt that the surrogate cannot read is the request's mistake.
      return await complete(request).catch((error: Error) => failure(400, error.message));
    },
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}

async function servedModels(): Promise<string[]> {
  const { lineups } = await loadLineups();
  return [...new Set([...Object.values(lineups).flatMap(({ models }) => Object.values(models)), ...STATION_PERSONAS])];
}

const isStation = (system: string): boolean => COUNCIL.some((role) => system.includes(` as ${role} `));
const personaOf = (model: string) =>
  stationPersona((STATION_PERSONAS as readonly string[]).includes(model) ? model : "coalition");

function checkFaults(faults: Readonly<Record<string, number>>): void {
  for (const [kind, share] of Object.entries(faults)) {
    if (!(SERVED_FAULTS as readonly string[]).includes(kind)) {
      throw badArguments(`--fault knows no kind "${kind}"; there are ${SERVED_FAULTS.join(", ")}`);
    }
    if (!(share >= 0 && share <= 1)) throw badArguments(`--fault ${kind}: the rate must be a share from 0 to 1`);
  }
  const sum = Object.values(faults).reduce((total, share) => total + share, 0);
  if (sum > 1 + 1e-9) throw badArguments(`the rates of --fault sum to ${sum}, more than 1`);
}

function faultOf(faults: Readonly<Record<string, number>>, roll: number): string | undefined {
  let below = 0;
  return Object.entries(faults).find(([, share]) => roll < (below += share))?.[0];
}

const failure = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message, type: status < 500 ? "invalid_request_error" : "server_error" } }, {
    status,
    headers,
  });

/** The faults in which no completion comes back. */
function refusal(fault: string, ended: AbortSignal): Response | Promise<Response> | undefined {
  const words = `${fault} on purpose (--fault)`;
  switch (fault) {
    case "rate_limit":
      return failure(429, words, { "retry-after-ms": "200" });
    case "server":
      return failure(503, words);
    case "quota":
      return failure(402, words);
    case "bad_request":
      return failure(400, words);
    case "protocol":
      return new Response(`<!DOCTYPE html><html><body><h1>${words}</h1></body></html>`, {
        headers: { "content-type": "text/html" },
      });
    case "timeout":
      return new Promise((resolve) => ended.addEventListener("abort", () => resolve(failure(503, words))));
  }
}

interface Completion {
  readonly id: string;
  readonly object: "chat.completion";
  readonly created: number;
  readonly model: string;
  /** An extension, which this project's client takes down. */
  readonly synthetic: true;
  readonly choices: readonly [
    { index: 0; finish_reason: string; message: { role: "assistant"; content: string | null } },
  ];
  readonly usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

function completion(
  { number, model, messages, text }: { number: number; model: string; messages: readonly ChatMessage[]; text: string },
): Completion {
  const prompt = messages.reduce((sum, { content }) => sum + 3 + tokens(content), 3);
  return {
    id: `chatcmpl-surrogate-${number}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: `${model} (surrogate)`,
    synthetic: true,
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }],
    usage: { prompt_tokens: prompt, completion_tokens: tokens(text), total_tokens: prompt + tokens(text) },
  };
}

/** About four characters of English each. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

function spoilt(reply: Completion, fault: string): Completion {
  const [choice] = reply.choices;
  if (fault === "truncated") return { ...reply, choices: [{ ...choice, finish_reason: "length" }] };
  if (fault === "content_filter") {
    return {
      ...reply,
      choices: [{ ...choice, finish_reason: "content_filter", message: { ...choice.message, content: null } }],
    };
  }
  if (fault !== "no_usage") return reply;
  const { usage: _, ...rest } = reply;
  return rest;
}

/** Half of a body where the whole was promised: the connection then breaks off. */
function brokenOff(text: string): Response {
  const whole = new TextEncoder().encode(text);
  const headers = { "content-type": "application/json", "content-length": String(whole.length) };
  return new Response(ReadableStream.from([whole.subarray(0, whole.length / 2)]), { headers });
}

/** The completion as server-sent events, a few words each. */
function streamed({ choices: [{ message, finish_reason }], usage, ...head }: Completion): Response {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${
      JSON.stringify({
        ...head,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
    }\n\n`;
  const parts = (message.content ?? "").match(/[^]{1,40}/g) ?? [];
  const events = [
    chunk({ role: "assistant", content: "" }, null),
    ...parts.map((content) => chunk({ content }, null)),
    chunk({}, finish_reason),
    ...(usage ? [`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage })}\n\n`] : []),
    "data: [DONE]\n\n",
  ];
  const body = ReadableStream.from(events).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

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
      print(`OPENAI_BASE_URL=${served.baseUrl} OPENAI_API_KEY=any`);
      say("The surrogate and the personas answer there; Ctrl-C ends it.");
      await new Promise<void>((resolve) => Deno.addSignalListener("SIGINT", resolve));
      await served[Symbol.asyncDispose]();
    },
  });
}
