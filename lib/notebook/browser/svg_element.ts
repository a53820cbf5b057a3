const SVG = "http://www.w3.org/2000/svg";

/** Attributes by name; undefined sets none. */
export type SvgAttributes = Readonly<Record<string, string | number | undefined>>;

/** An element of a drawing with attributes and children. Text becomes text nodes, as in `element`. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: SvgAttributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}
