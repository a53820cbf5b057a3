import MiniSearch from "minisearch";
import type { Section } from "./search_index.ts";

/** Hits that are listed; the number of pages counts all. */
const MOST = 40;
const AROUND = 70;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Letters without marks and case: λ̂ is found as λ too. */
const plain = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** A search over sections: all words, each from its beginning; if no section has them, words of similar spelling. */
export function createSearch(sections: readonly Section[]) {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ["title", "section", "text"],
    tokenize: (text) => text.match(WORD) ?? [],
    processTerm: plain,
    searchOptions: { boost: { title: 4, section: 2 }, prefix: true, combineWith: "AND" },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query: string) => {
    const exact = index.search(query);
    const found = exact.length > 0 ? exact : index.search(query, { fuzzy: 0.2 });
    const pages = new Set(found.map(({ id }) => pageOf(sections[id]!)));
    return { pages: pages.size, hits: found.slice(0, MOST).map(({ id, terms }) => hitOf(sections[id]!, terms)) };
  };
}

const pageOf = ({ href }: Section): string => href.replace(/#.*$/, "");

/** A section that has the words, and where. */
function hitOf({ text, ...section }: Section, terms: readonly string[]) {
  const words = [...text.matchAll(WORD)];
  const match = words.find(([word]) => terms.includes(plain(word)));
  const at = match?.index ?? 0, word = match?.[0] ?? "";
  const from = Math.max(0, at - AROUND), to = at + word.length + AROUND;
  return {
    ...section,
    before: (from > 0 ? "…" : "") + text.slice(from, at).replace(from > 0 ? /^\S*\s/ : /^/, ""),
    word,
    after: text.slice(at + word.length, to).replace(to < text.length ? /\s\S*$/ : /$/, "") +
      (to < text.length ? "…" : ""),
  };
}
