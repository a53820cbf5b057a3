/**
 * A function of objects that makes each result once: for objects that never change. What is made of an object is let go
 * with it; two equal objects are two.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * let made = 0;
 * const textOf = remembered((point: { x: number }) => (made++, `x = ${point.x}`));
 * const point = { x: 1 };
 * assert.deepEqual([textOf(point), textOf(point), made], ["x = 1", "x = 1", 1]);
 * ```
 */
export function remembered<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, To>();
  return (from) => {
    let known = made.get(from);
    if (known === undefined) made.set(from, known = make(from));
    return known;
  };
}
