/** Attributes by name; `true` sets an empty one, `false` and undefined none. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with attributes and children. Text becomes text nodes: nothing in it is ever read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly (Node | string)[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** Words that only a screen reader gets. */
export function spoken(words: Text | string): HTMLSpanElement {
  return element("span", { class: "spoken" }, words);
}

/** Changes a text only when it is another: writing the same text costs the browser a layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Remembers what was set last: asking the page costs more than the setting does. */
export function once(set: (value: string) => void): (value: string) => void {
  let last: string | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    set(value);
  };
}

interface DownloadOptions {
  /** File name with its ending. */
  readonly file: string;
  readonly type: "text/csv" | "application/json" | "image/svg+xml";
  /** What the link says. */
  readonly words: string;
  /** The file's text as of now. */
  readonly text: () => string;
}

/** A link that saves a text; the file is inside the link, and is made when the reader points at it or focuses it. */
export function downloadLink({ file, type, words, text }: DownloadOptions): HTMLAnchorElement {
  const link = element("a", { download: file, "aria-label": `Download ${words}: ${file}` }, words);
  const fill = () => void (link.href = dataUrl(type, text()));
  // "Save as" in a menu and a copied address use the link as it was before any click.
  for (const reach of ["pointerenter", "focus", "click"]) link.addEventListener(reach, fill);
  fill();
  return link;
}

/** Text as a `data:` URL. */
function dataUrl(type: string, text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `data:${type};charset=utf-8;base64,${btoa(bytes.join(""))}`;
}

/** Saves a picture as PNG, at twice its size. */
export async function savePng(file: string, svg: string | undefined): Promise<void> {
  if (svg === undefined) return;
  const image = new Image();
  image.src = dataUrl("image/svg+xml", svg);
  await image.decode();
  const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  element("a", { download: file, href: canvas.toDataURL("image/png") }).click();
}

/** A task that runs once nothing has asked for it for `ms` milliseconds. */
export function later(ms: number, task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, ms);
  };
}

/** Tasks done one a frame, from the first after something has asked; asking again meanwhile does them once more. */
export function inFrames(tasks: readonly (() => void)[]): () => void {
  let running = false, again = false;
  const run = (place: number) => {
    try {
      tasks[place]!();
    } finally {
      // What fails is reported, and stops nothing else.
      goOn(place);
    }
  };
  const goOn = (place: number) => {
    if (place + 1 < tasks.length) requestAnimationFrame(() => run(place + 1));
    else if (again) {
      again = false;
      requestAnimationFrame(() => run(0));
    } else running = false;
  };
  return () => {
    again = running;
    if (running) return;
    running = true;
    requestAnimationFrame(() => run(0));
  };
}

/** Elements out of view are written once nothing has been written for so long: for printing and searches of the page. */
const REST_MS = 150;

/**
 * Writes at once what is in view, and the rest when it comes into view or the reader rests: with hundreds of elements
 * most of a frame would go to texts that nobody sees. Until the browser has said what is in view, all is written.
 *
 * @returns takes an element's place in `elements` and how it is written; a later writing takes the place of one that waits.
 */
export function visibleFirst(elements: readonly Element[]): (place: number, write: () => void) => void {
  const waiting = new Map<Element, () => void>();
  const hidden = new Set<Element>();
  const writeNow = (element: Element) => {
    waiting.get(element)?.();
    waiting.delete(element);
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        hidden.delete(target);
        writeNow(target);
      } else hidden.add(target);
    }
  });
  for (const element of elements) observer.observe(element);
  const writeRest = later(REST_MS, () => [...waiting.keys()].forEach(writeNow));
  return (place, write) => {
    const element = elements[place]!;
    waiting.set(element, write);
    if (hidden.has(element)) writeRest();
    else writeNow(element);
  };
}

/** Written before the bundle by `controls_bundle.ts`. */
declare const $controls: { readonly name: string; readonly data: unknown };

/**
 * Takes over the place that the output left for it, once it is on the page: the still picture gives way to what `start`
 * builds in a shadow root. Styles of the page do not reach in, ids do not meet, and the same output may stand on a page
 * twice. When `start` fails the picture stays, with a word about it.
 */
export function mount<Data>(start: (root: ShadowRoot, data: Data) => void): void {
  // Some viewers run the script before the output is on the page.
  waitFor(`[data-controls="${$controls.name}"]:not([data-mounted])`, (place) => {
    place.setAttribute("data-mounted", "");
    const host = document.createElement("div");
    try {
      // The data were written by the same version of the project.
      start(host.attachShadow({ mode: "open" }), $controls.data as Data);
    } catch (error) {
      place.append("The controls could not be started; this is a still picture.");
      throw error;
    }
    place.replaceChildren(host);
  });
}

const PATIENCE = 100;

function waitFor(selector: string, found: (place: Element) => void, tries = PATIENCE): void {
  const place = document.querySelector(selector);
  if (place !== null) found(place);
  else if (tries > 0) requestAnimationFrame(() => waitFor(selector, found, tries - 1));
}
