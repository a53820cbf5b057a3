import { DOMParser } from "linkedom";
import { svgBox } from "./text_boxes.ts";

const XMLNS = "http://www.w3.org/2000/svg";

/** A new XML document with an empty SVG: every label is escaped when it is written, in attributes too. */
export function createDocument(): Document {
  const made = new DOMParser().parseFromString(`<svg xmlns="${XMLNS}"></svg>`, "image/svg+xml") as unknown as Document;
  const createElement = made.createElement.bind(made);
  made.createElement = ((name: string) => {
    const element = createElement(name);
    return name === "canvas" ? Object.assign(element, CANVAS) : element;
  }) as typeof made.createElement;
  const createElementNS = made.createElementNS.bind(made);
  made.createElementNS = ((namespace: string, name: string) => {
    const element = createElementNS(namespace, name);
    // Plot.tip sizes its box by the text in it.
    return name === "g" || name === "text" ? Object.assign(element, { getBBox: () => svgBox(element) }) : element;
  }) as typeof made.createElementNS;
  return made;
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
