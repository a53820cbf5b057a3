import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { type UnzipFileInfo, unzipSync } from "fflate";
// @ts-types="@types/picomatch"
import picomatch from "picomatch";
import { UserError } from "../core/user_error.ts";
import { reading, refusePipe } from "./files.ts";
import type { RunSource } from "./run_source.ts";

/** One file of records, from a folder or from inside a zip. */
export interface SourceFile {
  /** The path; for a file in a zip, the zip's path, a colon, and the path inside. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** A file with the bytes of one before it. */
export interface FileCopy {
  readonly file: string;
  readonly of: string;
}

/** Which files are read, and what is done with copies. */
export type FileChoices = Pick<RunSource, "files" | "inside" | "copies">;

/** More than any set of records comes to; the files of one zip are in memory together. */
const MOST_BYTES = 512 * 2 ** 20;
/** Transcripts shrink to a tenth; what shrinks more than this, and is large, was made to fill a memory. */
const MOST_SHRUNK = 200, LARGE_BYTES = 2 ** 20;

/**
 * The files of records at some paths: a file as it is, the files of a folder that match `files`, the files in a zip that match
 * `inside`; each folder and zip in the order of names.
 *
 * @param copies is given the copied files, which the mapping refuses, leaves out or keeps.
 * @throws {UserError} naming the file: missing, unreadable, over 512 MiB, in a zip that holds more than that or shrinks it more
 * than 200 times, or packed by a method other than deflate; and the folder or zip in which no file matches.
 */
export async function* sourceFiles(
  paths: readonly string[],
  source: FileChoices,
  copies: FileCopy[],
): AsyncGenerator<SourceFile> {
  const fileOfHash = new Map<string, string>();
  for (const path of (await Promise.all(paths.map((path) => filesAt(path, source)))).flat()) {
    const bytes = await reading(path, () => Deno.readFile(path));
    for (const one of isZip(bytes) ? filesInZip(path, bytes, source) : [{ file: path, bytes }]) {
      const hash = createHash("sha256").update(one.bytes).digest("hex"), of = fileOfHash.get(hash), { file } = one;
      if (of !== undefined && source.copies === "refuse") {
        throw new UserError(`${file}: has the same bytes as ${of}; choice: copies`);
      }
      if (of === undefined) fileOfHash.set(hash, file);
      else copies.push({ file, of });
      if (of === undefined || source.copies === "keep") yield one;
    }
  }
}

async function filesAt(path: string, { files }: FileChoices): Promise<string[]> {
  refusePipe(path);
  const { isDirectory, size } = await reading(path, () => Deno.stat(path));
  if (!isDirectory) {
    if (size > MOST_BYTES) throw new UserError(`${path}: is larger than 512 MiB; split it, and name the parts`);
    return [path];
  }
  const matches = globMatcher(files);
  const found = (await filesUnder(path)).filter((file) => matches(relative(path, file).replaceAll("\\", "/")));
  if (found.length > 0) return found.sort(naturally);
  throw new UserError(`${path}: no file in this folder matches ${JSON.stringify(files)}; choice: files`);
}

/** All files under a folder. Links are not followed: one may lead out of the folder, or round in a circle. */
async function filesUnder(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, isDirectory, isFile } of await reading(folder, () => Array.fromAsync(Deno.readDir(folder)))) {
    if (isDirectory) found.push(...await filesUnder(join(folder, name)));
    if (isFile) found.push(join(folder, name));
  }
  return found;
}

/** Compares names as people sort them: 2 before 10. */
export const { compare: naturally } = new Intl.Collator("en", { numeric: true });

/** A pattern without `/` is one of names, in whatever folder. */
const globMatcher = (globs: string | readonly string[]) =>
  picomatch([globs].flat().map((glob) => (glob.includes("/") ? glob : `**/${glob}`)));

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2]! < 8;

function filesInZip(zip: string, bytes: Uint8Array, { inside }: FileChoices): SourceFile[] {
  const matches = globMatcher(inside);
  let total = 0;
  const filter = (file: UnzipFileInfo): boolean => {
    if (file.name.endsWith("/") || !(matches(file.name) || OUTSIDE.test(file.name))) return false;
    total += file.originalSize;
    const flaw = zipFlaw(file) ??
      (total > MOST_BYTES ? "would unpack to more than 512 MiB with those before it" : undefined);
    if (flaw !== undefined) {
      throw new UserError(`${zip}: the file ${file.name} in it ${flaw}; unpack it, and name the folder`);
    }
    return true;
  };
  try {
    const found = Object.entries(unzipSync(bytes, { filter })).map(([name, bytes]) => ({
      file: `${zip}:${name}`,
      bytes,
    }));
    if (found.length > 0) return found.sort((a, b) => naturally(a.file, b.file));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${zip}: is a damaged zip (${(cause as Error).message}); copy it again`, { cause });
  }
  throw new UserError(`${zip}: no file in this zip matches ${JSON.stringify(inside)}; choice: inside`);
}

/** A path that leads out of the folder in which it is unpacked. */
const OUTSIDE = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/;

/** The methods by which a file may be packed; only the first two are read here. */
const METHODS: Readonly<Record<number, string>> = {
  0: "none",
  8: "deflate",
  9: "deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "zstd",
};

function zipFlaw({ name, size, originalSize, compression }: UnzipFileInfo): string | undefined {
  if (OUTSIDE.test(name)) return "would lie outside its folder";
  if (compression !== 0 && compression !== 8) {
    return `is packed by ${METHODS[compression] ?? `method ${compression}`}, which is not read here`;
  }
  if (originalSize > LARGE_BYTES && originalSize > MOST_SHRUNK * size) {
    return `would unpack to ${MOST_SHRUNK} times its size`;
  }
  return undefined;
}
