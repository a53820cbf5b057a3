import { withEndpoint } from "../../model/endpoint.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";

/** How a reply is dressed: see the files of `bodies/`. In strings, $TEXT is the reply and $STATE its STATE line reversed. */
export interface Dress {
  readonly when: string;
  readonly status?: number;
  readonly body: unknown;
  /** Characters of the reply that are left. */
  readonly cut?: number;
  /** The most prompt tokens that are told. */
  readonly cap?: number;
}

export interface Asked {
  readonly model: string;
  readonly messages: { role: "system" | "user" | "assistant"; content: string }[];
}

/** The dressing of a file of `bodies/`. */
export const dressOf = (name: string): Dress =>
  JSON.parse(Deno.readTextFileSync(new URL(`bodies/${name}.json`, import.meta.url)));

/** Runs `use` against an endpoint on loopback whose replies, of a program, are dressed. */
export async function withDressed(
  dress: Dress,
  use: (endpoint: { readonly baseUrl: string; readonly asked: readonly Asked[] }) => Promise<void>,
  program?: ChatModel,
): Promise<void> {
  const chat = program ?? surrogate({ ...await loadSurrogateParameters(), malformedShare: 0 }), asked: Asked[] = [];
  const handler = async (request: Request) => {
    const body: Asked = await request.json(), n = asked.push(body);
    const { text } = await chat({
      ...body,
      messages: unfolded(body.messages),
      temperature: 0,
      seed: n,
      maxTokens: 600,
    });
    return dressed(dress, { body, n, text });
  };
  await withEndpoint(handler, (baseUrl) => use({ baseUrl, asked }));
}

/** What a program reads, which knows its system words as a message of their own. */
function unfolded([first, ...rest]: Asked["messages"]): Asked["messages"] {
  if (first?.role !== "user" || !first.content.startsWith("You are")) return [first!, ...rest];
  const at = first.content.indexOf("\n\nSCENARIO");
  const [system, user] = [first.content.slice(0, at), first.content.slice(at + 2)];
  return [{ role: "system", content: system }, { role: "user", content: user }, ...rest];
}

function dressed(dress: Dress, { body, n, text }: { body: Asked; n: number; text: string }): Response {
  const { when, status = 200, cut = text.length, cap } = dress, [rule, count] = when.split(" ");
  const isDue = rule === "always" || (rule === "after" && n > Number(count)) ||
    (rule === "every" && n % Number(count) === 0) ||
    (rule === "system" && body.messages.some(({ role }) => role === "system"));
  const size = JSON.stringify(body.messages).length / 4.3;
  const usage = { prompt_tokens: Math.min(cap ?? Infinity, Math.ceil(size)), completion_tokens: 120 };
  const plain = { choices: [{ finish_reason: "stop", message: { content: text } }], usage };
  if (!isDue) return Response.json(plain);
  const state = /^STATE:.*$/m.exec(text)?.[0] ?? "";
  const draft = state.replace(/pref=\[([^\]]*)\]/, (_, p: string) => `pref=[${p.split(",").reverse().join(",")}]`);
  const fill = (words: string) => JSON.stringify(words).slice(1, -1);
  const out = JSON.stringify(dress.body).replaceAll("$TEXT", () => fill(text.slice(0, cut)));
  return new Response(out.replaceAll("$STATE", () => fill(draft)), { status });
}
