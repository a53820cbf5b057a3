import zlib from "node:zlib";
import { inflateSync } from "fflate";
import { UserError } from "../core/user_error.ts";

/** A file in a zip. */
export interface ZipEntry {
  readonly name: string;
  /** Its bytes, unpacked when asked for. */
  readonly bytes: () => Uint8Array;
}

const END = 0x06054b50, END_64_PLACE = 0x07064b50, ENTRY = 0x02014b50;
/** More than any log comes to. */
const MOST_BYTES = 512 * 2 ** 20;

/**
 * The files in a zip, packed by deflate or zstd or not at all.
 *
 * @param zip the whole archive. @param path for messages.
 * @throws {UserError} where its directory is damaged; an entry's `bytes` throws one where the file is encrypted, damaged, larger
 * than 512 MiB, or packed by a method that this runtime does not know.
 */
export function zipEntries(zip: Uint8Array, path: string): ZipEntry[] {
  try {
    return [...directory(new DataView(zip.buffer, zip.byteOffset, zip.byteLength))].map(({ name, ...entry }) => (
      { name, bytes: () => unpacked(zip, entry, `${path}: ${name}`) }
    ));
  } catch (cause) {
    throw new UserError(`${path}: is no zip, or a damaged one; copy it again`, { cause });
  }
}

interface Packed {
  readonly method: number;
  readonly encrypted: boolean;
  readonly checksum: number;
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

function* directory(view: DataView): Generator<Packed & { readonly name: string }> {
  let end = view.byteLength - 22;
  while (view.getUint32(end, true) !== END) end -= 1;
  let count = view.getUint16(end + 10, true), at = view.getUint32(end + 16, true);
  if (end >= 20 && view.getUint32(end - 20, true) === END_64_PLACE) {
    const large = Number(view.getBigUint64(end - 12, true));
    [count, at] = [large + 32, large + 48].map((place) => Number(view.getBigUint64(place, true))) as [number, number];
  }
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== ENTRY) throw new RangeError("the directory is not where it should be");
    const [nameLength = 0, ...more] = [28, 30, 32].map((i) => view.getUint16(at + i, true));
    yield {
      name: new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength)),
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      checksum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    at += 46 + nameLength + more.reduce((sum, length) => sum + length, 0);
  }
}

function unpacked(
  zip: Uint8Array,
  { method, encrypted, checksum, size, packed, offset }: Packed,
  file: string,
): Uint8Array {
  const refuse = (words: string, cause?: unknown): UserError => new UserError(`${file} ${words}`, { cause });
  if (encrypted) throw refuse("is encrypted, which is not read here");
  if (size > MOST_BYTES || packed > MOST_BYTES) throw refuse("is larger than 512 MiB");
  const unpack = unpackers(size)[method];
  if (unpack === undefined) {
    const way = method === 93 ? `zstd, which ${runtime()} cannot unpack; use Deno, or Node 22.15` : `method ${method}`;
    throw refuse(`is packed by ${way}, or write the log as JSON: inspect log convert --to json`);
  }
  let bytes: Uint8Array | undefined;
  try {
    const view = new DataView(zip.buffer, zip.byteOffset + offset, 30);
    const start = offset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
    bytes = unpack(zip.subarray(start, start + packed));
  } catch (cause) {
    throw refuse("is damaged; copy the log again", cause);
  }
  if (bytes.length !== size || zlib.crc32(bytes) !== checksum) {
    throw refuse("does not have the size or checksum that the zip says");
  }
  return bytes;
}

/** Taken when they are called: Node 20 has no zstd, and reads all else. */
const unpackers = (size: number): Readonly<Record<number, ((bytes: Uint8Array) => Uint8Array) | undefined>> => ({
  0: (bytes) => bytes,
  8: (bytes) => inflateSync(bytes, { out: new Uint8Array(size) }),
  93: zlib.zstdDecompressSync && ((bytes) => zlib.zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES })),
});

const runtime = (): string => `${"Deno" in globalThis ? "this Deno" : "Node"}`;
