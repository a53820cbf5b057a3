import { mean, median } from "simple-statistics";
import { fixedText } from "../../../core/numbers.ts";
import { signFlipTest, signTest } from "../../../stats/sign_tests.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../evaluate_claims.ts";
import { countOf, HALF_DIGIT, LEVEL, listed, pText, signedText } from "../words.ts";
import { contrast, namesOf, type RolePair, scenarioPairs, sweepPairs } from "./pairs.ts";

type Landscape = Pick<DeliberationTables, "landscape">;
type Mixed = Pick<DeliberationTables, "landscape" | "mixed">;

/** In how many scenarios roles steepen the slope at T = 0. */
export const rolesRaiseAtZero = ({ landscape }: Landscape): Finding => rolesRaise(scenarioPairs(landscape, 0));

/** In how many scenarios roles steepen the slope at T = 0.1. */
export const rolesRaiseAtTenth = ({ landscape }: Landscape): Finding => rolesRaise(scenarioPairs(landscape, 0.1));

function rolesRaise(pairs: readonly RolePair[]): Finding {
  const raised = pairs.filter(({ effect }) => effect > 0);
  const p = signTest({ above: raised.length, below: pairs.filter(({ effect }) => effect < 0).length });
  const effects = pairs.map(({ effect }) => effect);
  const [first, ...rest] = pairs.toSorted((a, b) => b.effect - a.effect);
  return {
    holds: 2 * raised.length <= pairs.length ? false : p < LEVEL ? true : undefined,
    evidence: `Roles raise the slope in ${countOf(raised, pairs)} scenarios (${
      listed(namesOf(raised))
    }); two-sided sign test ${pText(p)}. Mean change ${signedText(mean(effects))} (sign-flip test ${
      pText(signFlipTest(effects))
    }), median ${signedText(median(effects))}; without ${first!.name}, the largest, the mean is ${
      signedText(mean(rest.map(({ effect }) => effect)))
    }.`,
  };
}

/** Uniform committees without roles mostly have a slope above zero. */
export function baselinePositive({ landscape, models }: Pick<DeliberationTables, "landscape" | "models">): Finding {
  const cells = landscape.filter((row) => !row.roles);
  const others = models.filter((row) => !row.roles && row.provider !== "Baseline");
  const [own, their] = [cells, others].map((rows) => rows.filter(({ lambda }) => lambda > HALF_DIGIT));
  const least = cells.reduce((a, b) => b.lambda < a.lambda ? b : a);
  const below = others.filter((row) => !their!.includes(row)).map((row) =>
    `${row.model} at T = ${row.temperature} with ${fixedText(row.lambda)}`
  );
  return {
    holds: 2 * own!.length > cells.length,
    evidence: `${countOf(own!, cells)} cells without roles of Table S8 are above zero, the lowest ${
      fixedText(least.lambda)
    } (${least.scenario}, T = ${least.temperature}); of the other models in Table S6 ${countOf(their!, others)}, not ${
      listed(below)
    }. No interval is printed.`,
  };
}

/** In most scenarios no other configuration can have a lower slope than the uniform committee without roles. */
export function noRolesLowest({ landscape, mixed }: Mixed): Finding {
  const pairs = scenarioPairs(landscape, 0);
  const known = mixed.filter(({ lambda }) => lambda !== undefined);
  const lowerMixed = (pair: RolePair) =>
    known.some(({ scenario, lambda }) => scenario === pair.name && lambda! < pair.without);
  const undercut = pairs.filter((pair) => pair.effect < 0 || lowerMixed(pair));
  const possible = pairs.length - undercut.length;
  const again = scenarioPairs(landscape, 0.1).filter(({ effect }) => effect < 0);
  return {
    holds: 2 * possible <= pairs.length ? false : known.length === mixed.length ? true : undefined,
    evidence: `It is undercut in ${countOf(undercut, pairs)} scenarios (${
      listed(namesOf(undercut))
    }), so it is the lowest in at most ${possible}; of the mixed slopes, which can only lower that, ${
      countOf(known, mixed)
    } are printed. At T = 0.1 the uniform committee with roles is below it in ${again.length}.`,
  };
}

/** Whether mixing models, and its interaction with roles, go the same way in most scenarios. */
export function benchmarkLevel({ landscape, mixed }: Mixed): Finding {
  const pairs = scenarioPairs(landscape, 0);
  const squares = pairs.flatMap(({ name, without, with: roles }) => {
    const slope = (roles: boolean) => mixed.find((row) => row.scenario === name && row.roles === roles)?.lambda;
    const [mixedAlone, both] = [slope(false), slope(true)];
    if (mixedAlone === undefined || both === undefined) return [];
    return [{ name, square: { neither: without, roles, mixed: mixedAlone, both } }];
  });
  const alike = squares.filter(({ square }) => square.mixed > square.neither && contrast(square) < 0);
  const against = squares.length - alike.length;
  return {
    holds: 2 * alike.length > pairs.length ? true : 2 * against >= pairs.length ? false : undefined,
    evidence: `All four slopes are printed for ${countOf(squares, pairs)} scenarios (${
      listed(namesOf(squares))
    }); of these it is so in ${alike.length}.`,
  };
}

/** IM-01's effect of roles is an ordinary one among the twelve. */
export function im01Typical({ landscape }: Landscape): Finding {
  const pairs = scenarioPairs(landscape, 0);
  const rank = (key: "effect" | "with" | "without") =>
    pairs.toSorted((a, b) => b[key] - a[key]).findIndex(({ name }) => name === "IM-01") + 1;
  const own = pairs.find(({ name }) => name === "IM-01");
  const others = pairs.filter((pair) => pair !== own).toSorted((a, b) => b.effect - a.effect);
  if (own === undefined) return { holds: undefined, evidence: "IM-01 is not among those published." };
  return {
    holds: rank("effect") > pairs.length / 4 && rank("effect") <= 3 * pairs.length / 4,
    evidence: `At T = 0 roles change IM-01's slope by ${signedText(own.effect)}, number ${
      rank("effect")
    } of ${pairs.length} from above; the largest of another is ${signedText(others[0]!.effect)} (${
      others[0]!.name
    }), the mean of all ${signedText(mean(pairs.map(({ effect }) => effect)))}. Its slope is number ${
      rank("with")
    } with roles and number ${rank("without")} without.`,
  };
}

/** Where roles steepen the slope at T = 0 they do so at other temperatures too. */
export function signaturePersists(
  { landscape, conditions }: Pick<DeliberationTables, "landscape" | "conditions">,
): Finding {
  const [cold, warm] = [scenarioPairs(landscape, 0), scenarioPairs(landscape, 0.1)];
  const effectAt = new Map(warm.map(({ name, effect }) => [name, effect]));
  const raised = cold.filter(({ effect }) => effect > 0);
  const kept = raised.filter(({ name }) => effectAt.get(name)! > 0);
  const turned = cold.filter(({ name, effect }) => effect <= 0 && effectAt.get(name)! > 0);
  const im01 = sweepPairs(conditions);
  const above = im01.filter(({ effect }) => effect > 0);
  return {
    holds: raised.length > 0 && kept.length === raised.length && above.length === im01.length,
    evidence: `Where roles raise the slope at T = 0 they do so at T = 0.1 in ${
      countOf(kept, raised)
    } scenarios; where they do not, they come to in ${turned.length} of ${cold.length - raised.length} (${
      listed(namesOf(turned))
    }). In IM-01 they raise it at ${countOf(above, im01)} temperatures.`,
  };
}

/** Every scenario has the three options that the preference state, the ballot and the distance are written for. */
export function threeOptions(
  { scenarios, landscape }: Pick<DeliberationTables, "scenarios" | "landscape">,
): Finding {
  const three = scenarios.filter(({ options }) => options.length === 3);
  const rest = scenarios.filter((row) => !three.includes(row));
  const effects = (id: string) =>
    [0, 0.1].map((temperature) => {
      const pairs = scenarioPairs(landscape, temperature).toSorted((a, b) => a.effect - b.effect);
      const place = pairs.findIndex(({ name }) => name === id);
      return `${signedText(pairs[place]!.effect)} at T = ${temperature} (number ${
        place + 1
      } of ${pairs.length} from below)`;
    });
  const told = rest.map(({ id, options }) =>
    `${id} has ${options.length}; roles change its slope by ${effects(id).join(" and ")}`
  );
  return {
    holds: rest.length === 0,
    evidence: `${countOf(three, scenarios)} scenarios have three options${
      rest.length === 0 ? "" : `. ${told.join(". ")}`
    }.`,
  };
}
