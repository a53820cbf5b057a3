import { type ComponentName, COMPONENTS } from "@/schema/quality_names.ts";

/** The weights of Appendix A, written down once more. */
const WEIGHTS = [0.22, 0.16, 0.12, 0.10, 0.12, 0.10, 0.08, 0.06, 0.04];

/**
 * A summary that another harness could have written: components of 0.5 but for those given, and the q that they make.
 * Where all are alike, q is that value under any weights that sum to 1.
 */
export function preserved(
  run_id: string,
  given: Partial<Record<ComponentName, number>> = {},
  others = 0.5,
): Record<string, unknown> {
  const components = Object.fromEntries(COMPONENTS.map((name) => [name, given[name] ?? others]));
  const q = COMPONENTS.reduce((sum, name, i) => sum + WEIGHTS[i]! * components[name]!, 0);
  return { harness: "other", run_id, seed: 7, stabilized: true, passed_count: 1, q, components };
}

/** One line each. */
export const lines = (...values: readonly unknown[]): string => values.map((v) => `${JSON.stringify(v)}\n`).join("");
