import content from "./site_content.json" with { type: "json" };

/**
 * The choice of notebooks and figures on the landing page and on "What needs no surrogate"; words and numbers are read from
 * the notebooks. `figure`: beside the question. `buttons`: notebooks that a newcomer may want first, and what to do there.
 * `findings`: each by its notebook and words of its claim or sentence, without words the notebook's answer. `groups`: each
 * with the notebooks that it names, and all others of its folder. `noSurrogate`: sections, each with its notebooks and the
 * figures of theirs that it draws.
 */
export const CONTENT = content;

/** The group of a notebook: that which names it, that of its folder, or the last. */
export const groupOf = (name: string) =>
  CONTENT.groups.find(({ notebooks }) => notebooks.some((one) => one === name)) ??
    CONTENT.groups.find(({ folder }) => folder !== undefined && name.startsWith(`${folder}/`)) ??
    CONTENT.groups.at(-1)!;
