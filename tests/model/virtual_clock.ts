/** Lets everything that can run do so. */
async function settle() {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** A clock that stands still until everything waits, and then goes on to the next alarm. */
export function virtualClock() {
  let at = 0;
  const alarms = new Set<{ at: number; ring: () => void }>();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const alarm = { at: at + ms, ring: resolve };
    alarms.add(alarm);
    signal?.addEventListener("abort", () => {
      alarms.delete(alarm);
      reject(signal.reason);
    });
    return promise;
  };
  /** Runs until a promise has settled, or until a time. */
  const run = async <T>(promise: Promise<T>, until = Infinity): Promise<T | undefined> => {
    let settled = false;
    promise.then(() => (settled = true), () => (settled = true));
    for (;;) {
      await settle();
      if (settled) return promise;
      let next: { at: number; ring: () => void } | undefined;
      for (const alarm of alarms) if (next === undefined || alarm.at < next.at) next = alarm;
      if (next === undefined || next.at > until) return undefined;
      alarms.delete(next);
      at = next.at;
      next.ring();
    }
  };
  return { now: () => at, sleep, run, alarms };
}
