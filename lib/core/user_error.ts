/**
 * A mistake that the user can correct: the message says what was wrong and what to do.
 * Commands print it without a stack trace and exit with `exitCode` (2: bad arguments, 1: the work failed).
 */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: 1 | 2;

  constructor(message: string, { exitCode = 1, cause }: { exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}
