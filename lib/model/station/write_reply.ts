import type { Deed } from "./sight.ts";
import type { WritePlan } from "./write_plan.ts";

/** A deed as the one JSON object that the prompt asks for. */
export const writeReply = ({ action, target, support, plan }: Deed, statement: string | undefined, write: WritePlan) =>
  JSON.stringify({ action, target, support, proposal: plan && write(plan), statement });
