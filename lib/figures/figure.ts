/** A picture that can be shown, saved and checked: what every function in `lib/figures/` returns. */
export interface Figure {
  /** A file-safe id, such as `divergence-hl01`: names the downloads and the saved files. */
  readonly name: string;
  /** One complete SVG document, `xmlns` included. */
  readonly svg: string;
  /** What someone who cannot see the picture needs to know. Required. */
  readonly alt: string;
  /** The sentence below the picture; says so when the data are synthetic. */
  readonly caption: string;
  /** The data behind the picture, one record a row, for CSV. `undefined` is unknown, never zero. */
  readonly rows: readonly Readonly<Record<string, string | number | boolean | undefined>>[];
}
