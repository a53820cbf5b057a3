import { longestRising } from "./longest_rising.ts";

/**
 * Puts the children of an element into another order by moving as few of them as can be: a moved one is laid out anew.
 *
 * @param wanted children of `parent`, all of them, or the first ones that it is given.
 */
export function reorder(parent: Element, wanted: readonly Element[]): void {
  const places = new Map([...parent.children].map((child, i) => [child, i]));
  const staying = longestRising(wanted.map((child) => places.get(child) ?? -1));
  let next: Element | null = null;
  for (let i = wanted.length - 1; i >= 0; i--) {
    const child = wanted[i]!;
    if (!staying.has(i)) parent.insertBefore(child, next);
    next = child;
  }
}
