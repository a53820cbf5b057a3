import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";

/** The UserError that `work` rejects with; its message is for people, so it must hold no stack frame. */
export async function userErrorOf(work: Promise<unknown>): Promise<UserError> {
  const thrown = await work.then(() => assert.fail("nothing was thrown"), (error: unknown) => error);
  assert.ok(thrown instanceof UserError, `not a UserError: ${thrown}`);
  assert.doesNotMatch(thrown.message, /\n\s+at |\.ts:\d/);
  return thrown;
}
