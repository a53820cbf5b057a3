import { signTest } from "../../../stats/sign_test.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../../evaluate_claims.ts";
import { rowOf } from "../../published_cells.ts";
import { change, of, pOf } from "../words.ts";
import { pairOf } from "./pairs.ts";

/** Roles steepen IM-01's slope in every model at both temperatures. */
export function rolesInEveryModel({ models }: Pick<DeliberationTables, "models">): Finding {
  const names = [...new Set(models.map(({ model }) => model))];
  const slope = (model: string, temperature: number, roles: boolean) =>
    rowOf(models, { model, temperature, roles }).lambda;
  const pairsAt = (temperature: number) =>
    names.map((model) => pairOf(model, slope(model, temperature, true), slope(model, temperature, false)));
  const [cold, warm] = [pairsAt(0), pairsAt(0.1)];
  const raised = [...cold, ...warm].filter(({ effect }) => effect > 0);
  const always = names.filter((_, i) => cold[i]!.effect > 0 && warm[i]!.effect > 0);
  const [most, ...others] = cold.toSorted((a, b) => b.effect - a.effect);
  return {
    holds: always.length === names.length,
    evidence: `Roles raise the slope in ${raised.length} of ${2 * names.length} cells, at both temperatures in ${
      of(always, names)
    } models (sign test p = ${
      pOf(signTest({ above: always.length, below: names.length - always.length }))
    }). At T = 0 most in ${most!.name} (${change(most!.effect)}), by ${change(others.at(-1)!.effect)} to ${
      change(others[0]!.effect)
    } in the others.`,
  };
}
