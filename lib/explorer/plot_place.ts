import * as Plot from "@observablehq/plot";
import { CARD, INK } from "../plots/palette.ts";
import { downloadLink, element, savePng } from "./dom.ts";
import { button } from "./inputs.ts";

/** Where a figure of Observable Plot stands, as wide as there is room. */
export interface PlotPlace {
  readonly element: HTMLElement;
  /** Draws again; what it shows has changed. */
  redraw(): void;
  /** The picture as a file's text; undefined where nothing is drawn. */
  svg(): string | undefined;
}

interface Drawn extends Plot.PlotOptions {
  /** The picture in words. */
  readonly words: string;
}

/**
 * @param draw options for a width in pixels; undefined where there is nothing to show.
 * @param onPick what the pointer was clicked on, where a mark has `Plot.pointer`.
 */
export function plotPlace(
  name: string,
  draw: (width: number) => Drawn | undefined,
  onPick?: (row: unknown) => void,
): PlotPlace {
  const place = element("div", { class: `plot ${name}` });
  let width = 0;
  const redraw = () => {
    // Before it is on the page there is no room yet; the observer tells when there is.
    if (width === 0) return;
    const options = draw(width);
    if (options === undefined) return place.replaceChildren();
    const svg = Plot.plot({ width, style: STYLE, figure: false, ...options }) as SVGSVGElement & { value?: unknown };
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", options.words);
    // Names of parts have no role of their own; the picture's words say it all.
    for (const part of svg.querySelectorAll("[aria-label]")) {
      part.setAttribute("data-mark", part.getAttribute("aria-label")!);
      part.removeAttribute("aria-label");
    }
    if (onPick) svg.addEventListener("click", () => svg.value && onPick(svg.value));
    place.replaceChildren(svg);
  };
  new ResizeObserver(([entry]) => {
    const room = Math.floor(entry?.contentRect.width ?? 0);
    if (room === width) return;
    width = room;
    redraw();
  }).observe(place);
  return {
    element: place,
    redraw,
    svg() {
      const svg = place.querySelector("svg");
      return svg ? new XMLSerializer().serializeToString(svg) : undefined;
    },
  };
}

const STYLE = { fontSize: "13px", fontFamily: "inherit", background: CARD, color: INK, overflow: "visible" };

/** What saves a figure: as SVG, and as PNG at twice its size. */
export function pictureLinks(file: string, place: PlotPlace): HTMLElement[] {
  const text = () => place.svg() ?? "";
  return [
    downloadLink({ file: `${file}.svg`, type: "image/svg+xml", words: "Picture (SVG)", text }),
    button("Picture (PNG)", () => void savePng(`${file}.png`, place.svg())),
  ];
}
