import content from "./site_content.json" with { type: "json" };

/** A group of notebooks on the landing page: those that it names, and all others of its folder. */
interface Group {
  readonly heading: string;
  readonly folder?: string | undefined;
  readonly notebooks: readonly string[];
}

/** A finding: its notebook, and words of its claim or sentence; without words the notebook's answer. */
export interface Choice {
  readonly notebook: string;
  readonly words?: string | undefined;
}

/** A section of the page of what needs no surrogate: notebooks, and figures of theirs that are drawn there. */
interface Section {
  readonly heading: string;
  readonly words: string;
  readonly notebooks: readonly string[];
  readonly figures: readonly string[];
}

/** The choice of notebooks and figures on the landing page and on "What needs no surrogate"; words and numbers are read from the notebooks. */
export const CONTENT: {
  readonly question: string;
  readonly lede: string;
  /** Notebooks that a newcomer may want first, and what to do there. */
  readonly buttons: Readonly<Record<string, string>>;
  readonly findings: readonly Choice[];
  readonly groups: readonly Group[];
  readonly noSurrogate: readonly Section[];
} = content;

/** The group of a notebook: that which names it, that of its folder, or the last. */
export const groupOf = (name: string): Group =>
  CONTENT.groups.find(({ notebooks }) => notebooks.includes(name)) ??
    CONTENT.groups.find(({ folder }) => folder !== undefined && name.startsWith(`${folder}/`)) ??
    CONTENT.groups.at(-1)!;
