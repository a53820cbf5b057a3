import { createRequire } from "node:module";
import { OpenAI } from "openai";
import { mapLimited } from "@/core/pool.ts";

/**
 * Other programmes making the calls that a live run made: the `openai` client alone in a loop, and two agent frameworks with
 * one agent turn a call. Chains are made one beside the other, the calls of a chain one after the other.
 *
 * usage: client_loop.ts plain|agents|langgraph BASE_URL CHAINS_FILE WIDTH [FOLDER]
 *
 * CHAINS_FILE holds a JSON array of chains of requests, FOLDER the node_modules of the frameworks.
 */

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  readonly temperature: number;
  readonly max_tokens: number;
}
type Caller = (body: Body) => Promise<string>;

const [kind, baseURL, chainsFile, width, folder = "."] = Deno.args as [string, string, string, string, string?];
const connection = { baseURL, apiKey: "none", maxRetries: 0 };

function plain(): Caller {
  const client = new OpenAI(connection);
  return async (body) => {
    const { choices } = await client.chat.completions.create({ ...body, messages: [...body.messages] });
    return choices[0]!.message.content!;
  };
}

/** What is made once a seat, as its users would: an agent, or a compiled graph. */
function once<T>(make: (body: Body) => T): (body: Body) => T {
  const made = new Map<string, T>();
  return (body) => {
    const key = JSON.stringify([body.model, body.messages[0]!.content]);
    const known = made.get(key) ?? make(body);
    made.set(key, known);
    return known;
  };
}

const require = createRequire(`${Deno.realPathSync(folder)}/package.json`);

function agents(): Caller {
  const { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } = require("@openai/agents");
  const { OpenAI: Client } = require("openai");
  // Traces go to OpenAI's own server, which nobody asked for here.
  setTracingDisabled(true);
  const client = new Client(connection);
  const agentOf = once(({ model, messages, temperature, max_tokens: maxTokens }) =>
    new Agent({
      name: "Seat",
      instructions: messages[0]!.content,
      model: new OpenAIChatCompletionsModel(client, model),
      modelSettings: { temperature, maxTokens },
    })
  );
  return async (body) => {
    const input = body.messages.slice(1).map(({ role, content }) =>
      role === "assistant"
        ? { role, status: "completed", content: [{ type: "output_text", text: content }] }
        : { role, content }
    );
    return (await run(agentOf(body), input)).finalOutput;
  };
}

function langgraph(): Caller {
  const { END, MessagesAnnotation, START, StateGraph } = require("@langchain/langgraph");
  const { ChatOpenAI } = require("@langchain/openai");
  const graphOf = once(({ model, temperature, max_tokens: maxTokens }) => {
    const settings = { apiKey: "none", maxRetries: 0, configuration: { baseURL } };
    const llm = new ChatOpenAI({ model, temperature, maxTokens, ...settings });
    return new StateGraph(MessagesAnnotation)
      .addNode("seat", async ({ messages }: { messages: unknown[] }) => ({ messages: [await llm.invoke(messages)] }))
      .addEdge(START, "seat")
      .addEdge("seat", END)
      .compile();
  });
  return async (body) => {
    const { messages } = await graphOf(body).invoke({ messages: body.messages });
    return messages.at(-1).content;
  };
}

const CALLERS: Readonly<Record<string, () => Caller>> = { plain, agents, langgraph };

const chains: Body[][] = JSON.parse(await Deno.readTextFile(chainsFile));
const call = CALLERS[kind]!();
await mapLimited(chains, Number(width), async (chain) => {
  for (const body of chain) {
    if ((await call(body)).trim() === "") throw new Error(`${kind}: an empty reply`);
  }
});
