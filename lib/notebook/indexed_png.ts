import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

/** An image as RGBA bytes, row by row from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Channels are rounded to multiples of these in turn, until 256 colours are enough. */
const STEPS = [1, 4, 8, 16];

/**
 * An opaque image as a PNG with a palette: less than half the size of the same picture in true colour, and notebooks
 * carry every figure twice. Pixel for pixel where 256 colours are enough; otherwise colours are rounded, which shows at
 * most in the shades along edges.
 *
 * @returns undefined for an image that is not opaque, or too colourful even then.
 * @throws {RangeError} when there are not four bytes a pixel.
 */
export function indexedPng({ width, height, rgba }: Pixels): Uint8Array<ArrayBuffer> | undefined {
  if (rgba.length !== width * height * 4) {
    throw new RangeError(`${rgba.length} bytes are no ${width} × ${height} pixels`);
  }
  const indexed = STEPS.values().map((step) => indices({ width, height, rgba }, step)).find((found) =>
    found !== undefined
  );
  if (indexed === undefined) return undefined;
  const { colours, rows } = indexed;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // eight bits an index, palette
  const palette = Buffer.from(
    colours.flatMap((colour) => [colour >>> 24, colour >>> 16 & 255, colour >>> 8 & 255]),
  );
  const parts = [
    chunk("IHDR", header),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND"),
  ];
  return new Uint8Array(Buffer.concat([SIGNATURE, ...parts]));
}

/** The palette at a step of rounding, and each row as a filter byte (0, none) with its places in the palette. */
function indices({ width, height, rgba }: Pixels, step: number): { colours: number[]; rows: Uint8Array } | undefined {
  const view = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  const [known, palette] = [new Map<number, number>(), new Map<number, number>()];
  const rows = new Uint8Array(height * (width + 1));
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = view.getUint32(pixel * 4);
    let place = known.get(colour);
    if (place === undefined) {
      const shade = rounded(colour, step);
      place = palette.get(shade) ?? palette.size;
      if (place === 256 || (colour & 0xff) !== 0xff) return undefined;
      known.set(colour, place);
      palette.set(shade, place);
    }
    rows[pixel + Math.floor(pixel / width) + 1] = place;
  }
  return { colours: [...palette.keys()], rows };
}

/** A colour with its channels at the nearest multiple of the step; white stays white. */
function rounded(colour: number, step: number): number {
  const channel = (shift: number) => Math.min(255, Math.round((colour >>> shift & 255) / step) * step);
  return (channel(24) << 24 | channel(16) << 16 | channel(8) << 8 | 0xff) >>> 0;
}

/** Length, name, content, checksum (PNG specification, section 5.3). */
function chunk(name: string, content: Uint8Array = new Uint8Array()): Uint8Array {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
