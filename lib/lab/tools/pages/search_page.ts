import { createSearch } from "./search.ts";
import type { Section } from "./search_index.ts";

/** The script that searches: the index stands before it in the same file. */
const page = globalThis as unknown as {
  chaosSections: readonly Section[];
  chaosSearch: ReturnType<typeof createSearch>;
};
page.chaosSearch = createSearch(page.chaosSections);
