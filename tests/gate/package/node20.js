// What the library uses and Node 20 lacks. Each is added only where it is missing; newer runtimes keep their own.
const add = (owner, name, value) => {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
};

add(Map, "groupBy", (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.has(key) ? groups.get(key).push(item) : groups.set(key, [item]);
  }
  return groups;
});
add(
  Object,
  "groupBy",
  (items, keyOf) =>
    Object.assign(
      Object.create(null),
      Object.fromEntries(Map.groupBy(items, (item, index) => `${keyOf(item, index)}`)),
    ),
);
add(Array, "fromAsync", async (items, change = (item) => item) => {
  const all = [];
  for await (const item of items) all.push(await change(item, all.length));
  return all;
});
add(Promise, "withResolvers", () => {
  let resolve, reject;
  const promise = new Promise((...both) => [resolve, reject] = both);
  return { promise, resolve, reject };
});
add(
  RegExp,
  "escape",
  (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`),
);
add(Set.prototype, "intersection", function (other) {
  return new Set([...this].filter((item) => other.has(item)));
});
add(Set.prototype, "union", function (other) {
  return new Set([...this, ...other.keys()]);
});
add(Uint8Array, "fromBase64", (text) => new Uint8Array(Buffer.from(text, "base64")));
add(Uint8Array.prototype, "toBase64", function () {
  return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString("base64");
});

const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const LAZY = {
  *map(change) {
    let index = 0;
    for (const item of this) yield change(item, index++);
  },
  *filter(test) {
    let index = 0;
    for (const item of this) if (test(item, index++)) yield item;
  },
  *flatMap(change) {
    let index = 0;
    for (const item of this) yield* change(item, index++);
  },
  *take(most) {
    if (most > 0) {
      for (const item of this) {
        yield item;
        if (--most <= 0) return;
      }
    }
  },
  *drop(first) {
    for (const item of this) if (first-- <= 0) yield item;
  },
};
for (const [name, value] of Object.entries(LAZY)) add(iterators, name, value);
for (const name of ["every", "find", "forEach", "reduce", "some"]) {
  add(iterators, name, function (...given) {
    return [...this][name](...given);
  });
}
add(iterators, "toArray", function () {
  return [...this];
});

add(
  globalThis,
  "DisposableStack",
  class {
    #last = [];
    use(value) {
      this.#last.unshift(() => value?.[Symbol.dispose]());
      return value;
    }
    defer(action) {
      this.#last.unshift(action);
    }
    adopt(value, action) {
      this.#last.unshift(() => action(value));
      return value;
    }
    move() {
      const moved = new DisposableStack();
      for (const action of this.#last.splice(0).reverse()) moved.defer(action);
      return moved;
    }
    [Symbol.dispose]() {
      for (const action of this.#last.splice(0)) action();
    }
  },
);
