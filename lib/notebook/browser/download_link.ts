import { element } from "./element.ts";

export interface DownloadOptions {
  /** File name with its ending. */
  readonly file: string;
  readonly type: "text/csv" | "application/json";
  /** What the link says. */
  readonly words: string;
  /** The file's text as of now. */
  readonly text: () => string;
}

/** A link that saves a text; the file is inside the link, and made when somebody reaches for it. */
export function downloadLink({ file, type, words, text }: DownloadOptions): HTMLAnchorElement {
  const link = element("a", { download: file, "aria-label": `Download ${words}: ${file}` }, words);
  const fill = () => void (link.href = dataUrl(type, text()));
  // A menu's "save as" and a copied address take the link as it was before any click.
  for (const reach of ["pointerenter", "focus", "click"]) link.addEventListener(reach, fill);
  fill();
  return link;
}

/** Text as a `data:` URL. */
export function dataUrl(type: string, text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `data:${type};charset=utf-8;base64,${btoa(bytes.join(""))}`;
}
