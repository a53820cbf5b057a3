import assert from "node:assert/strict";
import { progress } from "@/lab/notebook/progress.ts";

/** A task of `steps` steps that take `ms` milliseconds each: what a terminal gets to see. */
async function watch(steps: number, ms: number, rewrite: boolean): Promise<string> {
  let time = 0;
  let written = "";
  const bar = await progress("Work", steps, {
    now: () => time,
    write: (text, own = "") => void (written += own + text),
    rewrite,
  });
  for (let step = 0; step < steps; step++) {
    time += ms;
    await bar.advance();
  }
  await bar.finish();
  return written;
}

Deno.test("progress() keeps silent about a task of less than a second", async () => {
  assert.equal(await watch(9, 100, true), "");
});

Deno.test("progress() rewrites one line of a terminal, at most five times a second, and leaves no rest of a longer one", async () => {
  assert.equal(
    await watch(14, 100, true),
    "\rWork: 10 of 14, 10/s, 1 s left\rWork: 12 of 14, 10/s, 1 s left\rWork: 14 of 14, 10/s          " +
      "\rWork: 14 of 14, 10/s\n",
  );
});

Deno.test("progress() writes a line every five seconds where lines stay, and the last one once", async () => {
  assert.equal(await watch(3, 4000, false), "Work: 1 of 3, 0.3/s, 8 s left\nWork: 3 of 3, 0.3/s\n");
  assert.equal(await watch(2, 4000, false), "Work: 1 of 2, 0.3/s, 4 s left\nWork: 2 of 2, 0.3/s\n");
});

Deno.test("progress() tells slow tasks by the minute, and what is left in units that can be taken in", async () => {
  // Of 3 steps of 75 s each, 0.8 come to pass in a minute; 150 s are 2.5 minutes, 9000 s 2.5 hours.
  assert.match(await watch(3, 75_000, false), /^Work: 1 of 3, 0\.8\/min, 3 min left\n/);
  assert.match(await watch(3, 4_500_000, false), /^Work: 1 of 3, 0\.8\/h, 3 h left\n/);
});

Deno.test("progress() refuses a total that cannot be counted to", async () => {
  await assert.rejects(progress("Work", -1), /total must be a whole number/);
  await assert.rejects(progress("Work", 1.5), /total must be a whole number/);
});
