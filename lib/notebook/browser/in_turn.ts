/**
 * Tasks that run once nothing has asked for them for `ms` milliseconds: each in a turn of its own, so that what the
 * reader does meanwhile is answered in between. Asking again starts over.
 */
export function inTurn(ms: number, tasks: readonly (() => void)[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (place: number) => {
    tasks[place]?.();
    if (place + 1 < tasks.length) timer = setTimeout(run, 0, place + 1);
  };
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, ms, 0);
  };
}
