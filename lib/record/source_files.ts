import { createHash } from "node:crypto";
import { basename, join, relative } from "node:path";
import { unzipSync } from "fflate";
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
  source: RunSource,
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

async function filesAt(path: string, { files }: RunSource): Promise<string[]> {
  refusePipe(path);
  const { isDirectory, size } = await reading(path, () => Deno.stat(path));
  if (!isDirectory) {
    if (size > MOST_BYTES) throw new UserError(`${path}: is larger than 512 MiB; split it, and name the parts`);
    return [path];
  }
  const matches = globMatcher(files);
  const found = (await filesUnder(path)).filter((file) => matches(relative(path, file).replaceAll("\\", "/")));
  if (found.length > 0) return found.sort(byName);
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

const { compare: byName } = new Intl.Collator("en", { numeric: true });

/**
 * A test of paths: `*` is any part of a name, `**` any folders, `?` one letter, `{a,b}` either. A pattern without `/` is one of
 * names, in whatever folder.
 */
export function globMatcher(globs: string | readonly string[]): (path: string) => boolean {
  const tests = [globs].flat().map((glob) => ({ named: !glob.includes("/"), test: new RegExp(`^${regexOf(glob)}$`) }));
  return (path) => tests.some(({ named, test }) => test.test(named ? basename(path) : path));
}

const GLOB_PARTS = /\*\*\/|\*+|\?|\{[^{}]*\}|[^*?{}]+|[{}]/g;

function regexOf(glob: string): string {
  return glob.replace(GLOB_PARTS, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part.startsWith("*")) return part === "*" || !glob.includes("/") ? "[^/]*" : ".*";
    if (part === "?") return "[^/]";
    if (part.startsWith("{") && part.length > 1) {
      return `(?:${part.slice(1, -1).split(",").map(RegExp.escape).join("|")})`;
    }
    return RegExp.escape(part);
  });
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2]! < 8;

/** The methods of packing that are neither none (0) nor deflate (8), by the names that people know. */
const METHODS: Readonly<Record<number, string>> = { 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "xz" };

function filesInZip(zip: string, bytes: Uint8Array, { inside }: RunSource): SourceFile[] {
  const matches = globMatcher(inside);
  const refuse = (words: string): never => {
    throw new UserError(`${zip}: ${words}`);
  };
  let total = 0;
  const wanted = ({ name, size, originalSize, compression }: {
    readonly name: string;
    readonly size: number;
    readonly originalSize: number;
    readonly compression: number;
  }): boolean => {
    if (name.endsWith("/") || !matches(name)) return false;
    if (/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name)) {
      refuse(`the file ${name} would be out of its folder`);
    }
    if (compression !== 0 && compression !== 8) {
      refuse(
        `the file ${name} is packed by ${
          METHODS[compression] ?? `method ${compression}`
        }, which is not read here; pack it again with deflate`,
      );
    }
    if (originalSize > LARGE_BYTES && originalSize > MOST_SHRUNK * size) {
      refuse(
        `the file ${name} unpacks to more than ${MOST_SHRUNK} times its size, which no records do; unpack it yourself`,
      );
    }
    total += originalSize;
    if (total > MOST_BYTES) refuse("unpacks to more than 512 MiB; unpack it into a folder, and name the folder");
    return true;
  };
  const found = unzipped(zip, bytes, wanted);
  if (found.length === 0) refuse(`no file in this zip matches ${JSON.stringify(inside)}; choice: inside`);
  return found.sort((a, b) => byName(a.file, b.file));
}

function unzipped(
  zip: string,
  bytes: Uint8Array,
  filter: NonNullable<Parameters<typeof unzipSync>[1]>["filter"] & object,
) {
  try {
    return Object.entries(unzipSync(bytes, { filter })).map(([name, bytes]) => ({ file: `${zip}:${name}`, bytes }));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${zip}: is a damaged zip (${(cause as Error).message}); copy it again`, { cause });
  }
}
