/**
 * Milliseconds that one pass of `work` took: the quickest of up to three, since whatever else the machine does only adds
 * to a time. Stops at the first pass under `enough`.
 */
export function quickestPass(work: () => unknown, enough: number): number {
  let quickest = Infinity;
  for (let pass = 0; pass < 3 && quickest >= enough; pass++) {
    const began = performance.now();
    work();
    quickest = Math.min(quickest, performance.now() - began);
  }
  return quickest;
}

/**
 * The bound on a text of a million characters, in milliseconds. A pass that is linear takes a few to a hundred; one that is
 * quadratic takes the better part of 10¹² steps, minutes: the bound tells them apart on a loaded machine too.
 */
export const LINEAR_MS = 3000;
