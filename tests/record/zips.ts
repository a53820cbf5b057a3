import { Buffer } from "node:buffer";
import { crc32, deflateRawSync, zstdCompressSync } from "node:zlib";

/** A file of a zip: its text, and how it is packed (8, deflate, by default); `damage` changes its entry in the directory. */
export interface Packed {
  readonly text: string;
  readonly method?: number;
  readonly damage?: { readonly size?: number; readonly checksum?: number; readonly flags?: number };
}

/** A zip of these files, by their names. */
export function zipOf(files: Readonly<Record<string, string | Packed>>): Uint8Array {
  const parts: Buffer[] = [], directory: Buffer[] = [];
  let offset = 0;
  for (const [name, file] of Object.entries(files)) {
    const { text, method = 8, damage = {} } = typeof file === "string" ? { text: file } : file;
    const bytes = Buffer.from(text),
      packed = method === 8 ? deflateRawSync(bytes) : method === 93 ? zstdCompressSync(bytes) : bytes;
    const { size = bytes.length, checksum = crc32(bytes), flags = 0 } = damage, path = Buffer.from(name);
    const shared = (head: readonly number[]) => {
      const fields = Buffer.alloc(28);
      [...head, flags, method].forEach((value, i) => fields.writeUInt16LE(value, 2 * i));
      [checksum, packed.length, size].forEach((value, i) => fields.writeUInt32LE(value, 2 * head.length + 8 + 4 * i));
      fields.writeUInt16LE(path.length, 2 * head.length + 20);
      return fields.subarray(0, 2 * head.length + 24);
    };
    parts.push(Buffer.from("PK\x03\x04"), shared([20]), path, packed);
    directory.push(Buffer.from("PK\x01\x02"), shared([20, 20]), Buffer.alloc(10), place(offset), path);
    offset += 30 + path.length + packed.length;
  }
  const listed = Buffer.concat(directory), end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length / 5, 4);
  end.writeUInt16LE(directory.length / 5, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]));
}

function place(offset: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(offset);
  return bytes;
}
