import { UserError } from "../../core/user_error.ts";
import { inertText } from "../../core/text.ts";
import type { Weights } from "../../quality/weights.ts";
import { element } from "../dom.ts";
import { button } from "../inputs.ts";
import type { Entry } from "./data.ts";
import { readGiven } from "./given.ts";
import { type FullWeights, fullWeights } from "./state.ts";

interface FilesOptions {
  readonly onRuns: (all: readonly Entry[]) => void;
  readonly onWeights: (weights: FullWeights) => void;
}

interface Text {
  readonly name: string;
  /** Absent where the file is too large to be read. */
  readonly text: string | undefined;
}

/** 20,000 summaries are a third of it. */
const MOST_BYTES = 100e6;
/** Sentences about single files; more would push the explorer out of sight. */
const MOST_SENTENCES = 6;

/**
 * Where the reader gives runs and weights: dropped, chosen or pasted. Nothing leaves the page. What cannot be used is
 * answered with a sentence, and everything else stays.
 */
export function filesPanel({ onRuns, onWeights }: FilesOptions): HTMLElement {
  let runs: readonly Entry[] = [], seen = new Set<string>();
  const said = element("ul", { class: "said" });
  const say = (sentences: readonly (string | Node)[], complaint = false) =>
    said.append(...sentences.map((words) => element("li", complaint ? { class: "complaint" } : {}, words)));
  const takeWeights = (name: string, weights: Weights) => {
    try {
      onWeights(fullWeights(weights));
      say([`${name}: its weights are set.`]);
    } catch (error) {
      const sum = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      say([`${name}: ${(error as Error).message}. The weights stay as they were.`], true);
      // Only a sum is for the reader to decide; what else is wrong stays wrong when divided.
      if (!/sum to/.test((error as Error).message)) return;
      say([
        button(
          `Divide them by ${Number(sum.toPrecision(4))} and use them`,
          () => onWeights(fullWeights(weights, { normalise: true })),
        ),
      ]);
    }
  };
  const take = (texts: readonly Text[]) => {
    said.replaceChildren();
    const added: Entry[] = [], wrong: string[] = [];
    let twice = 0;
    for (const { name, text } of texts) {
      try {
        if (text === undefined) throw new UserError(`it is larger than ${MOST_BYTES / 1e6} MB and was not read`);
        if (seen.has(text)) {
          twice++;
          continue;
        }
        const given = readGiven(text, runs.length + added.length);
        if ("weights" in given) takeWeights(name, given.weights);
        else {
          seen.add(text);
          for (const run of given.runs) added.push(run);
        }
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        wrong.push(`${name}: ${error.message}.`);
      }
    }
    if (added.length > 0) onRuns(runs = [...runs, ...added]);
    if (added.length > 0) say([`${added.length} runs read, ${runs.length} of yours in all.`]);
    if (twice > 0) say([`${twice} already here, left out.`]);
    say(wrong.slice(0, MOST_SENTENCES), true);
    if (wrong.length > MOST_SENTENCES) say([`${wrong.length - MOST_SENTENCES} more could not be read.`], true);
  };
  const takeFiles = async (files: readonly File[]) => {
    const texts = await Promise.all(files.map(async (file) => {
      const text = file.size > MOST_BYTES ? undefined : await file.text();
      return { name: inertText(file.name).slice(0, 80), text };
    }));
    take(texts);
  };
  const chosen = element("input", { type: "file", multiple: true, "aria-label": "Choose files" });
  chosen.addEventListener("change", () => {
    takeFiles([...chosen.files!]);
    chosen.value = "";
  });
  const pasted = element("textarea", { rows: "3", "aria-label": "Pasted text", spellcheck: "false" });
  const place = element(
    "fieldset",
    { class: "drop" },
    element("legend", {}, "Runs and weights of your own"),
    element("p", { class: "muted" }, ABOUT),
    chosen,
    pasted,
    element(
      "p",
      { class: "bar" },
      button("Read what was pasted", () => take([{ name: "Pasted", text: pasted.value }])),
      button("Remove your runs", () => {
        [runs, seen] = [[], new Set()];
        said.replaceChildren();
        onRuns(runs);
      }),
    ),
    element("div", { role: "status" }, said),
  );
  for (const kind of ["dragover", "drop"] as const) {
    place.addEventListener(kind, (event) => {
      event.preventDefault();
      if (kind === "drop") void filesOf(event.dataTransfer!).then(takeFiles);
    });
  }
  return place;
}

const ABOUT = "Drop, choose or paste final_summary.json files (one a line is fine too), the components.csv of " +
  "run … --csv, or weights as JSON. Nothing is sent; a reload forgets the runs, and the address does not hold them.";

/** Files that were dropped; of a folder those that a run or a batch leaves. */
async function filesOf({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const folders = entries.filter((entry) => entry.isDirectory);
  if (folders.length === 0) return [...files];
  const found = await Promise.all(entries.map((entry) => filesUnder(entry)));
  return found.flat();
}

const LEFT_BY_RUNS = /^(final_summary\.json|components\.csv)$/;

async function filesUnder(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader(), inside: FileSystemEntry[] = [];
  // A folder is given in parts; an empty one ends it.
  for (
    let part: FileSystemEntry[];
    (part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length > 0;
  ) {
    inside.push(...part.filter((entry) => entry.isDirectory || LEFT_BY_RUNS.test(entry.name)));
  }
  return (await Promise.all(inside.map(filesUnder))).flat();
}
