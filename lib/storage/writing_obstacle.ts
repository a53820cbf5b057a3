/** Why a file could not be written and what to do about it, to stand behind its name. */
export function writingObstacle(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Deno.errors.NotCapable) {
    return "Deno may not write there; run with --allow-write for that folder";
  }
  if (/ENOSPC|os error 28|No space left/i.test(message)) {
    return "the disk is full; free some space or choose another folder";
  }
  if (/EROFS|EACCES|os error (30|13)/i.test(message) || cause instanceof Deno.errors.PermissionDenied) {
    return "the folder is read-only; choose another folder or change its permissions";
  }
  if (/ENOTDIR|EEXIST|EISDIR|os error (17|20|21)/i.test(message)) {
    return "something that is not a folder stands in the way; remove it or choose another folder";
  }
  return message;
}
