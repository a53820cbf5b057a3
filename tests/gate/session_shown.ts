/** The session of a notebook, which can also run live models. */
export * from "./session.ts";
export { runShown } from "@/lab/notebook/mod.ts";
