import type { Mosaic } from "../schema/mosaic.ts";
import type { Shock } from "../schema/seed_card.ts";
import type { ActionTaken, StationEvent } from "../schema/station_event.ts";
import { actionSentence, type Author, clerkDeed, type Telling, title } from "./recap_action.ts";
import { capital, count, listed, plainMarkdown, quoted, type Varied, votes } from "./recap_text.ts";
import words from "./recap_words.json" with { type: "json" };
import { pressure, type StationState } from "./state.ts";

/** One round of a run: its events, and the station before the first and after the last of them. */
export interface TalesRound {
  readonly round: number;
  readonly events: readonly StationEvent[];
  readonly before: StationState;
  readonly after: StationState;
}

/** A round told in paragraphs. */
export function roundTale(tale: TalesRound, { rules, say }: { rules: Mosaic; say: Varied }): string[] {
  const acts = tale.events.filter((event) => event.kind === "action.taken");
  const authors = authorsOf(tale, acts);
  const hours = rules.hoursPerRound;
  return [
    `## Round ${tale.round}: hours ${(tale.round - 1) * hours} to ${tale.round * hours}`,
    ...weatherTale(tale, say),
    ...councilTale(acts, { rules, say, authors }),
    ...gateTale(tale, say),
    closeTale(tale, say),
  ];
}

function authorsOf({ before }: TalesRound, acts: readonly ActionTaken[]): Map<string, Author> {
  const authors = new Map<string, Author>(
    before.proposals.map(({ id, by, origin }) => [id, { role: by, clerk: origin === "fallback" }]),
  );
  for (const { filing, role, origin } of acts) {
    if (filing) authors.set(filing.id, { role, clerk: origin.kind === "fallback" });
  }
  return authors;
}

function weatherTale({ events }: TalesRound, say: Varied): string[] {
  const shocks = events.flatMap((event) => (event.kind === "shock.struck" ? [event.shock] : []));
  if (shocks.length === 0) {
    return [say("quiet", "Nothing new strikes the station.", "For once the station is left alone.")];
  }
  return [shocks.map((shock) => shockSentence(shock, say)).join(" ")];
}

function shockSentence({ id, kind, severity, text }: Shock, say: Varied): string {
  const force = severity >= 1.4 ? ", and it hits hard" : severity < 0.5 ? ", a small matter so far" : "";
  return `${say(kind, ...words.shocks[kind])} (${plainMarkdown(id)})${force}: “${plainMarkdown(text)}”`;
}

function councilTale(acts: readonly ActionTaken[], telling: Telling): string[] {
  const own = acts.filter(({ origin }) => origin.kind === "model");
  const told = own.flatMap((event) => {
    const sentence = actionSentence(event, telling);
    return event.statement === undefined
      ? [sentence]
      : [sentence, quoted(capital(title(event.role, telling.rules)), event.statement)];
  });
  return [...told, ...clerkTale(acts, own.length === 0, telling)];
}

/** What the clerk did, said plainly and by cause. */
function clerkTale(acts: readonly ActionTaken[], alone: boolean, { rules, say }: Telling): string[] {
  const filled = acts.filter(({ origin }) => origin.kind === "fallback");
  if (filled.length === 0) return [];
  const causes = [...new Set(filled.map(({ origin }) => (origin.kind === "fallback" ? origin.cause : "")))];
  const why = causes.map((cause) => `\`${cause.replaceAll(/[^\w:.,-]/g, "?")}\``).join(", ");
  const opening = alone
    ? say(
      "clerk alone",
      `No role acted for itself this round (${why}). The clerk filled every seat:`,
      `Six empty chairs (${why}), and the clerk in all of them:`,
      `The council is silent (${why}); what follows is the clerk's doing alone:`,
    )
    : `The clerk acted in place of ${listed(filled.map(({ role }) => title(role, rules)))} (${why}):`;
  const deeds = Map.groupBy(filled, clerkDeed);
  const parts = [...deeds].map(([what, acts]) =>
    `for ${listed(acts.map(({ role }) => title(role, rules)))} it ${what}`
  );
  const scripted = filled.flatMap((
    { statement },
  ) => (statement === undefined ? [] : [quoted("The clerk, from its script", statement)]));
  return [`${opening} ${parts.join("; ")}.`, ...scripted];
}

function gateTale({ events }: TalesRound, say: Varied): string[] {
  const executed = new Set(events.flatMap((event) => (event.kind === "plan.executed" ? [event.proposal] : [])));
  const verdicts = events.flatMap((event) => (event.kind === "gate.judged" ? [verdict(event, executed, say)] : []));
  if (verdicts.length > 0) return [`**At the gate.** ${verdicts.join(" ")}`];
  return [
    say("no gate", "**At the gate.** No open plan to judge.", "**At the gate.** The gate opens on an empty table."),
  ];
}

function verdict(
  { proposal, support, against, factionBacked, executability, passed }: Extract<StationEvent, { kind: "gate.judged" }>,
  executed: ReadonlySet<string>,
  say: Varied,
): string {
  const tally = `${plainMarkdown(proposal)} has ${votes(support)} for and ${votes(against)} against, ${
    factionBacked ? "a faction behind it" : "no faction behind it"
  }, executability ${executability.toFixed(2)}`;
  if (!passed) {
    return `${tally}: ${
      say("held", "not enough, it stays on the table.", "it does not pass.", "the gate stays shut.")
    }`;
  }
  return `${tally}: **it passes**${executed.has(proposal) ? " and is carried out" : ""}.`;
}

function closeTale({ before, after, events }: TalesRound, say: Varied): string {
  const move = after.order - before.order;
  const trend = Math.abs(move) < 0.005
    ? say("steady", "holds steady at", "stays at")
    : move > 0
    ? say("up", "rises to", "recovers to")
    : say("down", "slips to", "gives way to", "falls to");
  const degraded = events.some((event) => event.kind === "round.closed" && event.degraded);
  const cooled = events.flatMap((
    event,
  ) => (event.kind === "bot.acted" && event.act === "cool" ? [event.target ?? ""] : []));
  const { scandalLoad } = pressure(after);
  const rumors = after.rumors.length === 0
    ? "No rumour is alive"
    : `${capital(count(after.rumors.length, "rumour"))} alive`;
  return [
    `**The state of the station.** Public order ${trend} ${after.order.toFixed(2)}; trust stands at ` +
    `${after.trust.toFixed(2)}, information integrity at ${after.info.toFixed(2)}, command authority at ` +
    `${after.authority.toFixed(2)}.`,
    `${rumors}, scandals weigh ${scandalLoad.toFixed(1)}, ${Math.round(after.power)} power units are left.`,
    ...(cooled.length > 0
      ? [`The moderators slow the channels around rumour ${cooled.map(plainMarkdown).join(", ")}.`]
      : []),
    ...(degraded ? ["*A degraded round: no role acted for itself.*"] : []),
  ].join(" ");
}
