import type { Figure } from "../figures/figure.ts";
import { controlsBundle } from "./controls_bundle.ts";
import { emit } from "./emit.ts";

/** An output that the reader can move: a browser module of ours, its data, and a picture for where no script runs. */
export interface Controls {
  /** A file-safe id in lower case, such as `rescore-explorer`. */
  readonly name: string;
  /** File URL of a module that calls `mount` of `browser/mount.ts`. */
  readonly entry: URL;
  /** What the module is given; goes through JSON, so that `undefined` is left out. */
  readonly data: unknown;
  /** Stands in the output where scripts do not run, and until they do. */
  readonly still: Figure;
}

/**
 * Shows an output with controls: one self-contained piece of HTML that fetches nothing and asks nothing of the kernel
 * once it is made. It works in saved notebooks and on the pages that `reproduce` writes.
 *
 * @throws {RangeError} when the name is not file-safe or the still picture is not complete.
 * @throws {UserError} when the module cannot be bundled.
 */
export async function controls(made: Controls): Promise<void> {
  await emit(await controlsBundle(made));
}
