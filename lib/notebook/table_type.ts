/** A value as a table's row may hold it; `undefined` and `null` are unknown. */
export type Cell = string | number | boolean | null | undefined;

/** A column by its key, or with the heading and the format it is shown with. */
export interface Column {
  readonly key: string;
  /** Default: the key. */
  readonly heading?: string;
  /** Decimals of a number, or a text made from the value. Default: whole numbers whole, others in four digits. */
  readonly format?: number | ((value: string | number | boolean) => string);
}

export interface TableOptions {
  /** What the table shows; read out before it. */
  readonly caption: string;
  /** Which columns, in which order. Default: every key, in order of appearance. */
  readonly columns?: readonly (string | Column)[] | undefined;
  /** Formats by key, for columns given by key alone. */
  readonly format?: Readonly<Record<string, NonNullable<Column["format"]>>> | undefined;
  /** What stands for an unknown value, such as "not published". Default: a dash. */
  readonly missing?: string | undefined;
}

/** A table ready to be shown: every cell is text, or undefined where the value is unknown. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly { readonly heading: string; readonly numeric: boolean }[];
  readonly cells: readonly (readonly (string | undefined)[])[];
  readonly missing: string;
}

/** What a danfojs data frame has that a table needs. */
export interface Frame {
  readonly columns: readonly string[];
  readonly values: unknown;
}
