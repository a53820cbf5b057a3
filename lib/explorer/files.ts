import { UserError } from "../core/user_error.ts";
import { inertText } from "../core/text.ts";
import { element } from "./dom.ts";
import { button } from "./inputs.ts";

/** Something said of what was given. */
export type Said = string | Node;

interface FilesOptions {
  readonly legend: string;
  /** What is taken, and that nothing is sent. */
  readonly about: string;
  /** Names of files that are taken of a folder. */
  readonly wanted: RegExp;
  /**
   * Takes one file or what was pasted.
   *
   * @returns what is said of it at once.
   * @throws {UserError} where it cannot be used; that is said, and everything else stays.
   */
  readonly take: (text: string, name: string) => readonly Said[];
  /** All files of one drop have been taken; returns what is said of them together. */
  readonly done: () => readonly Said[];
  /** Forgets all that was taken. */
  readonly remove: () => void;
}

interface Text {
  readonly name: string;
  /** Absent where the file is too large to be read. */
  readonly text: string | undefined;
}

const MOST_BYTES = 100e6;
/** Sentences about single files; more would push the explorer out of sight. */
const MOST_SENTENCES = 6;

/** Where the reader gives files: dropped, chosen or pasted. Nothing leaves the page. */
export function filesPanel({ legend, about, wanted, take, done, remove }: FilesOptions): HTMLElement {
  const seen = new Set<string>();
  const said = element("ul", { class: "said" });
  const say = (sentences: readonly Said[], complaint = false) =>
    said.append(...sentences.map((words) => element("li", complaint ? { class: "complaint" } : {}, words)));
  const takeAll = (texts: readonly Text[]) => {
    said.replaceChildren();
    const wrong: string[] = [];
    let twice = 0;
    for (const { name, text } of texts) {
      try {
        if (text === undefined) throw new UserError(`it is larger than ${MOST_BYTES / 1e6} MB and was not read`);
        if (seen.has(text)) twice++;
        else {
          say(take(text, name));
          seen.add(text);
        }
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        wrong.push(`${name}: ${error.message}.`);
      }
    }
    say(done());
    if (twice > 0) say([`${twice} already here, left out.`]);
    say(wrong.slice(0, MOST_SENTENCES), true);
    if (wrong.length > MOST_SENTENCES) say([`${wrong.length - MOST_SENTENCES} more could not be used.`], true);
  };
  const takeFiles = async (files: readonly File[]) =>
    takeAll(
      await Promise.all(files.map(async (file) => {
        const text = file.size > MOST_BYTES ? undefined : await file.text();
        return { name: inertText(file.name).slice(0, 80), text };
      })),
    );
  const chosen = element("input", { type: "file", multiple: true, "aria-label": "Choose files" });
  chosen.addEventListener("change", () => {
    void takeFiles([...chosen.files!]);
    chosen.value = "";
  });
  const pasted = element("textarea", { rows: "3", "aria-label": "Pasted text", spellcheck: "false" });
  const place = element(
    "fieldset",
    { class: "drop" },
    element("legend", {}, legend),
    element("p", { class: "muted" }, about),
    chosen,
    pasted,
    element(
      "p",
      { class: "bar" },
      button("Read what was pasted", () => {
        // Pasted once more, it is meant.
        seen.delete(pasted.value);
        takeAll([{ name: "Pasted", text: pasted.value }]);
      }),
      button("Remove your runs", () => {
        seen.clear();
        said.replaceChildren();
        remove();
      }),
    ),
    element("div", { role: "status" }, said),
  );
  for (const kind of ["dragover", "drop"] as const) {
    place.addEventListener(kind, (event) => {
      event.preventDefault();
      if (kind === "drop") void filesOf(event.dataTransfer!, wanted).then(takeFiles);
    });
  }
  return place;
}

/** Files that were dropped; of a folder those with a name that is wanted, at any depth. */
async function filesOf({ items, files }: DataTransfer, wanted: RegExp): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.every((entry) => entry.isFile)) return [...files];
  return (await Promise.all(entries.map((entry) => filesUnder(entry, wanted)))).flat();
}

async function filesUnder(entry: FileSystemEntry, wanted: RegExp): Promise<File[]> {
  if (entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader(), inside: FileSystemEntry[] = [];
  const next = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  // A folder is given in parts; an empty one ends it.
  for (let part = await next(); part.length > 0; part = await next()) {
    inside.push(...part.filter((entry) => entry.isDirectory || wanted.test(entry.name)));
  }
  return (await Promise.all(inside.map((entry) => filesUnder(entry, wanted)))).flat();
}
