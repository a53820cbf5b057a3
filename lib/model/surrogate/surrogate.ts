import { maxIndex } from "d3-array";
import { contentHash } from "../../core/json.ts";
import { createRng } from "../../core/rng.ts";
import { UserError } from "../../core/user_error.ts";
import type { ChatMessage, ChatReply, ChatRequest } from "../../schema/model_call.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import type { ChatModel } from "../chat_model.ts";
import { type Disposition, disposition } from "./disposition.ts";
import {
  packetPart,
  type Question,
  readOwnLabel,
  readOwnReply,
  readOwnRow,
  readQuestion,
  readSelf,
  type Self,
  windowReader,
} from "./read_prompt.ts";
import { respond, stanceQuarters, transcriptField } from "./respond.ts";
import { spoil, stateLine, writeReply } from "./write_reply.ts";

/**
 * A seeded stand-in for a council of language models: a mechanism, not evidence about them.
 *
 * It sees what an endpoint would (model id, messages, temperature, seed) and answers with an argument and a STATE
 * line, a ballot or a clerk's count. From the prompt's text it reads its own mandate and table row and what the
 * transcript window argues for; `respond` says how that moves it, `scenarios/surrogate.json` by how much. A settable
 * share of replies is malformed. Equal requests get equal replies; another seed differs in a share of calls even at
 * temperature 0. Replies are marked `synthetic`.
 *
 * @throws {UserError} on a prompt whose layout it cannot read.
 */
export function surrogate(parameters: SurrogateParameters): ChatModel {
  const selves = new Map<string, Self | undefined>();
  const questions = new Map<string, Question & { wording: string }>();
  const dispositions = new Map<string, Disposition>();
  const readWindow = windowReader();
  const remember = <T>(memory: Map<string, T>, key: string, make: () => T): T => {
    const known = memory.get(key);
    if (known !== undefined) return known;
    const made = make();
    memory.set(key, made);
    return made;
  };

  const seat = (system: ChatMessage, user: ChatMessage, model: string) => {
    const packet = packetPart(user);
    const self = remember(selves, system.content, () => readSelf(system)) ??
      { label: readOwnLabel(user), role: undefined };
    const { scenario, options, wording } = remember(
      questions,
      packet,
      () => ({ ...readQuestion(packet), wording: contentHash(packet) }),
    );
    const seating = { scenario, optionCount: options.length, role: self.role, model, wording };
    const standing = remember(
      dispositions,
      `${wording}/${self.role}/${model}`,
      () => disposition(parameters, seating),
    );
    return { self, options, standing };
  };

  const speak = ({ model, messages, temperature, seed }: ChatRequest): string => {
    const [system, user, before] = messages as [ChatMessage, ChatMessage, ChatMessage?];
    const { self, options, standing } = seat(system, user, model);
    const rng = createRng(seed);
    if (before) {
      const earlier = readOwnReply(before, options.length);
      if (earlier === undefined) return "I have no STATE line to correct.";
      const hundredths = earlier.map((p) => Math.round(100 * p));
      const line = stateLine(hundredths, self.role);
      return rng.next() < parameters.malformedAgainShare ? spoil(line, hundredths, rng) : line;
    }
    const own = readOwnRow(user, self.label, options.length);
    const field = transcriptField(readWindow(user), options.length, parameters.mechanism.chairWeight);
    const { hundredths, noisy } = respond(standing, field, own, temperature, parameters.mechanism, rng);
    const wording = noisy ? rng.int(3) : hundredths[0]!;
    const quarters = stanceQuarters(standing, hundredths, { first: own === undefined });
    const reply = writeReply({ role: self.role, options, hundredths, quarters, own, wording });
    return rng.next() < parameters.malformedShare ? spoil(reply, hundredths, rng) : reply;
  };

  const vote = ({ model, messages, seed }: ChatRequest): string => {
    const [system, user, before] = messages as [ChatMessage, ChatMessage, ChatMessage?];
    const { self, options } = seat(system, user, model);
    const own = readOwnRow(user, self.label, options.length);
    if (own === undefined) {
      throw new UserError(`the surrogate council was asked for ${self.label}'s ballot before it spoke`);
    }
    const top = maxIndex(own);
    const ballot = JSON.stringify({ decision: OPTION_LETTERS[top], confidence: Math.round(100 * own[top]!) });
    const spoilt = createRng(seed).next() < (before ? parameters.malformedAgainShare : parameters.malformedShare);
    return spoilt ? `My ballot: ${ballot}` : ballot;
  };

  // deno-lint-ignore require-await -- what it throws must reject, as with any model
  return async (request, { signal } = {}) => {
    signal?.throwIfAborted();
    const last = request.messages.at(-1)!.content;
    const text = last.includes('"majority_count"')
      ? count(last)
      : last.includes('{"decision"')
      ? vote(request)
      : speak(request);
    const reply: ChatReply = { text, synthetic: true };
    return reply;
  };
}

const BALLOT = /^\{"decision":"([A-H])","confidence":(\d+(?:\.\d+)?)\}$/gm;

/** The clerk counts what it was given: most ballots, then higher summed confidence, then the earlier letter. */
function count(request: string): string {
  const tally = new Map<string, { votes: number; confidence: number }>();
  for (const [, letter, confidence] of request.matchAll(BALLOT)) {
    const so = tally.get(letter!) ?? { votes: 0, confidence: 0 };
    tally.set(letter!, { votes: so.votes + 1, confidence: so.confidence + Number(confidence) });
  }
  const ranked = [...tally].sort(([a, x], [b, y]) =>
    y.votes - x.votes || y.confidence - x.confidence || (a < b ? -1 : 1)
  );
  const total = ranked.reduce((sum, [, { votes }]) => sum + votes, 0);
  const [decision, { votes }] = ranked[0] ?? ["A", { votes: 0 }];
  return JSON.stringify({ decision, majority_count: votes, total });
}
