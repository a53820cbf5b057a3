import { UserError } from "../../core/user_error.ts";
import { inertText } from "../../core/text.ts";
import { button, h } from "./dom.ts";

/** A sentence about a file, or an element such as a button that acts on it. */
export type Said = string | Node;

interface FilesOptions {
  readonly legend: string;
  /** Says which files are read, and that nothing is sent. */
  readonly about: string;
  /** Names of the files that are read from a dropped folder. */
  readonly wanted: RegExp;
  /**
   * Takes one file or the pasted text.
   *
   * @returns what to report of it.
   * @throws {UserError} where it cannot be used; that is reported, and everything else stays.
   */
  readonly take: (text: string, name: string) => readonly Said[];
  /** Called when all files of one drop have been taken; returns what to report of them together. */
  readonly done?: () => readonly Said[];
  /** Forgets all that was taken. */
  readonly remove: () => void;
}

const MOST_BYTES = 100e6;
/** More sentences about single files would push the explorer out of sight. */
const MOST_SENTENCES = 6;

/** A panel for the reader's files: dropped, chosen or pasted. Nothing leaves the page. */
export function filesPanel({ legend, about, wanted, take, done, remove }: FilesOptions): HTMLElement {
  const seen = new Set<string>();
  const said = h("ul.said");
  const say = (sentences: readonly Said[], kind?: "complaint") =>
    said.append(...sentences.map((words) => h("li", { class: kind }, words)));
  /** @param texts by name; undefined where a file is too large to be read. */
  const takeAll = (texts: readonly (readonly [name: string, text: string | undefined])[]) => {
    said.replaceChildren();
    const wrong: string[] = [];
    let twice = 0;
    for (const [name, text] of texts) {
      try {
        if (text === undefined) throw new UserError(`it is larger than ${MOST_BYTES / 1e6} MB and was not read`);
        if (seen.has(text)) twice++;
        else say(take(text, name));
        seen.add(text);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        wrong.push(`${name}: ${error.message}.`);
      }
    }
    say(done?.() ?? []);
    if (twice > 0) say([`${twice} already here, left out.`]);
    say(wrong.slice(0, MOST_SENTENCES), "complaint");
    if (wrong.length > MOST_SENTENCES) say([`${wrong.length - MOST_SENTENCES} more could not be used.`], "complaint");
  };
  const takeFiles = async (files: readonly File[]) =>
    takeAll(
      await Promise.all(files.map(async (file) => {
        const text = file.size > MOST_BYTES ? undefined : await file.text();
        return [inertText(file.name).slice(0, 80), text] as const;
      })),
    );
  const choose = () => {
    void takeFiles([...chosen.files!]);
    chosen.value = "";
  };
  const chosen = h("input", { type: "file", multiple: true, "aria-label": "Choose files", change: choose });
  const pasted = h("textarea", { rows: "3", "aria-label": "Pasted text", spellcheck: "false" });
  const read = button("Read what was pasted", () => {
    // A text pasted a second time is meant.
    seen.delete(pasted.value);
    takeAll([["Pasted", pasted.value]]);
  });
  const forget = button("Remove your runs", () => {
    seen.clear();
    said.replaceChildren();
    remove();
  });
  return h(
    "fieldset.drop",
    {
      dragover: (event) => event.preventDefault(),
      drop(event) {
        event.preventDefault();
        void filesOf((event as DragEvent).dataTransfer!, wanted).then(takeFiles);
      },
    },
    ...[h("legend", legend), h("p.muted", about), chosen, pasted, h("p.bar", read, forget)],
    h("div", { role: "status" }, said),
  );
}

/** The dropped files; of a folder those with a wanted name, at any depth. */
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
  // A folder is given in parts; an empty part ends it.
  for (let part = await next(); part.length > 0; part = await next()) {
    inside.push(...part.filter((entry) => entry.isDirectory || wanted.test(entry.name)));
  }
  return (await Promise.all(inside.map((entry) => filesUnder(entry, wanted)))).flat();
}
