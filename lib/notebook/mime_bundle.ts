/** One output in several forms, keyed by media type; a viewer takes the richest it may show. */
export type MimeBundle = Readonly<Record<`${string}/${string}`, unknown>>;

/**
 * Whether a value is a bundle of media types.
 *
 * @throws {RangeError} on `image/svg+xml`: nbconvert blanks it and untrusted viewers refuse it, so the reader sees nothing.
 */
export function isMimeBundle(value: unknown): value is MimeBundle {
  if (typeof value !== "object" || value === null) return false;
  const types = Object.keys(value);
  if (types.includes("image/svg+xml")) {
    throw new RangeError("image/svg+xml is shown blank by several viewers: show a Figure, or an <img> in text/html");
  }
  return types.length > 0 && types.every((type) => /^[a-z]+\/[a-z0-9.+-]+$/.test(type));
}
