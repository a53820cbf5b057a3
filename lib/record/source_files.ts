import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type UnzipFileInfo, unzipSync } from "fflate";
// @ts-types="@types/picomatch"
import picomatch from "picomatch";
import { UserError } from "../core/user_error.ts";
import { reading, refusePipe, statOf } from "./files.ts";
import type { RunSource } from "./run_source.ts";
import { unpackedFlaw, type ZipCheck, zipChecks } from "./zip_checks.ts";

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
 * @throws {UserError} naming the file: missing, unreadable, empty, a link in a folder, over 512 MiB, in a zip that holds more than
 * that or shrinks it more than 200 times, twice in a zip, other than it was when packed, encrypted or packed by a method other
 * than deflate; and the folder or zip in which no file matches.
 */
export async function* sourceFiles(
  paths: readonly string[],
  source: FileChoices,
  copies: FileCopy[],
): AsyncGenerator<SourceFile> {
  const fileOfHash = new Map<string, string>();
  for (const path of (await Promise.all(paths.map((path) => filesAt(path, source)))).flat()) {
    const bytes = await reading(path, () => readFile(path));
    for (const one of isZip(bytes) ? filesInZip(path, bytes, source) : [{ file: path, bytes }]) {
      if (one.bytes.length === 0) {
        throw new UserError(`${one.file}: is empty; remove it, or name other files; choice: files`);
      }
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
  const status = await reading(path, () => stat(path)), { size } = status;
  if (!status.isDirectory()) {
    if (!status.isFile()) throw new UserError(`${path}: is a device, not a file; name a file`);
    if (size > MOST_BYTES) throw new UserError(`${path}: is larger than 512 MiB; split it, and name the parts`);
    return [path];
  }
  // A link is not followed: it may lead out of the folder, or in a circle.
  const entries = await reading(path, () => readdir(path, { recursive: true, withFileTypes: true }));
  const matches = globMatcher(files),
    asked = entries.map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
      .filter(({ file }) => matches(relative(path, file).replaceAll("\\", "/")));
  const link = asked.find(({ entry, file }) => entry.isSymbolicLink() && !statOf(file)?.isDirectory());
  if (link !== undefined) {
    throw new UserError(
      `${link.file}: is a link, and links in a folder are not followed; name its file; choice: files`,
    );
  }
  const found = asked.filter(({ entry }) => entry.isFile()).map(({ file }) => file);
  if (found.length > 0) return found.sort(naturally);
  throw new UserError(`${path}: no file in this folder matches ${JSON.stringify(files)}; choice: files`);
}

/** Compares names as people sort them: 2 before 10. */
export const { compare: naturally } = new Intl.Collator("en", { numeric: true });

/** A pattern without `/` is one of names, in whatever folder. */
const globMatcher = (globs: string | readonly string[]) =>
  picomatch([globs].flat().map((glob) => (glob.includes("/") ? glob : `**/${glob}`)), { noextglob: true });

/** Whether a file's first bytes are those of a zip, as in a spreadsheet's file. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2]! < 8;

function filesInZip(zip: string, bytes: Uint8Array, { inside }: FileChoices): SourceFile[] {
  const matches = globMatcher(inside), wanted = new Map<string, ZipCheck & { readonly size: number }>();
  let total = 0, place = 0, checks: readonly ZipCheck[] = [];
  const filter = (file: UnzipFileInfo): boolean => {
    const check = checks[place++]!;
    if (
      file.name.endsWith("/") || !(file.name.length > LONGEST_NAME || matches(file.name) || OUTSIDE.test(file.name))
    ) return false;
    total += file.originalSize;
    const flaw = zipFlaw(file, { ...check, total, isTwice: wanted.has(file.name) });
    if (flaw !== undefined) {
      throw new UserError(`${zip}: the file ${file.name} in it ${flaw}; unpack it, and name the folder`);
    }
    wanted.set(file.name, { ...check, size: file.originalSize });
    return true;
  };
  try {
    checks = zipChecks(bytes);
    const unpacked = new Map(Object.entries(unzipSync(bytes, { filter })));
    const found = [...wanted].map(([name, check]) => {
      const bytes = unpacked.get(name) ?? new Uint8Array(), flaw = unpackedFlaw(bytes, check.size, check);
      if (flaw === undefined) return { file: `${zip}:${name}`, bytes };
      throw new UserError(`${zip}: the file ${name} in it ${flaw}; copy the zip again`);
    });
    if (found.length > 0) return found.sort((a, b) => naturally(a.file, b.file));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${zip}: is a damaged zip (${(cause as Error).message}); copy it again`, { cause });
  }
  throw new UserError(`${zip}: no file in this zip matches ${JSON.stringify(inside)}; choice: inside`);
}

/** A path that leads out of the folder in which it is unpacked. */
const OUTSIDE = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/;

/** More than any path comes to; the time of a pattern grows faster than the name. */
const LONGEST_NAME = 1000;

/** The method by which a file is packed. */
const methodOf = (compression: number): string =>
  ({ 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd" })[compression] ?? `method ${compression}`;

/** Why a file of a zip is not read, to follow its name. `total`: the bytes of it and those before it. */
function zipFlaw(
  { name, size, originalSize, compression }: UnzipFileInfo,
  { encrypted, total, isTwice }: { encrypted: boolean; total: number; isTwice: boolean },
): string | undefined {
  const flaws: readonly [boolean, string][] = [
    [name.length > LONGEST_NAME, `has a name of over ${LONGEST_NAME} characters`],
    [encrypted, "is encrypted, which is not read here"],
    [OUTSIDE.test(name), "would lie outside its folder"],
    [compression !== 0 && compression !== 8, `is packed by ${methodOf(compression)}, which is not read here`],
    [originalSize > LARGE_BYTES && originalSize > MOST_SHRUNK * size, `would unpack to ${MOST_SHRUNK} times its size`],
    [isTwice, "is there twice"],
    [total > MOST_BYTES, "would unpack to more than 512 MiB with those before it"],
  ];
  return flaws.find(([isFlawed]) => isFlawed)?.[1];
}
