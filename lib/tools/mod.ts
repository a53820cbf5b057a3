/**
 * What runs, checks and publishes notebooks. The commands of `deno.json` stand beside it.
 *
 * @module
 */
export { checkNotebooks } from "./check_notebooks.ts";
export { reproduceNotebook } from "./notebooks/reproduce_notebook.ts";
export { runNotebook } from "./notebooks/run_notebook.ts";
export { serve } from "./serve/endpoint.ts";
