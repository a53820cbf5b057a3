import { emit } from "./emit.ts";
import { escapeHtml } from "./escape_html.ts";
import { inertText } from "./inert_text.ts";
import type { MimeBundle } from "./mime_bundle.ts";

/** Words somebody said; a model's may hold anything. */
export interface Turn {
  readonly speaker: string;
  readonly text: string;
  /** 1-based; named before the speaker. */
  readonly round?: number | undefined;
}

/** Shows what was said, one turn to unfold after the other. The words are inert: markup in them is text. */
export async function transcript(turns: readonly Turn[]): Promise<void> {
  await emit(transcriptBundle(turns));
}

/** The output that `transcript` shows. */
export function transcriptBundle(turns: readonly Turn[]): MimeBundle {
  const titled = turns.map((turn) => ({ title: inertText(titleOf(turn)), text: inertText(turn.text) }));
  // `bdi` keeps right-to-left words from reordering what stands around them.
  const items = titled.map(({ title, text }) =>
    `<details><summary><bdi>${escapeHtml(title)}</bdi></summary>` +
    `<div dir="auto" style="white-space:pre-wrap;overflow-wrap:anywhere;margin:.5em 1em">${
      escapeHtml(text)
    }</div></details>`
  );
  return {
    "text/html": items.length === 0 ? "<p>Nobody spoke.</p>" : `<div data-transcript>\n${items.join("\n")}\n</div>`,
    "text/plain": titled.map(({ title, text }) => `${title}\n${text}`).join("\n\n") || "Nobody spoke.",
  };
}

const titleOf = ({ speaker, round }: Turn): string => round === undefined ? speaker : `Round ${round}: ${speaker}`;
