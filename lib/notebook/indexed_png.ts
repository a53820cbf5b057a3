import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

/** An image as RGBA bytes, row by row from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Few enough to be small, and more than a figure's marks and letters need. */
const COLOURS = 64;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * An opaque image as a PNG with a palette: less than half the size of the same picture in true colour. Pixel for pixel
 * where 64 colours are enough; otherwise the 64 most frequent stand for all, each other shade (the edges of letters and
 * lines) by the nearest of them.
 *
 * @returns undefined for an image that is not opaque.
 * @throws {RangeError} when there are not four bytes a pixel.
 */
export function indexedPng({ width, height, rgba }: Pixels): Uint8Array<ArrayBuffer> | undefined {
  if (rgba.length !== width * height * 4) {
    throw new RangeError(`${rgba.length} bytes are no ${width} × ${height} pixels`);
  }
  const indexed = indices({ width, height, rgba });
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

/** The palette, and each row as a filter byte (0, none) with its places in the palette. */
function indices({ width, height, rgba }: Pixels): { colours: number[]; rows: Uint8Array } | undefined {
  const view = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  const counts = new Map<number, number>();
  const pixels = new Uint32Array(width * height);
  for (let pixel = 0, last = -1, count = 0; pixel <= pixels.length; pixel++) {
    const colour = pixel < pixels.length ? pixels[pixel] = view.getUint32(pixel * 4) : -1;
    // Pictures are mostly runs of one colour: the map is asked once a run.
    if (colour !== last && count > 0) counts.set(last, (counts.get(last) ?? 0) + count);
    count = colour === last ? count + 1 : 1;
    last = colour;
  }
  if ([...counts.keys()].some((colour) => (colour & 0xff) !== 0xff)) return undefined;
  const colours = [...counts].sort(([a, n], [b, m]) => m - n || a - b).slice(0, COLOURS).map(([colour]) => colour);
  const places = new Map(colours.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) {
    if (!places.has(colour)) places.set(colour, nearest(colours, colour));
  }
  const rows = new Uint8Array(height * (width + 1));
  for (let row = 0, pixel = 0, last = -1, place = 0; row < height; row++) {
    for (const end = pixel + width; pixel < end; pixel++) {
      const colour = pixels[pixel]!;
      if (colour !== last) place = places.get(last = colour)!;
      rows[pixel + row + 1] = place;
    }
  }
  return { colours, rows };
}

/** The place of the colour that differs least, by the squares of the channels' differences. */
function nearest(colours: readonly number[], colour: number): number {
  let [best, least] = [0, Infinity];
  for (let place = 0; place < colours.length; place++) {
    const other = colours[place]!;
    const red = (colour >>> 24) - (other >>> 24), green = (colour >>> 16 & 255) - (other >>> 16 & 255);
    const blue = (colour >>> 8 & 255) - (other >>> 8 & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

/** Length, name, content, checksum (PNG specification, section 5.3). */
function chunk(name: string, content: Uint8Array = new Uint8Array()): Uint8Array {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
