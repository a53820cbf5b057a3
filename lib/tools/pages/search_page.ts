import { createSearch } from "./search.ts";
import type { Section } from "./search_index.ts";

/** What a page gets with the index of the search: the sections stand before it in the same script. */
const page = globalThis as unknown as {
  chaosSections: readonly Section[];
  chaosSearch: ReturnType<typeof createSearch>;
};
page.chaosSearch = createSearch(page.chaosSections);
