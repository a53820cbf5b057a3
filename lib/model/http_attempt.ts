import { ModelError } from "./chat_model.ts";

/** Limits of one attempt. */
interface AttemptLimits {
  /** Longest time from sending to the last byte, in milliseconds. */
  timeoutMs: number;
  /** Longest time between two parts of a body, in milliseconds. */
  idleMs: number;
  signal?: AbortSignal | undefined;
}

/** An error's words are read up to here. */
const ERROR_BYTES = 65_536;
const MOST_REDIRECTS = 5;

/** One HTTP request and its response, ended by the caller's signal, by a deadline, or by silence within the body. */
export class HttpAttempt {
  /** The reason for its end, in words. */
  ended: string | undefined;
  /** The body of an error response, as far as it was read. */
  errorText = "";
  readonly #limits: AttemptLimits;
  readonly #stop = new AbortController();
  readonly #deadline: ReturnType<typeof setTimeout>;
  readonly #abort = () => this.#end("aborted");
  #body: BodyReader | undefined;

  constructor(limits: AttemptLimits) {
    this.#limits = limits;
    const { timeoutMs, signal } = limits;
    this.#deadline = setTimeout(() => this.#end(`no complete reply within ${timeoutMs} ms`), timeoutMs);
    signal?.addEventListener("abort", this.#abort);
  }

  [Symbol.dispose]() {
    clearTimeout(this.#deadline);
    this.#limits.signal?.removeEventListener("abort", this.#abort);
  }

  /**
   * `fetch` that follows redirects within one origin alone, since the headers would follow too, and that has read an
   * error's body before it returns.
   *
   * @throws {ModelError} `bad_request` on a redirect elsewhere.
   */
  async fetch(send: typeof fetch, target: string, init?: RequestInit): Promise<Response> {
    // Deno silently sends a text again when a kept connection closes without a response.
    const body = typeof init?.body === "string" && { body: new Blob([init.body]) };
    for (let [url, hops] = [target, 0];; hops++) {
      const response = await send(url, { ...init, ...body, redirect: "manual", signal: this.#stop.signal });
      const next = redirection(response, url);
      if (next === undefined) return response.ok ? response : await this.#withErrorText(response);
      await response.body?.cancel();
      if (next.origin !== new URL(url).origin) throw new ModelError("bad_request", elsewhere(next));
      if (hops === MOST_REDIRECTS) {
        throw new ModelError("bad_request", `the endpoint redirects more than ${hops} times`);
      }
      url = next.href;
    }
  }

  /**
   * The text of a response.
   *
   * @throws {ModelError} `protocol` when it is longer than `most` bytes; the rest is not read.
   */
  async read(response: Response, most: number): Promise<string> {
    let text = "";
    const isWhole = await this.#read(response, most, (part) => (text += part));
    if (!isWhole) throw new ModelError("protocol", `the reply is larger than ${most} bytes`);
    return text;
  }

  async #withErrorText(response: Response): Promise<Response> {
    try {
      await this.#read(response, ERROR_BYTES, (part) => (this.errorText += part));
    } catch {
      // The status says what failed, however little of the words came.
    }
    const { status, headers } = response;
    return new Response(this.errorText || null, { status, headers });
  }

  /** Returns true if the body ended within `most` bytes; passes its content on. */
  async #read({ body }: Response, most: number, take: (part: string) => void): Promise<boolean> {
    if (body === null) return true;
    const reader = this.#body = bodyReader(body);
    const decoder = new TextDecoder();
    let idle: ReturnType<typeof setTimeout> | undefined;
    try {
      for (let left = most;;) {
        const part = await reader.read();
        clearTimeout(idle);
        if (this.ended !== undefined) throw new Error(this.ended);
        if (part === undefined) return true;
        left -= part.length;
        if (left < 0) return false;
        take(decoder.decode(part, { stream: true }));
        const { idleMs } = this.#limits;
        idle = setTimeout(() => this.#end(`the reply stood still for ${idleMs} ms`), idleMs);
      }
    } finally {
      clearTimeout(idle);
      reader.cancel().catch(() => {});
    }
  }

  #end(why: string) {
    this.ended ??= why;
    this.#stop.abort();
    // A body whose source overlooks the signal ends here.
    this.#body?.cancel().catch(() => {});
  }
}

interface BodyReader {
  /** The next bytes, to be used before the next read; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

/** Reads into one buffer of our own where the stream allows it, which costs half as much; `fetch` gives such streams. */
function bodyReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): BodyReader {
  try {
    const reader = body.getReader({ mode: "byob" });
    let buffer = new ArrayBuffer(16_384);
    return {
      async read() {
        const { done, value } = await reader.read(new Uint8Array(buffer));
        if (value) buffer = value.buffer;
        return done ? undefined : value;
      },
      cancel: () => reader.cancel(),
    };
  } catch {
    const reader = body.getReader();
    return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
  }
}

/** Redirect target of a response; undefined if it has none. After a 303 the request would be another one. */
function redirection({ status, headers }: Response, from: string): URL | undefined {
  const location = [301, 302, 307, 308].includes(status) ? headers.get("location") : null;
  return location === null ? undefined : URL.parse(location, from) ?? undefined;
}

function elsewhere({ origin, pathname }: URL): string {
  const base = origin + pathname.replace(/\/chat\/completions\/?$/, "");
  return `the endpoint redirects to ${origin}, where neither key nor headers are sent; if that is right, ` +
    `set OPENAI_BASE_URL to ${base} (baseUrl)`;
}
