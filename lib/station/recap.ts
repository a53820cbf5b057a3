import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { applyEvent } from "./apply_event.ts";
import { roundTale, type TalesRound } from "./recap_round.ts";
import { count, plainMarkdown, type Varied, varied } from "./recap_text.ts";
import words from "./recap_words.json" with { type: "json" };
import { RULES } from "./rules.ts";
import { NON_USE, UNGOVERNED, UNGOVERNED_WORDS } from "../schema/quality_names.ts";
import { initialState } from "./state.ts";

/**
 * `prime_time_recap.md`: a finished run told round by round, from its events alone. It says plainly which roles
 * acted themselves, for which the clerk acted, and whether any language model took part; words of models and of the
 * weather appear as plain text. Equal events and summaries give equal bytes.
 *
 * @throws {RangeError} when the run is not closed.
 */
export function recap(events: readonly StationEvent[], summary: StationSummary, rules: Mosaic = RULES): string {
  if (events.at(-1)?.kind !== "run.closed") throw new RangeError("a run is told when it is closed");
  const say = varied(summary.seed);
  return [
    `# ${headline(summary, say)}`,
    `*Mosaic-9, seed ${summary.seed}, run ${plainMarkdown(summary.run_id)}, ruleset ${
      plainMarkdown(summary.ruleset)
    }.*`,
    ...castTale(summary),
    ...rounds(events, rules).flatMap((tale) => roundTale(tale, { rules, say })),
    ...ending(events, summary),
    "## What this is not",
    NON_USE,
  ].join("\n\n") + "\n";
}

function headline(
  { stabilized, model_actions, time_to_first_pass, public_order }: StationSummary,
  say: Varied,
): string {
  if (!stabilized) {
    return time_to_first_pass === null
      ? say("lost", "The window closed on a council without a plan", "Six rounds, and nothing was ever decided")
      : say(
        "lost late",
        "A plan passed, and the station was lost all the same",
        "Decided, carried out, and not enough",
      );
  }
  if (model_actions === 0) return say("clerk", "Nobody governed, and the station held", "Saved by the clerk");
  if (public_order < 0.5) return say("thin", "The station holds, barely", "Saved, with the crowd at the doors");
  return time_to_first_pass! <= 2
    ? say("early", "An early plan carries the station through", "Decided early, and the station holds")
    : say("held", "The station holds", "Late to agree, in time to survive");
}

function castTale({ model, synthetic, model_actions, fallback_actions }: StationSummary): string[] {
  const name = plainMarkdown(model);
  const who = model_actions === 0
    ? `No council governed this run (“${name}”): no role ever acted for itself, so what follows is the weather of the ` +
      "seed and the clerk's fallback policy."
    : synthetic
    ? `The six seats were filled by “${name}”, a synthetic council: a program that plays the roles. It is no language ` +
      "model, and nothing here is evidence about one."
    : `The six seats were filled by language models, on record as “${name}”.`;
  return [`${who} ${share(model_actions, fallback_actions)}`];
}

const share = (own: number, clerk: number): string =>
  `Of ${own + clerk} turns the council took ${own} itself; in ${clerk} the clerk acted (${
    Math.round((100 * clerk) / (own + clerk))
  } % fallback).`;

function rounds(events: readonly StationEvent[], rules: Mosaic): TalesRound[] {
  const tales: TalesRound[] = [];
  let state = initialState(rules);
  let open: { round: number; events: StationEvent[]; before: typeof state } | undefined;
  for (const event of events) {
    if (open && (event.kind === "round.opened" || event.kind === "run.closed")) tales.push({ ...open, after: state });
    if (event.kind === "round.opened") open = { round: event.round, events: [], before: state };
    open?.events.push(event);
    state = applyEvent(state, event, rules);
  }
  return tales;
}

function ending(events: readonly StationEvent[], summary: StationSummary): string[] {
  const closing = events.at(-1) as Extract<StationEvent, { kind: "run.closed" }>;
  const { stabilized, time_to_first_pass, passed_count, q, classification, proposals } = summary;
  const passes = time_to_first_pass === null
    ? "No plan ever passed the gate."
    : `The first plan passed in round ${time_to_first_pass}; ${count(passed_count, "plan")} passed in all.`;
  const final = closing.finalPlan === undefined
    ? "No plan could be carried out."
    : `What counts at the close is ${plainMarkdown(closing.finalPlan)}, executability ${
      summary.plan_executability.toFixed(2)
    }.`;
  const read = proposals.filed === 0
    ? "The council itself put up no plan."
    : `Of ${
      count(proposals.filed, "plan")
    } that the council put up, ${proposals.raw_valid} could be read as written and ${proposals.normalised_valid} with the normaliser's help.`;
  return [
    "## How it ended",
    `${
      stabilized
        ? "The docking window closes on a station that is stable."
        : "The docking window closes, and the station is not stable."
    } ${passes} ${final} ${read}`,
    [
      "| | at the close |",
      "| --- | --- |",
      `| public order | ${summary.public_order.toFixed(3)} |`,
      `| trust | ${summary.trust.toFixed(3)} |`,
      `| information integrity | ${summary.info_integrity.toFixed(3)} |`,
      `| active rumours | ${summary.active_rumors} |`,
      `| scandal load | ${summary.scandal_load.toFixed(2)} |`,
      `| coalition ties | ${summary.coalition_edges} |`,
      `| manipulation pressure | ${summary.manipulation_pressure.toFixed(2)} |`,
    ].join("\n"),
    `**Quality of survival: q = ${q.toFixed(3)}, \`${classification}\`**, ${
      classification === UNGOVERNED ? UNGOVERNED_WORDS : words.classes[classification]
    }. ${share(summary.model_actions, summary.fallback_actions)}${
      summary.degraded_rounds.length > 0 ? ` Degraded rounds: ${summary.degraded_rounds.join(", ")}.` : ""
    } The score is ` +
    "a designer's choice of weights, not a measurement of government.",
  ];
}
