/** An element of a drawing. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and pieces of text, in order. */
  readonly children: readonly (SvgElement | string)[];
}

const NAME = "[A-Za-z_][\\w.:-]*";
const TOKEN = new RegExp(
  `<(?<close>/)?(?<name>${NAME})(?<rest>(?:\\s+${NAME}\\s*=\\s*"[^"<]*")*)\\s*(?<empty>/)?>|[^<]+`,
  "y",
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*"([^"]*)"`, "g");

/**
 * Reads an SVG document strictly: what a strict XML reader would refuse is refused here. So is what no figure of ours
 * needs, and what could do more than draw: comments, processing instructions, document types, CDATA.
 *
 * @throws {SyntaxError} naming the rule and the place.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const { children } = readSvgTree(`<svg><text x="3">a &lt; b</text></svg>`);
 * assert.deepEqual(children, [{ name: "text", attributes: { x: "3" }, children: ["a < b"] }]);
 * ```
 */
export function readSvgTree(svg: string): SvgElement {
  const top: (SvgElement | string)[] = [];
  const open: { readonly name: string; readonly children: (SvgElement | string)[] }[] = [{ name: "", children: top }];
  const text = svg.trim();
  const refuse = (rule: string, at: number) =>
    new SyntaxError(`${rule} at character ${at + 1}: ${JSON.stringify(text.slice(at, at + 30))}`);
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw refuse("neither text nor a tag", at);
    const { close, name, rest = "", empty } = found.groups!;
    const parent = open.at(-1)!;
    if (name === undefined) parent.children.push(decode(found[0], at, refuse));
    else if (close !== undefined) {
      if (parent.name !== name || rest !== "" || empty !== undefined) throw refuse(`</${parent.name}> is expected`, at);
      open.pop();
    } else {
      const element = { name, attributes: attributesOf(rest, at, refuse), children: [] };
      parent.children.push(element);
      if (empty === undefined) open.push(element);
    }
    at += found[0].length;
  }
  const [root, ...others] = top;
  if (open.length > 1) throw refuse(`<${open.at(-1)!.name}> is not closed`, text.length);
  if (root === undefined || typeof root === "string" || others.length > 0) throw refuse("one element is expected", 0);
  return root;
}

type Refuse = (rule: string, at: number) => SyntaxError;

function attributesOf(text: string, at: number, refuse: Refuse): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(ATTRIBUTE)) {
    if (Object.hasOwn(attributes, name!)) throw refuse(`${name} is given twice`, at);
    attributes[name!] = decode(value!, at, refuse);
  }
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(text: string, at: number, refuse: Refuse): string {
  // XML allows no other control character than tab and line ends.
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) throw refuse("a control character", at);
  return text.replace(/&(?:(\w+)|#(\d+)|#x([\da-f]+));|&/gi, (_, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
    const code = decimal ? Number(decimal) : hex ? parseInt(hex, 16) : undefined;
    if (code === undefined || code > 0x10ffff) throw refuse("an & that begins no known entity", at);
    return String.fromCodePoint(code);
  });
}

/**
 * What could do more than draw: elements and attributes that run, link, fetch or can be addressed, each named once. A
 * picture may point to its own parts (markers, clips), as Plot's do.
 */
export function livelyParts(root: SvgElement): string[] {
  const own = new Set(idsIn(root).map((id) => `url(#${id})`));
  return [...new Set(lively(root, own))];
}

function lively({ name, attributes, children }: SvgElement, own: ReadonlySet<string>): string[] {
  return [
    ...(/^(script|style|foreignObject|a|use|image|iframe|set|animate.*)$/i.test(name) ? [`<${name}>`] : []),
    ...Object.entries(attributes)
      .filter(([key, value]) => /^((\w+:)?href|on\w+)$/i.test(key) || (value.includes("url(") && !own.has(value)))
      .map(([key]) => `${key}="…"`),
    ...children.flatMap((child) => typeof child === "string" ? [] : lively(child, own)),
  ];
}

function idsIn({ attributes: { id }, children }: SvgElement): string[] {
  return [
    ...(id === undefined ? [] : [id]),
    ...children.flatMap((child) => typeof child === "string" ? [] : idsIn(child)),
  ];
}

/** All text in an element, without the titles that viewers show on hovering. */
export function textIn({ children }: SvgElement): string {
  return children.map((child) => typeof child === "string" ? child : child.name === "title" ? "" : textIn(child)).join(
    "",
  );
}

/** The same of an element that is being drawn. */
export function elementTree(element: Element): SvgElement {
  const children = [...element.childNodes].flatMap((node): (SvgElement | string)[] =>
    node.nodeType === 1 ? [elementTree(node as Element)] : node.nodeType === 3 ? [node.textContent ?? ""] : []
  );
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
  return { name: element.nodeName, attributes, children };
}
