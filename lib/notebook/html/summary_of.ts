import { marked, type Token } from "marked";
import type { Notebook } from "../run/notebook_file.ts";

/** A notebook's title, and its first paragraph, as plain text. */
export function summaryOf({ cells }: Notebook): { title: string; description: string } {
  const tokens = cells.flatMap((cell) => cell.cell_type === "markdown" ? [...marked.lexer(cell.source)] : []);
  const heading = tokens.find(({ type }) => type === "heading");
  const paragraph = tokens.find(({ type }) => type === "paragraph");
  return { title: plainText(heading) || "Untitled notebook", description: plainText(paragraph) };
}

function plainText(token: Token | undefined): string {
  const pieces: string[] = [];
  marked.walkTokens(token === undefined ? [] : [token], (piece) => {
    const { type, tokens, text } = piece as { type: string; tokens?: unknown; text?: unknown };
    if (type !== "html" && tokens === undefined && typeof text === "string") pieces.push(text);
  });
  return pieces.join("").replace(/\s+/g, " ").trim();
}
