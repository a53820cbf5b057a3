/** Attributes by name; `true` sets an empty one, `false` and undefined none. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** An element with attributes and children. Text becomes text nodes: nothing in it is ever read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : value);
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
