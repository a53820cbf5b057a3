/** Content of an element: attributes by name, listeners by event (`{ click: … }`), children. */
type Content = Node | string | undefined | Attributes;
/** `true` sets an empty attribute, `false` and undefined none. */
type Attributes = { readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void) };

type Tag = keyof HTMLElementTagNameMap;
type Made<Selector extends string> = HTMLElementTagNameMap[
  Selector extends `${infer Name extends Tag}.${string}` ? Name : Selector extends Tag ? Selector : never
];

/** An element by its tag and classes, such as `h("p.muted", "…")`. Text becomes text nodes, never markup. */
export function h<Selector extends Tag | `${Tag}.${string}`>(
  selector: Selector,
  ...content: readonly Content[]
): Made<Selector> {
  const [tag, ...classes] = selector.split(".");
  const made = document.createElement(tag!);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const part of content) {
    if (typeof part === "string" || part instanceof Node) made.append(part);
    else for (const [name, value] of Object.entries(part ?? {})) set(made, name, value);
  }
  return made as Made<Selector>;
}

function set(element: HTMLElement, name: string, value: Attributes[string]): void {
  if (typeof value === "function") element.addEventListener(name, value);
  else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
}

export const button = (words: string, click: () => void): HTMLButtonElement =>
  h("button", { type: "button", click }, words);

/** Words that only a screen reader gets. */
export const spoken = (words: string): HTMLSpanElement => h("span.spoken", words);

/** Changes a text only when it is another: writing the same text costs the browser a layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** A task that runs once it has not been asked for during `ms` milliseconds. */
export function later(ms: number, task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, ms);
  };
}

/** Runs tasks one a frame, from the first; a request meanwhile repeats them once more. */
export function inFrames(tasks: readonly (() => void)[]): () => void {
  const waiting: (() => void)[] = [];
  const next = () => {
    const task = waiting.shift()!;
    // Asked for before the task runs: a failing task is reported and stops no other.
    if (waiting.length > 0) requestAnimationFrame(next);
    task();
  };
  return () => {
    if (waiting.length === 0) requestAnimationFrame(next);
    if (waiting.length < tasks.length) waiting.push(...tasks);
  };
}

/** After this pause, elements out of view are written too: for printing and for searches of the page. */
const REST_MS = 150;

/**
 * Writes elements in view at once, and the others when they come into view or the reader rests: with hundreds of
 * elements most of a frame would go to texts out of sight. Until the browser has reported what is in view, all are
 * written.
 *
 * @returns takes an element's place in `elements` and how to write it; a later call replaces one that still waits.
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
      hidden[isIntersecting ? "delete" : "add"](target);
      if (isIntersecting) writeNow(target);
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
