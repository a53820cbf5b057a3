import type { Condition } from "../schema/condition.ts";

/**
 * A condition in words, as short as it can be told apart: `SP-03, roles on, k = 3`. What is the paper's default is left
 * out: uniform line-up, T = 0, k = 15, nobody ablated.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadCondition } from "./load_condition.ts";
 * const condition = await loadCondition({ scenario: "HL-01", roles: false, lineup: "mixed", temperature: 0.1 });
 * assert.equal(conditionWords(condition), "HL-01, roles off, mixed, T = 0.1");
 * ```
 */
export function conditionWords({ packet, roles, ablate, lineup, temperature, window }: Condition): string {
  return [
    packet.id,
    packet.variant,
    ablate ? `without ${ablate}` : `roles ${roles ? "on" : "off"}`,
    lineup !== "uniform" && lineup,
    temperature !== 0 && `T = ${temperature}`,
    window !== 15 && `k = ${window}`,
  ].filter(Boolean).join(", ");
}
