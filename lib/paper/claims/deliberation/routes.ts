import { sampleStandardDeviation } from "simple-statistics";
import { fixedText } from "../../../core/numbers.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../evaluate_claims.ts";
import { HALF_DIGIT, signedText } from "../words.ts";
import { contrast, type Square, squareOf, sweep } from "./pairs.ts";

type Routes = Pick<DeliberationTables, "routes">;

/** Roles alone and a mixed line-up alone each give a steeper slope than neither. */
export function routesAmplify({ routes }: Routes): Finding {
  const { neither, roles, mixed } = squareOf(routes);
  return {
    holds: roles > neither && mixed > neither,
    evidence: `${fixedText(neither)} with neither, ${fixedText(roles)} with roles (${signedText(roles - neither)}), ${
      fixedText(mixed)
    } with mixed models (${signedText(mixed - neither)}); no interval is printed for any of them.`,
  };
}

/** Four slopes, each off by up to half a digit. */
const ROUNDED = 4 * HALF_DIGIT;

/** The four printed slopes neither add up nor multiply, and depart from both in one direction. */
export function interactionPresent({ routes }: Routes): Finding {
  const square = squareOf(routes);
  const { neither, roles, mixed, both } = square;
  const [linear, ratio] = [contrast(square), Math.log(both * neither / (roles * mixed))];
  return {
    holds: Math.abs(linear) > ROUNDED && Math.sign(linear) === Math.sign(ratio),
    evidence: `Both together give ${fixedText(both)}; adding the two effects would give ${
      fixedText(both - linear)
    }, multiplying them ${fixedText(roles * mixed / neither)}. Interaction contrast ${
      signedText(linear)
    }, of the logarithms ${signedText(ratio)}; mixed with roles is ${
      both < Math.min(roles, mixed) ? "below" : "not below"
    } either alone.`,
  };
}

/** Two-sided, 95 %. */
const STANDARD_ERRORS = 1.96;

/** How small the cells' standard errors would have to be; none is printed, so the contrast's cannot be known. */
export function interactionBeyondChance(
  { routes, conditions }: Pick<DeliberationTables, "routes" | "conditions">,
): Finding {
  const own = contrast(squareOf(routes));
  const deviation = (roles: boolean) => sampleStandardDeviation(sweep(conditions, roles).map(({ lambda }) => lambda));
  const [withRoles, without] = [deviation(true), deviation(false)];
  const error = Math.hypot(withRoles, withRoles, without, without);
  return {
    holds: Math.abs(own) > ROUNDED ? undefined : false,
    evidence:
      `The contrast ${signedText(own)} is beyond ${STANDARD_ERRORS} standard errors if a cell's is below ${
        fixedText(Math.abs(own) / 2 / STANDARD_ERRORS)
      }. None is printed. If temperature changes nothing in IM-01, the SD of its slopes over eight temperatures stands ` +
      `for one: ${fixedText(withRoles)} with roles, ${fixedText(without)} without, and the contrast is ${
        Math.abs(own / error).toFixed(1)
      } standard errors from zero.`,
  };
}

/** Each route steepens the slope whether or not the other is taken. */
export function routesIndependent({ routes }: Routes): Finding {
  const square = squareOf(routes);
  const alone = { roles: square.roles - square.neither, mixed: square.mixed - square.neither };
  const beside = { roles: square.both - square.mixed, mixed: square.both - square.roles };
  return {
    holds: rises(square),
    evidence: `Roles change the slope by ${signedText(alone.roles)} in a uniform and by ${
      signedText(beside.roles)
    } in a mixed committee; mixing models changes it by ${signedText(alone.mixed)} without roles and by ${
      signedText(beside.mixed)
    } with them.`,
  };
}

const rises = ({ neither, roles, mixed, both }: Square): boolean =>
  roles > neither && mixed > neither && both > mixed && both > roles;
