import { parseHTML } from "linkedom";
import { escapeHtml } from "../../../core/text.ts";
import { svgOf } from "../../plots/figure.ts";
import { inlineSvg } from "./inline_svg.ts";

/**
 * An output's HTML with each figure drawn into the page instead of shown as an image: it follows the page's colours, its
 * marks have words for pointer, touch and keys, and a narrow page has its own drawing. Downloads keep the original.
 *
 * @param png the figure as PNG in base64, which a notebook stores beside it.
 */
export function figuresInline(html: string, png: unknown): string {
  if (!html.includes("<figure data-figure=") || html.includes("<script")) return html;
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  for (const figure of document.querySelectorAll("figure[data-figure]")) {
    const image = figure.querySelector("img");
    const url = image?.getAttribute("src") ?? "", svg = svgOf(url);
    if (!image || svg === undefined) continue;
    const narrow = svgOf(figure.querySelector("picture > source")?.getAttribute("srcset") ?? "");
    for (const styled of [figure, ...figure.querySelectorAll("[style]")]) styled.removeAttribute("style");
    (image.closest("picture") ?? image).outerHTML = figureDrawings(svg, narrow);
    const links = figure.querySelector("figcaption a[download]")?.parentElement;
    const name = escapeHtml(figure.getAttribute("data-figure")!);
    if (!links) continue;
    links.className = "downloads";
    links.innerHTML += download(name, "SVG", url);
    if (typeof png === "string") {
      links.innerHTML += download(name, "PNG", imageUrl("image/png", png));
    }
  }
  return document.body.innerHTML;
}

/** A figure's picture drawn into a page, with another drawing for narrow pages if there is one. */
export const figureDrawings = (svg: string, narrow?: string): string =>
  narrow === undefined ? drawing(svg) : drawing(svg, "wide") + drawing(narrow, "narrow");

/** The address of an image in base64; letters that are none of base64 are left out. */
export const imageUrl = (type: string, base64: string): string =>
  `data:${type};base64,${base64.replace(/[^\w+/=]/g, "")}`;

/** The picture can be reached by keyboard, which then reads its points. */
const drawing = (svg: string, width = ""): string =>
  `<div class="drawing ${width}">${inlineSvg(svg).replace("<svg", `<svg tabindex="0"`)}</div>`;

const download = (name: string, type: string, url: string): string =>
  ` · <a download="${name}.${type.toLowerCase()}" href="${url}" aria-label="Download the figure as ${type}: ${name}">${type}</a>`;
