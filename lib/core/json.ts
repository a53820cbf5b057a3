// Not of node:crypto, which browsers do not have.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * JSON with object keys sorted and no white space: one text for one value, so that it can be hashed and compared.
 *
 * @throws {TypeError} on a number that JSON cannot hold (NaN, ±Infinity), naming its path; JSON.stringify would
 * silently write `null`.
 */
export function canonicalJson(value: unknown, path = "$"): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`${path} is ${value}, which JSON cannot hold`);
  }
  if (Array.isArray(value)) return `[${value.map((item, i) => canonicalJson(item, `${path}[${i}]`)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${
      entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item, `${path}.${key}`)}`).join(",")
    }}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** SHA-256 of a value's canonical JSON, as 64 hexadecimal digits. */
export function contentHash(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}

/** The value of a JSON text; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
