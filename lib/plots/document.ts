import { DOMParser } from "linkedom";
import { textBoxes } from "./text_boxes.ts";

const XMLNS = "http://www.w3.org/2000/svg";

/** The document of an SVG's text. */
export function parseSvg(svg: string): Document {
  return new DOMParser().parseFromString(svg, "image/svg+xml") as unknown as Document;
}

/** A new XML document with an empty SVG: every label is escaped when it is written, in attributes too. */
export function createDocument(): Document {
  const made = parseSvg(`<svg xmlns="${XMLNS}"></svg>`);
  const createElement = made.createElement.bind(made);
  made.createElement = ((name: string) => {
    const element = createElement(name);
    return name === "canvas" ? Object.assign(element, CANVAS) : element;
  }) as typeof made.createElement;
  const createElementNS = made.createElementNS.bind(made);
  made.createElementNS = ((namespace: string, name: string) => {
    const element = createElementNS(namespace, name);
    // Plot.tip sizes its box by the text in it.
    return name === "g" || name === "text" ? Object.assign(element, { getBBox: () => boxOf(element) }) : element;
  }) as typeof made.createElementNS;
  return made;
}

/** The box around the texts in an element, in its own coordinates. */
function boxOf(element: Element): { x: number; y: number; width: number; height: number } {
  const size = element.closest("[font-size]")?.getAttribute("font-size") ?? "10";
  const alone = element.cloneNode(true) as Element;
  alone.removeAttribute("transform");
  const boxes = textBoxes(alone, Number.parseFloat(size));
  const [x, y] = [Math.min(...boxes.map(({ left }) => left)), Math.min(...boxes.map(({ top }) => top))];
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const width = Math.max(...boxes.map(({ right }) => right)) - x;
  return { x, y, width, height: Math.max(...boxes.map(({ bottom }) => bottom)) - y };
}

/**
 * What Plot's own legend of a continuous scale asks of a canvas. The picture that it paints is thrown away: the legend
 * is drawn anew as part of the figure.
 */
const CANVAS = {
  getContext: () => ({ fillStyle: "", fillRect: () => {} }),
  toDataURL: () =>
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
};

/**
 * The document that Observable Plot draws into where there is no browser: `Plot.plot({ marks, document })`, the idiom of
 * Deno's documentation. `plot()` needs none.
 */
export const document: Document = createDocument();
