/**
 * Lets so many pieces of work be under way at once, over everybody who shares it; the others wait, first come first served.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const pool = new Pool(1);
 * const order: string[] = [];
 * const work = (name: string) => pool.run(() => Promise.resolve(void order.push(name)));
 * await Promise.all([work("first"), work("second")]);
 * assert.deepEqual(order, ["first", "second"]);
 * ```
 */
export class Pool {
  readonly width: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @throws {RangeError} when nothing could ever be under way. */
  constructor(width: number) {
    if (!Number.isSafeInteger(width) || width < 1) {
      throw new RangeError(`the width of a pool must be a whole number of at least 1, got ${width}`);
    }
    this.width = width;
    this.#free = width;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next(); // The place is handed on, so that nobody slips in between.
    }
  }
}
