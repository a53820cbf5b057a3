/** How long a page or a kernel is waited for: many times what it needs, since a loaded machine only takes longer. */
export const PATIENCE_MS = 180_000;
