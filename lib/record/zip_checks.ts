import { crc32 } from "node:zlib";

/** A zip's entry for one of its files, beside what fflate reads. */
export interface ZipCheck {
  readonly encrypted: boolean;
  /** CRC-32 of the bytes before they were packed. */
  readonly checksum: number;
}

const END = 0x06054b50, END_64_PLACE = 0x07064b50, ENTRY = 0x02014b50;

/**
 * The checksums in a zip's directory, in its order: fflate reads none, and cuts a file whose size is understated.
 *
 * @throws {RangeError} where the directory is damaged.
 */
export function zipChecks(zip: Uint8Array): ZipCheck[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  let end = zip.length - 22;
  while (view.getUint32(end, true) !== END) end -= 1;
  let count = view.getUint16(end + 10, true), at = view.getUint32(end + 16, true);
  if (end >= 20 && view.getUint32(end - 20, true) === END_64_PLACE) {
    const large = Number(view.getBigUint64(end - 12, true));
    [count, at] = [large + 32, large + 48].map((place) => Number(view.getBigUint64(place, true))) as [number, number];
  }
  const checks: ZipCheck[] = [];
  for (; checks.length < count; at += 46 + [28, 30, 32].reduce((sum, i) => sum + view.getUint16(at + i, true), 0)) {
    if (view.getUint32(at, true) !== ENTRY) throw new RangeError("its directory is not where it should be");
    checks.push({ encrypted: (view.getUint16(at + 8, true) & 1) === 1, checksum: view.getUint32(at + 16, true) });
  }
  return checks;
}

/** Why some bytes are not what was packed, to follow "the file"; undefined where they are. */
export function unpackedFlaw(bytes: Uint8Array, size: number, { checksum }: ZipCheck): string | undefined {
  if (bytes.length !== size) return `unpacks to ${bytes.length} bytes, not to the ${size} that the zip says`;
  return crc32(bytes) === checksum ? undefined : "does not have the checksum or the size that the zip says";
}
