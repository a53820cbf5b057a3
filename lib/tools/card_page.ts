import { fixedText, intervalText, LAMBDA, pValue, share, undefinedText } from "../core/numbers.ts";
import { escapeHtml, inertText } from "../core/text.ts";
import { causeWords } from "../record/accounting.ts";
import { divergenceCurves } from "../plots/marks.ts";
import { plotFigure } from "../plots/plot_figure.ts";
import type { CardSource } from "../runs/card.ts";
import type { CardPart } from "../schema/card.ts";
import { differingWords } from "../stats/text_distance.ts";
import STYLE from "./card.css" with { type: "text" };

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'";

/** Longer texts are cut on the page, which says by how much. */
const MOST_LETTERS = 3000;

/** The page of a card: self-contained, without scripts; foreign words are text and nothing else. */
export function cardPage(sources: readonly CardSource[]): string {
  const title = sources.length === 1 ? sources[0]!.part.title : `${sources.length} conditions`;
  const contents = sources.map(({ part }, i) => `<li><a href="#part-${i}">${html(part.title)}</a></li>`);
  return `<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Card: ${html(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>Card: ${html(title)}</h1>
<p>What ran, what is missing, what the runs show, and what they do not show. The same numbers stand in card.json.</p>
${sources.length > 1 ? `<nav aria-label="Conditions"><ol>${contents.join("")}</ol></nav>` : ""}
${sources.map(section).join("\n")}
</main></body></html>
`;
}

const html = (text: string): string => escapeHtml(inertText(text));

function section({ part, apart, curve }: CardSource, i: number): string {
  const { title, synthetic } = part;
  const origin = synthetic === undefined ? "origin not declared" : synthetic ? "synthetic" : "real models";
  const limits = part.limits.map((limit) => `<li>${html(limit)}</li>`);
  return [
    `<section><h2 id="part-${i}">${html(title)}</h2><p class="origin">${origin}</p>`,
    table("What ran", ranRows(part)),
    table("Runs", runRows(part)),
    table("What they show", shownRows(part)),
    part.drift ? figure(part, curve, i) : "",
    apart ? apartHtml(apart) : "",
    `<h3>What this does not show</h3><ul>${limits.join("")}</ul></section>`,
  ].join("\n");
}

/** Names of rows and their values; a row whose value is absent or empty is left out. */
type Rows = Readonly<Record<string, string | false | undefined>>;

function table(caption: string, rows: Rows): string {
  const known = Object.entries(rows).flatMap(([name, value]) =>
    value ? `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>` : []
  );
  if (known.length === 0) return "";
  return `<table><caption>${html(caption)}</caption><tbody>${known.join("\n")}</tbody></table>`;
}

function ranRows({ ran, name }: CardPart): Rows {
  const { first, last, library } = ran;
  const served = ran.served?.flatMap(({ asked, served = asked, fingerprint, calls }) =>
    served === asked && fingerprint === undefined
      ? []
      : `${asked} answered as ${served}${fingerprint ? ` (${fingerprint})` : ""}: ${calls} calls`
  );
  return {
    ...{ name, protocol: ran.protocol, council: ran.council, models: ran.models.join(", ") },
    ...{ served: served?.join("; "), providers: ran.providers?.join(", ") },
    date: first?.slice(0, 10) === last?.slice(0, 10) ? first : `${first} to ${last}`,
    ...{ "prompts, hash": ran.prompts, "condition, hash": ran.condition, seed: ran.seed?.toString() },
    "made by": library && `Chaos Lab for Deno ${library}`,
    ...{ source: ran.source, cite: ran.cite, licence: ran.licence },
  };
}

const counts = (of: Readonly<Record<string, number>>, words: (name: string) => string = (name) => name): string =>
  Object.entries(of).filter(([, count]) => count > 0).map(([name, count]) => `${words(name)} ${count}`).join(", ");

function runRows({ runs: { planned, complete, missing }, replies, spend }: CardPart): Rows {
  const part = (count: number) =>
    replies!.turns === 0 ? "none asked" : `${share(count / replies!.turns)} (${count} of ${replies!.turns})`;
  const causes = Object.entries(missing).map(([cause, runs]) => `${runs} ${causeWords(cause)}`);
  const { promptTokens = 0, completionTokens = 0, withoutUsage = 0, usdTold } = spend ?? {};
  const untold = promptTokens + completionTokens === 0 && withoutUsage > 0;
  const tokens = untold ? "not reported" : `${promptTokens} of prompts, ${completionTokens} of completions`;
  return {
    "complete runs": planned === undefined ? String(complete) : `${complete} of ${planned}`,
    missing: causes.join(", ") || "none",
    "unreadable at first": replies && part(replies.unreadable),
    "read after repairs": replies && part(replies.normalised),
    "without a reply": replies && part(replies.missing),
    "model changed within a run": replies && `${replies.modelsChanged} runs`,
    calls: spend && `${spend.calls}, tries ${spend.tries}`,
    tokens: spend && tokens,
    "replies without a token count": !untold && withoutUsage > 0 && String(withoutUsage),
    "cost, as providers report it": usdTold !== undefined && `US$ ${fixedText(usdTold, 2)}`,
  };
}

const shownRows = ({ drift, decisions, switches, reasons, scores }: CardPart): Rows => ({
  ...drift && driftRows(drift),
  ...decisionRows({ decisions, switches }),
  ...reasons && reasonRows(reasons),
  ...scores && scoreRows(scores),
});

/** A number with its interval, such as `0.012 0.003 to 0.021`. */
const withInterval = (value: number, { low, high }: { low?: number | undefined; high?: number | undefined }): string =>
  `${fixedText(value, 3)} ${intervalText(low, high, 3) ?? ""}`.trim();

function driftRows({ lambda, p, reason, from, to, D, beta, leaveOneOut, sharedRounds, ...ends }: Part<"drift">): Rows {
  const without = leaveOneOut.filter((slope) => slope !== null);
  return {
    [`${LAMBDA}, nats per round`]: lambda === undefined ? undefinedText(reason) : fixedText(lambda),
    "rounds of the fit": `${from} to ${to} of ${D.length}`,
    "95 % interval": intervalText(ends.low, ends.high) ?? undefinedText(reason),
    "p if there is no growth": p !== undefined && pValue(p),
    "D in the last round": fixedText(D.at(-1)!, 3),
    β: beta.beta === undefined ? "undefined" : withInterval(beta.beta, beta),
    "β by round": beta.byRound.map((value) => value === null ? "–" : fixedText(value, 2)).join(" "),
    "one run left out": without.length > 0 &&
      `${LAMBDA} ${fixedText(Math.min(...without))} to ${fixedText(Math.max(...without))}`,
    "shared rounds": sharedRounds !== undefined && `1 to ${sharedRounds}: these runs continue one run`,
  };
}

type Part<Name extends keyof CardPart> = NonNullable<CardPart[Name]>;

function decisionRows({ decisions, switches = {} }: Pick<CardPart, "decisions" | "switches">): Rows {
  const { runs = {}, undecided = 0, flipRate } = decisions ?? {};
  const ranked = Object.entries(switches).sort(([, a], [, b]) => b - a);
  return {
    decisions: decisions && (counts(runs) || "none"),
    undecided: undecided > 0 && String(undecided),
    "runs that leave the commonest decision": flipRate !== undefined && share(flipRate),
    "who switches, times a run": ranked.map(([agent, times]) => `${agent} ${fixedText(times, 2)}`).join(", "),
  };
}

function reasonRows({ words, change, verdict, texts, silent, align }: Part<"reasons">): Rows {
  const { statistic, reason, alike, different, p } = verdict;
  const [first, last] = [words, words.toReversed()].map((some) => some.find((distance) => distance !== null));
  return {
    "words, distance between runs": first === undefined
      ? "unknown"
      : `${fixedText(first!, 3)} in the first ${align}, ${fixedText(last!, 3)} in the last`,
    "change of that distance": change.distance !== undefined && withInterval(change.distance, change),
    "same verdict, other reasons": statistic === undefined
      ? undefinedText(reason)
      : `${fixedText(alike!, 3)} between runs of one decision, ${fixedText(different!, 3)} between others, p ${
        pValue(p)
      }`,
    "texts without a word": silent > 0 && `${silent} of ${texts}`,
  };
}

const scoreRows = ({ q, mean, sd, stabilized, classes, fallbackShare }: Part<"scores">): Rows => ({
  "mean q": `${fixedText(mean, 3)}${sd === undefined ? "" : `, standard deviation ${fixedText(sd, 3)}`}`,
  q: `${fixedText(Math.min(...q), 3)} to ${fixedText(Math.max(...q), 3)}`,
  stabilised: `${stabilized} of ${q.length}`,
  classes: counts(classes, (name) => name.toLowerCase().replaceAll("_", " ")),
  "actions that the clerk filled in": share(fallbackShare),
});

/** D(t), as a picture. */
function figure({ drift, synthetic = false, title }: CardPart, curve: CardSource["curve"], i: number): string {
  const { from, to } = drift!;
  const { svg, alt, caption } = plotFigure({
    ...{ name: `card-${i}`, synthetic, width: 640 },
    caption: "D(t), mean distance between runs, with its 95 % band; shaded: rounds of the fit",
    y: { label: "D(t)", grid: true, zero: true, type: "linear" },
    color: { legend: false },
    marks: divergenceCurves(curve ?? [], { fit: { from, to } }),
  });
  const image = `data:image/svg+xml;base64,${new TextEncoder().encode(svg).toBase64()}`;
  return `<figure><img src="${image}" alt="${html(`${title}. ${alt}`)}"><figcaption>${
    html(caption)
  }</figcaption></figure>`;
}

/** Two runs of one decision side by side, with the words marked that the other does not use. */
function apartHtml({ decision, runs: [one, other], align, place, turns }: NonNullable<CardSource["apart"]>): string {
  const cut = (text: string) =>
    text.length <= MOST_LETTERS
      ? text
      : `${text.slice(0, MOST_LETTERS).toWellFormed()} … ${text.length - MOST_LETTERS} more characters`;
  const cell = (text: string, beside: string) => {
    const pieces = differingWords(inertText(cut(text)), inertText(cut(beside)));
    const marked = pieces.map(({ text, differs }) => differs ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text));
    return `<td dir="auto">${marked.join("") || `<span class="none">nothing</span>`}</td>`;
  };
  const rows = turns.filter(({ texts }) => texts.some((text) => text !== "")).map(({ speaker, texts: [a, b] }) =>
    `<tr><th scope="row"><bdi>${html(speaker)}</bdi></th>${cell(a, b)}${cell(b, a)}</tr>`
  );
  return `<h3>Same verdict, other reasons</h3>
<p>Of the runs that decide ${html(decision)} these two argue most differently; here the ${align} in which they
lie furthest apart, number ${place}. Marked: words that the other does not use.</p>
<table class="sides"><thead><tr><td></td><th scope="col">run ${html(one)}</th><th scope="col">run ${
    html(other)
  }</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`;
}
