import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { ChatMessage } from "@/schema/model_call.ts";
import { councilAnswers, promptHash, type Question } from "./answers.ts";
import { type Completion, type FaultName, FAULTS } from "./faults.ts";

/** An OpenAI-compatible endpoint on loopback that answers as councils do, fails as told, and counts all it was asked. */

/** Content as text or, as some clients send it, in parts. */
const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join("")),
]);

const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: ChatMessage.shape.role, content: Content })),
  temperature: z.number().default(1),
  max_tokens: z.int().optional(),
});

/** One request, as the endpoint remembers it. */
export interface Seen {
  /** Its number, from 1. Its answer is billed with `promptTokens(number)`: a record names the request it comes from. */
  readonly number: number;
  readonly prompt: string;
  readonly question: Question;
  /** Milliseconds since the endpoint began. */
  readonly atMs: number;
  readonly fault?: FaultName;
  /** When the last byte of a usable reply had been handed to the system; absent while it has not. */
  answeredMs?: number;
  /** The text of a usable reply. */
  text?: string;
}

/** What is to go wrong with a request; undefined where it is answered. */
export type Script = (request: Pick<Seen, "number" | "prompt" | "question" | "atMs">) => FaultName | undefined;

export interface FaultServerOptions {
  readonly script?: Script;
  /** From the request to its answer, in milliseconds. */
  readonly latencyMs?: number;
  /**
   * Whether equal requests get different answers, each by the dice of its number. By default they get equal ones, so that
   * a run that was cut off and resumed must come out like one that was not.
   */
  readonly distinct?: boolean;
  /** Told of each request before it is answered; what it waits for, the answer waits for. */
  readonly onRequest?: (request: Seen) => Promise<void> | void;
  /** Told of each usable reply once its last byte has been handed to the system. */
  readonly onAnswer?: (request: Seen) => void;
}

export interface FaultServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
}

/** Starts the endpoint; disposing of it closes every connection. */
export async function faultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const { script = () => undefined, latencyMs = 0, distinct = false, onRequest, onAnswer } = options;
  const answer = await councilAnswers();
  const seen: Seen[] = [];
  const began = performance.now();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { model, messages, temperature, max_tokens: maxTokens = 0 } = Body.parse(JSON.parse(await textOf(request)));
    const question = { model, messages, temperature, maxTokens };
    const asked = {
      number: seen.length + 1,
      prompt: promptHash(question),
      question,
      atMs: performance.now() - began,
    };
    const fault = script(asked);
    const one: Seen = { ...asked, ...(fault !== undefined && { fault }) };
    seen.push(one);
    await onRequest?.(one);
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (response.destroyed) return;
    const text = await answer(question, distinct ? one.number : 0);
    const completion = completionOf(one, text);
    if (fault !== undefined && FAULTS[fault].recorded !== "reply") {
      return FAULTS[fault].respond({ response, completion });
    }
    one.text = text;
    response.on("finish", () => {
      one.answeredMs = performance.now() - began;
      onAnswer?.(one);
    });
    if (fault !== undefined) return FAULTS[fault].respond({ response, completion });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(completion));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A request that no council sends; a test then fails by the words that the client repeats.
      if (!response.headersSent) response.writeHead(418, { "content-type": "text/plain" }).end(String(error));
    });
  });
  // A kept connection that is closed in the moment of its next request would be a failed try that was never asked for.
  server.keepAliveTimeout = KEPT_MS;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Longer than any client keeps a connection. */
const KEPT_MS = 600_000;

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return await new Blob(parts as BlobPart[]).text();
}

/** The prompt tokens that a request is billed: more than a sixteenth of the bytes of any prompt, as they must be. */
export const promptTokens = (number: number): number => FIRST_TOKENS + number;
/** The request that was billed so many prompt tokens. */
export const numberOf = (tokens: number): number => tokens - FIRST_TOKENS;
const FIRST_TOKENS = 2000;

/** Characters of a token, about. */
const CHARACTERS = 4;

const completionOf = ({ number, question }: Seen, content: string): Completion => ({
  id: `chatcmpl-${number}`,
  object: "chat.completion",
  model: `${question.model}-served`,
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
  usage: { prompt_tokens: promptTokens(number), completion_tokens: Math.ceil(content.length / CHARACTERS) },
});

/** Tokens that the endpoint told of in what it sent. */
export function billed(seen: readonly Seen[]): { promptTokens: number; replies: number } {
  const paid = seen.filter(({ fault, answeredMs }) =>
    fault === undefined ? answeredMs !== undefined : FAULTS[fault].bills
  );
  return { promptTokens: paid.reduce((sum, { number }) => sum + promptTokens(number), 0), replies: paid.length };
}

/** Requests whose usable reply was sent whole. */
export const answered = (seen: readonly Seen[]): Seen[] => seen.filter(({ answeredMs }) => answeredMs !== undefined);

/** A fault in so large a share of requests, each of the named ones equally often, by the dice of the request's number. */
export function mixed(
  share: number,
  names: readonly FaultName[],
  rng: { fork(label: number): { next(): number } },
): Script {
  return ({ number }) => {
    const roll = rng.fork(number).next();
    return roll < share ? names[Math.floor(roll / share * names.length)] : undefined;
  };
}

/** One fault in every request of a stretch of time that begins once so many requests have been answered. */
export function outage(fault: FaultName, { after, lastsMs }: { after: number; lastsMs: number }): Script {
  let beganMs: number | undefined;
  return ({ number, atMs }) => {
    if (number > after) beganMs ??= atMs;
    return beganMs !== undefined && atMs < beganMs + lastsMs ? fault : undefined;
  };
}
