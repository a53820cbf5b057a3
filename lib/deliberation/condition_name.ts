import type { Condition } from "../schema/condition.ts";

/**
 * A condition's name and the stem of its ledger, as in the paper: `HL-01__T0.0__N5__rolesFalse`, with
 * `__ablate-Chair`, `__multimodel`, `__k3`, `__variant-formal` where they differ from the default.
 */
export function conditionName(condition: Condition): string {
  const { packet, temperature, seats, roles, ablate, lineup, window, rounds } = condition;
  const parts = [
    packet.id,
    `T${formatTemperature(temperature)}`,
    `N${seats.length}`,
    `roles${roles ? "True" : "False"}`,
    ablate && `ablate-${ablate}`,
    lineup === "mixed" ? "multimodel" : lineup !== "uniform" && `lineup-${lineup}`,
    window !== 15 && `k${window}`,
    rounds !== 20 && `R${rounds}`,
    packet.variant && `variant-${packet.variant}`,
  ];
  return parts.filter(Boolean).join("__");
}

/** 0 → `0.0`, 0.7 → `0.7`, 0.00001 → `1e-5`. */
function formatTemperature(temperature: number): string {
  if (Number.isInteger(temperature)) return temperature.toFixed(1);
  return temperature < 1e-4 ? temperature.toExponential() : String(temperature);
}
