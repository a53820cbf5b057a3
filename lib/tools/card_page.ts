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
  return [
    `<section><h2 id="part-${i}">${html(title)}</h2><p class="origin">${origin}</p>`,
    table("What ran", ranRows(part)),
    table("Runs", runRows(part)),
    table("What they show", shownRows(part)),
    part.drift ? figure(part, curve, i) : "",
    apart ? apartHtml(apart) : "",
    `<h3>What this does not show</h3><ul>${
      part.limits.map((limit) => `<li>${html(limit)}</li>`).join("")
    }</ul></section>`,
  ].join("\n");
}

type Row = readonly [name: string, value: string | undefined];

function table(caption: string, rows: readonly Row[]): string {
  const known = rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`
  );
  return known.length === 0
    ? ""
    : `<table><caption>${html(caption)}</caption><tbody>${known.join("\n")}</tbody></table>`;
}

function ranRows({ ran, name }: CardPart): Row[] {
  const served = ran.served?.filter(({ asked, served = asked, fingerprint }) =>
    served !== asked || fingerprint !== undefined
  )
    .map(({ asked, served = "unknown", fingerprint, calls }) =>
      `${asked} answered as ${served}${fingerprint ? ` (${fingerprint})` : ""}: ${calls} calls`
    );
  const dates = ran.first?.slice(0, 10) === ran.last?.slice(0, 10) ? ran.first : [ran.first, ran.last].join(" to ");
  return [
    ...[["name", name], ["protocol", ran.protocol], ["council", ran.council]] as Row[],
    ["models", ran.models.join(", ")],
    ["served", served?.join("; ")],
    ["providers", ran.providers?.join(", ")],
    ["date", ran.first && dates],
    ["prompts, hash", ran.prompts],
    ["condition, hash", ran.condition],
    ["seed", ran.seed?.toString()],
    ["made by", ran.library && `Chaos Lab for Deno ${ran.library}`],
    ["source", ran.source],
    ["cite", ran.cite],
    ["licence", ran.licence],
  ];
}

const counts = (of: Readonly<Record<string, number>>, words: (name: string) => string = (name) => name): string =>
  Object.entries(of).filter(([, count]) => count > 0).map(([name, count]) => `${words(name)} ${count}`).join(", ");

function runRows({ runs: { planned, complete, missing }, replies, spend }: CardPart): Row[] {
  const part = (count: number, whole: number) =>
    whole === 0 ? "none asked" : `${share(count / whole)} (${count} of ${whole})`;
  const causes = Object.entries(missing).map(([cause, runs]) => `${runs} ${causeWords(cause)}`);
  const untold = spend !== undefined && spend.promptTokens + spend.completionTokens === 0 && spend.withoutUsage > 0;
  return [
    ["complete runs", planned === undefined ? String(complete) : `${complete} of ${planned}`],
    ["missing", causes.join(", ") || "none"],
    ["unreadable at first", replies && part(replies.unreadable, replies.turns)],
    ["read after repairs", replies && part(replies.normalised, replies.turns)],
    ["without a reply", replies && part(replies.missing, replies.turns)],
    ["model changed within a run", replies && `${replies.modelsChanged} runs`],
    ["calls", spend && `${spend.calls}, tries ${spend.tries}`],
    [
      "tokens",
      untold ? "not reported" : spend && `${spend.promptTokens} of prompts, ${spend.completionTokens} of completions`,
    ],
    ["replies without a token count", spend && !untold && spend.withoutUsage > 0 ? `${spend.withoutUsage}` : undefined],
    ["cost, as providers report it", spend?.usdTold === undefined ? undefined : `US$ ${fixedText(spend.usdTold, 2)}`],
  ];
}

function shownRows({ drift, decisions, switches, reasons, scores }: CardPart): Row[] {
  return [...driftRows(drift), ...decisionRows({ decisions, switches }), ...reasonRows(reasons), ...scoreRows(scores)];
}

function driftRows(drift: CardPart["drift"]): Row[] {
  if (drift === undefined) return [];
  const { lambda, low, high, p, reason, from, to, D, beta, leaveOneOut, sharedRounds } = drift;
  const without = leaveOneOut.filter((slope) => slope !== null);
  return [
    [`${LAMBDA}, nats per round`, lambda === undefined ? undefinedText(reason) : fixedText(lambda)],
    ["rounds of the fit", `${from} to ${to} of ${D.length}`],
    ["95 % interval", intervalText(low, high) ?? undefinedText(reason)],
    ["p if there is no growth", p === undefined ? undefined : pValue(p)],
    ["D in the last round", fixedText(D.at(-1)!, 3)],
    [
      "β",
      beta.beta === undefined ? "undefined" : [fixedText(beta.beta, 3), intervalText(beta.low, beta.high, 3)].join(" "),
    ],
    ["β by round", beta.byRound.map((value) => value === null ? "–" : fixedText(value, 2)).join(" ")],
    [
      "one run left out",
      without.length > 0
        ? `${LAMBDA} ${fixedText(Math.min(...without))} to ${fixedText(Math.max(...without))}`
        : undefined,
    ],
    ["shared rounds", sharedRounds === undefined ? undefined : `1 to ${sharedRounds}: these runs continue one run`],
  ];
}

function decisionRows({ decisions, switches = {} }: Pick<CardPart, "decisions" | "switches">): Row[] {
  const ranked = Object.entries(switches).sort(([, a], [, b]) => b - a);
  return [
    ["decisions", decisions && (counts(decisions.runs) || "none")],
    ["undecided", decisions && decisions.undecided > 0 ? String(decisions.undecided) : undefined],
    [
      "runs that leave the commonest decision",
      decisions?.flipRate === undefined ? undefined : share(decisions.flipRate),
    ],
    ["who switches, times a run", ranked.map(([agent, times]) => `${agent} ${fixedText(times, 2)}`).join(", ")],
  ];
}

function reasonRows(reasons: CardPart["reasons"]): Row[] {
  if (reasons === undefined) return [];
  const { words, change, verdict, texts, silent, align } = reasons;
  const known = words.filter((distance) => distance !== null);
  const apart = known.length === 0
    ? "unknown"
    : `${fixedText(known[0]!, 3)} in the first ${align}, ${fixedText(known.at(-1)!, 3)} in the last`;
  const growth = change.distance === undefined
    ? undefined
    : [fixedText(change.distance, 3), intervalText(change.low, change.high, 3)].join(" ");
  return [
    ["words, distance between runs", apart],
    ["change of that distance", growth],
    [
      "same verdict, other reasons",
      verdict.statistic === undefined
        ? undefinedText(verdict.reason)
        : `${fixedText(verdict.alike!, 3)} between runs of one decision, ${fixedText(verdict.different!, 3)} ` +
          `between others, p ${pValue(verdict.p)}`,
    ],
    ["texts without a word", silent > 0 ? `${silent} of ${texts}` : undefined],
  ];
}

function scoreRows(scores: CardPart["scores"]): Row[] {
  if (scores === undefined) return [];
  const { q, mean, sd, stabilized, classes, fallbackShare } = scores;
  return [
    ["mean q", `${fixedText(mean, 3)}${sd === undefined ? "" : `, standard deviation ${fixedText(sd, 3)}`}`],
    ["q", `${fixedText(Math.min(...q), 3)} to ${fixedText(Math.max(...q), 3)}`],
    ["stabilised", `${stabilized} of ${q.length}`],
    ["classes", counts(classes, (name) => name.toLowerCase().replaceAll("_", " "))],
    ["actions that the clerk filled in", share(fallbackShare)],
  ];
}

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
