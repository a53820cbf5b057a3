import { sum } from "d3-array";
import { z } from "zod";
import { contentHash } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import { initialState } from "../deliberation/state.ts";
import { readStateLine } from "../deliberation/normalise_state_line.ts";
import { askedWith, createPrompter } from "../deliberation/prompt.ts";
import { type ChatModel, type ChatOptions, ModelError, PREFLIGHT, Unanswered } from "../model/chat_model.ts";
import type { Condition } from "../schema/condition.ts";
import { ChatReply, type ChatRequest, ChatRequest as Request, FailedTry, FailureCode } from "../schema/model_call.ts";
import { SealedLines } from "./ledger_writer.ts";
import { missing, readSealedLines, REPAIR_OR_REMOVE, type SealedValues } from "./read_station_run.ts";
import { SentTries, triesOf } from "./sent_tries.ts";

/** One call to one model before a run: can it be asked, and can its reply be read? */
export interface Probe {
  readonly request: ChatRequest;
  /** Who asks it, such as `Equity and Security`. */
  readonly seats: readonly string[];
  /** Why a reply cannot be read, and what then asks for it once more, as in a run; undefined where it can. */
  readonly flaw: (text: string) => ProbeFlaw | undefined;
}

/** What is wrong with a reply, in words. */
export interface ProbeFlaw {
  readonly words: string;
  readonly again: ChatRequest["messages"];
}

/** What a probe brought, as it stands on record; it was paid for like any call. */
const Probed = z.strictObject({
  schema: z.literal("preflight/1"),
  at: z.iso.datetime(),
  council: z.string(),
  request: Request,
  reply: ChatReply.optional(),
  failure: z.strictObject({ code: FailureCode, message: z.string(), received: ChatReply.optional() }).optional(),
  unanswered: z.strictObject({ code: FailureCode, message: z.string(), tries: z.array(FailedTry) }).optional(),
});
type Probed = z.infer<typeof Probed>;

/** In a folder of its own, since whoever reads a folder of runs takes its files for ledgers. */
export const preflightFile = (root: string): string => `${root}/preflight/calls.jsonl`;

/** The probes on record in a command's folder; a torn last line is left out. */
export const readPreflight = async (root: string): Promise<readonly Probed[]> => (await readLines(root)).values;

/** As `readPreflight`, to go on with. Throws a UserError naming a line that was changed. */
const readLines = async (root: string): Promise<SealedValues<Probed>> =>
  await missing(preflightFile(root))
    ? { values: [] }
    : await readSealedLines(preflightFile(root), () => Probed, REPAIR_OR_REMOVE);

/** One probe a model, with all seats that it has: each seat as it would be asked. */
export function onePerModel(seats: readonly Omit<Probe, "seats">[], names: readonly string[]): Probe[] {
  const groups = Map.groupBy(seats.keys(), (i) => seats[i]!.request.model).values();
  return [...groups].map((own) => ({ ...seats[own[0]!]!, seats: [...new Set(own.map((i) => names[i]!))] }));
}

/** What asks every model of some conditions for its first turn. */
export function committeeProbes(conditions: readonly Condition[]): Probe[] {
  const probes = conditions.flatMap((condition) => {
    const { seats, packet, normaliser = false } = condition;
    const rules = { optionCount: packet.options.length, normaliser };
    const [prompter, state] = [createPrompter(condition), initialState(condition)];
    return seats.map((_, seat) => {
      const turn = { kind: "turn", round: 1, seat } as const;
      const first = { ...turn, again: false };
      const request = { messages: prompter(state, first), seed: 0, ...askedWith(first, condition) };
      const flaw = (text: string) => {
        const read = readStateLine(text, rules);
        if (read.ok) return undefined;
        const { code, message } = read.issue;
        const again = prompter({ ...state, unread: { text, code } }, { ...turn, again: true });
        return { words: `its STATE line cannot be read (${code}: ${message})`, again };
      };
      return { request, flaw };
    });
  });
  return onePerModel(probes, conditions.flatMap(({ seats }) => seats.map(({ label }) => label)));
}

/** Options for {@linkcode preflight}. */
export interface PreflightOptions {
  readonly chat: ChatModel;
  /** What the record calls the council: what another one answered is asked again. */
  readonly identity: string;
  /** Folder of the command, which keeps the calls. */
  readonly root: string;
  /** Aborted when no further call is to be begun. */
  readonly signal?: AbortSignal | undefined;
  /** Breaks off calls under way; by default `signal` does. */
  readonly callSignal?: AbortSignal | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Asks every model once before anything else is spent, unless its answer is on record; a reply that cannot be read is asked
 * for once more, as in a run. Trouble with an endpoint is waited out as in any call, and every try is kept with what it
 * cost.
 *
 * @throws {UserError} naming every model that cannot be asked or whose reply cannot be read; the signal's reason when
 * aborted; where the file of calls is gone at the end, with where all that it held stands now.
 */
export async function preflight(probes: readonly Probe[], options: PreflightOptions): Promise<void> {
  const { root, identity, onNotice } = options;
  const passed = new Map(
    (await readPreflight(root)).flatMap(({ council, request, reply }) =>
      council === identity && reply ? [[contentHash(request), reply]] : []
    ),
  );
  const left = probes.filter(({ request, flaw }) => {
    const known = passed.get(contentHash(request));
    return known === undefined || flaw(known.text) !== undefined;
  });
  if (left.length === 0) return;
  using file = new SealedLines(preflightFile(root));
  file.endLastLine();
  const { values, check } = await readLines(root);
  const lines: Probed[] = [...values];
  file.check = check;
  const keep = (line: Probed) => {
    file.append(line);
    lines.push(line);
    return file.durable();
  };
  const sent = new SentTries(preflightFile(root));
  const onSend = ({ request }: Probe): ChatOptions["onSend"] => {
    const run = contentHash(request);
    return (atMost) => sent.add({ run, booked: bookedProbes(values)(run), model: request.model, atMost });
  };
  const outcomes = await Promise.allSettled(left.map((probe) => ask(probe, keep, { ...options, onSend })));
  sent.close(bookedProbes(lines));
  const loss = file.rescue(lines);
  if (loss !== undefined) throw new UserError(loss);
  options.signal?.throwIfAborted();
  const refused = outcomes.find((one) => one.status === "rejected");
  if (refused) throw refused.reason;
  const flaws = outcomes.flatMap((one) => one.status === "fulfilled" && one.value ? [one.value] : []);
  if (flaws.length === 0) return onNotice?.(`preflight: ${left.length} of ${left.length} models answered readably`);
  const words = flaws.map(({ words }) => `\n  ${words}`).join("");
  const longer = flaws.some(({ isCut }) => isCut)
    ? '\n--max-tokens N lets replies be longer (of one model: "asked" in scenarios/lineups.json), --reasoning-effort low ' +
      "leaves more of them to the words"
    : "";
  const remedy = flaws.some(({ isModels }) => isModels)
    ? "\n--map FROM=TO or --model ID puts other models into the seats, --no-preflight runs all the same"
    : "";
  throw new UserError(`${flaws.length} of ${left.length} models did not pass the preflight:${words}${longer}${remedy}`);
}

/** How many tries of a probe have an outcome on record, by its request's hash. */
export const bookedProbes = (held: readonly Probed[]): (run: string) => number => (run) =>
  sum(held, (one) => contentHash(one.request) === run ? one.unanswered?.tries.length ?? triesOf(one) : 0);

/** What is wrong, in words, and whether another model may do better: at the same endpoint, under the same key. */
interface Flaw {
  readonly words: string;
  readonly isModels: boolean;
  /** Whether the reply reached its limit of tokens. */
  readonly isCut?: boolean;
}

/** What is wrong with a model; undefined where nothing. */
async function ask(
  probe: Probe,
  write: (line: Probed) => Promise<void>,
  options: PreflightOptions & { readonly onSend: (probe: Probe) => ChatOptions["onSend"] },
  isLast = false,
): Promise<Flaw | undefined> {
  const { request, seats, flaw } = probe;
  const { chat, identity, signal, callSignal = signal, onNotice } = options;
  const keep = (outcome: Pick<Probed, "reply" | "failure" | "unanswered">) => {
    const at = new Date().toISOString();
    return write({ schema: "preflight/1", at, council: identity, request, ...outcome });
  };
  const onSend = options.onSend(probe);
  const say = (words: string) => {
    // A failure's words begin with the id that was sent.
    const [id = "", rest] = words.split(/: (.*)/s);
    return `${request.model} (${seats.join(", ")}): ${rest && request.model.endsWith(id) ? rest : words}`;
  };
  try {
    const reply = await chat(request, { signal: callSignal, ebb: signal, place: PREFLIGHT, onSend });
    await keep({ reply });
    const { servedModel } = reply;
    if (!isLast && servedModel && !isNamedLike(servedModel, request.model)) {
      onNotice?.(say(`${servedModel} answers for it`));
    }
    const unread = flaw(reply.text);
    if (unread === undefined) return undefined;
    if (isLast) return { words: say(unread.words), isModels: true };
    return await ask({ request: { ...request, messages: unread.again }, seats, flaw }, write, options, true);
  } catch (error) {
    if (error instanceof ModelError) {
      const { code, message, received } = error;
      await keep({ failure: { code, message, ...(received && { received }) } });
      return { words: say(message), isModels: true, isCut: code === "truncated" };
    }
    if (!(error instanceof Unanswered)) throw error;
    const { code, message, tries } = error;
    await keep({ unanswered: { code, message, tries: [...tries] } });
    return { words: say(message), isModels: code === "bad_request" };
  }
}

/** Whether a served model may be the one asked for: providers add dates, and leave out who made it. */
function isNamedLike(served: string, asked: string): boolean {
  const [a, b] = [served, asked].map((name) => name.toLowerCase().split(/[/:]/).at(-1)!) as [string, string];
  return a.includes(b) || b.includes(a);
}
