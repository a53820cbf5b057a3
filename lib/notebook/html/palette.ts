/** The colours of a page under one theme. Every text colour has a contrast of 4.5 or more on its ground (WCAG AA). */
export interface Palette {
  readonly page: string;
  readonly code: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly link: string;
  readonly keyword: string;
  readonly string: string;
  readonly number: string;
  readonly name: string;
}

export const LIGHT: Palette = {
  page: "#ffffff",
  code: "#f5f6f8",
  line: "#d0d4da",
  text: "#1b1b1b",
  muted: "#555c66",
  link: "#0b57a4",
  keyword: "#b3202b",
  string: "#0a3f7a",
  number: "#0550ae",
  name: "#6639ba",
};

export const DARK: Palette = {
  page: "#15181d",
  code: "#20242b",
  line: "#3f4650",
  text: "#e8eaed",
  muted: "#a9b1bc",
  link: "#8ab4f8",
  keyword: "#ff8a80",
  string: "#a5d6ff",
  number: "#79c0ff",
  name: "#d2a8ff",
};
