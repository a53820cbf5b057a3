import { INK } from "../plots/palette.ts";
import { element, svgElement } from "./dom.ts";

/** A drawing as wide as there is room. */
export interface Drawing {
  readonly element: HTMLElement;
  /** Draws again; what it shows has changed. */
  redraw(): void;
}

interface DrawingOptions {
  readonly class: string;
  /** What stands in it at a width in pixels, how high that is, and what it shows in words. */
  readonly draw: (width: number) => { height: number; label: string; marks: readonly SVGElement[] };
}

/**
 * Draws in pixels of the page, so that letters keep their size on a narrow screen, and again when the room changes.
 */
export function drawing({ class: name, draw }: DrawingOptions): Drawing {
  const svg = svgElement("svg", { role: "img", "font-size": 13, fill: INK });
  const place = element("div", { class: name }, svg);
  let width = 0;
  const redraw = () => {
    // Before it is on the page there is no room yet; the observer tells when there is.
    if (width === 0) return;
    const { height, label, marks } = draw(width);
    for (const [key, value] of [["width", width], ["height", height]] as const) svg.setAttribute(key, String(value));
    svg.setAttribute("aria-label", label);
    svg.replaceChildren(...marks);
  };
  new ResizeObserver(([entry]) => {
    const room = Math.floor(entry?.contentRect.width ?? 0);
    if (room === width) return;
    width = room;
    redraw();
  }).observe(place);
  return { element: place, redraw };
}
