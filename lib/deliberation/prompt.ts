import { quotedReply } from "../core/text.ts";
import type { Condition } from "../schema/condition.ts";
import type { ChatMessage } from "../schema/model_call.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import { readableBallot, type Step } from "./next_step.ts";
import type { DeliberationState } from "./state.ts";

/** Builds the messages of a step's model call from what has happened so far. */
export type Prompter = (
  state: DeliberationState,
  step: Extract<Step, { kind: "turn" | "ballot" | "clerk" }>,
) => ChatMessage[];

/**
 * A condition's prompts, with everything that stays the same during a run filled in once.
 *
 * Each agent is given its system prompt (preamble and mandate), the scenario packet, the last k arguments with
 * labels, and the committee state table (S2.1). The clerk is given the ballots alone.
 */
export function createPrompter(condition: Condition): Prompter {
  const { packet, prompts, seats, window, rounds, maxTokens } = condition;
  const letters = OPTION_LETTERS.slice(0, packet.options.length);
  const fixed = {
    letters: listing(letters),
    stateLine: fill(prompts.stateLine, { preferences: letters.map((letter) => `p${letter}`).join(",") }),
    packet: packetText(condition),
  };
  const system = seats.map(({ label, mandate }) => {
    const heading = fill(condition.roles ? prompts.roleHeading : prompts.neutralHeading, { label });
    return [fill(prompts.preamble, fixed), "", heading, mandate].join("\n").trimEnd();
  });
  const [turn, ballot] = [compile(prompts.turn, fixed), compile(prompts.ballot, fixed)];
  const [argument, row] = [compile(prompts.argument), compile(prompts.tableRow)];
  const [repair, ballotAgain] = [fill(prompts.repair, fixed), fill(prompts.ballotAgain, fixed)];

  const windowText = ({ turns }: DeliberationState): string => {
    const heard = window === 0 ? [] : turns.slice(-window);
    if (heard.length === 0) return prompts.emptyWindow;
    const lines = heard.map(({ round, seat, argument: text }) =>
      argument({ label: seats[seat]!.label, round, text: quotedReply(text, maxTokens) })
    );
    return lines.join("\n");
  };
  const tableText = ({ table }: DeliberationState): string => {
    const rows = table.map((state, seat) => {
      const label = seats[seat]!.label;
      if (state === undefined) return fill(prompts.emptyTableRow, { label });
      const { preferences, confidence, tags } = state;
      return row({ label, preferences: preferences.map(decimal).join(", "), confidence, tags: tags.join(", ") });
    });
    return [prompts.tableHeading, ...rows].join("\n");
  };

  return (state, step) => {
    if (step.kind === "clerk") {
      return [{ role: "user", content: fill(prompts.clerk, { ...fixed, ballots: ballotList(state) }) }];
    }
    const { label } = seats[step.seat]!;
    const seen = { window: windowText(state), table: tableText(state), label };
    const content = step.kind === "turn" ? turn({ ...seen, round: step.round, rounds }) : ballot(seen);
    const messages: ChatMessage[] = [{ role: "system", content: system[step.seat]! }, { role: "user", content }];
    if (!step.again) return messages;
    const unread = step.kind === "turn" ? state.unread!.text : state.ballots[step.seat]!.text;
    return [
      ...messages,
      { role: "assistant", content: quotedReply(unread, maxTokens) },
      { role: "user", content: step.kind === "turn" ? repair : ballotAgain },
    ];
  };
}

function packetText({ packet, prompts }: Condition): string {
  const options = packet.options.map((option, i) => fill(prompts.option, { letter: OPTION_LETTERS[i]!, ...option }));
  const { id, title, background, question } = packet;
  return fill(prompts.packet, { id, title, background, question, options: options.join("\n") });
}

function ballotList({ ballots }: DeliberationState): string {
  const readable = ballots.map(readableBallot).filter((ballot) => ballot !== undefined);
  return readable.length === 0 ? "(none)" : readable.map((ballot) => JSON.stringify(ballot)).join("\n");
}

/** As written where two decimals say it all, otherwise with four. */
const decimal = (p: number): string => (Math.abs(p * 100 - Math.round(p * 100)) < 1e-6 ? p.toFixed(2) : p.toFixed(4));

const listing = (letters: readonly string[]): string => `${letters.slice(0, -1).join(", ")} and ${letters.at(-1)}`;

type Values = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/;

const fill = (template: string, values: Values): string => compile(template)(values);

/** Splits a template once, so that filling it is one pass. A value is never searched for placeholders itself. */
function compile(template: string, fixed: Values = {}): (values: Values) => string {
  const parts = template.split(PLACEHOLDER);
  return (values) => {
    let text = parts[0]!;
    for (let i = 1; i < parts.length; i += 2) {
      const name = parts[i]!;
      const value = values[name] ?? fixed[name];
      if (value === undefined) throw new RangeError(`prompt template: no value for {{${name}}}`);
      text += value + parts[i + 1]!;
    }
    return text;
  };
}
