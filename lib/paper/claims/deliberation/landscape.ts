import { mean, median, sampleStandardDeviation } from "simple-statistics";
import { slope } from "../../../core/numbers.ts";
import { signFlipTest, signTest } from "../../../stats/sign_tests.ts";
import type { DeliberationTables } from "../../published_deliberation.ts";
import type { Checks, Finding } from "../evaluate_claims.ts";
import { countOf, HALF_DIGIT, listed, moreThanNot, pText, signedText, STANDARD_ERRORS, words } from "../words.ts";
import { contrast, namesOf, type RolePair, scenarioPairs, type Square, squareOf, sweep, sweepPairs } from "./pairs.ts";

/** Four slopes, each off by up to half a digit. */
const ROUNDED = 4 * HALF_DIGIT;

/** What is said of roles and mixed models, in HL-01 and over the twelve scenarios. */
export const LANDSCAPE: Checks<DeliberationTables> = {
  /** Roles alone and a mixed line-up alone each give a steeper slope than neither. */
  routesAmplify({ routes }) {
    const { neither, roles, mixed } = squareOf(routes);
    return {
      holds: roles > neither && mixed > neither,
      evidence: words`${slope(neither)} with neither, ${slope(roles)} with roles (${signedText(roles - neither)}),
        ${slope(mixed)} with mixed models (${signedText(mixed - neither)}); no interval is printed for any of them.`,
    };
  },

  /** The four printed slopes neither add up nor multiply, and depart from both in one direction. */
  interactionPresent({ routes }) {
    const square = squareOf(routes);
    const { neither, roles, mixed, both } = square;
    const [linear, ratio] = [contrast(square), Math.log(both * neither / (roles * mixed))];
    return {
      holds: Math.abs(linear) > ROUNDED && Math.sign(linear) === Math.sign(ratio),
      evidence: words`Both together give ${slope(both)}; adding the two effects would give ${slope(both - linear)},
        multiplying them ${slope(roles * mixed / neither)}. Interaction contrast ${signedText(linear)}, of the
        logarithms ${signedText(ratio)}; mixed with roles is ${both < Math.min(roles, mixed) ? "below" : "not below"}
        either alone.`,
    };
  },

  /** How small the cells' standard errors would have to be; none is printed, so the contrast's cannot be known. */
  interactionBeyondChance({ routes, conditions }) {
    const own = contrast(squareOf(routes));
    const deviation = (roles: boolean) => sampleStandardDeviation(sweep(conditions, roles).map(({ lambda }) => lambda));
    const [withRoles, without] = [deviation(true), deviation(false)];
    const error = Math.hypot(withRoles, withRoles, without, without);
    return {
      holds: Math.abs(own) > ROUNDED ? undefined : false,
      evidence: words`The contrast ${signedText(own)} is beyond ${STANDARD_ERRORS} standard errors if a cell's is below
        ${slope(Math.abs(own) / 2 / STANDARD_ERRORS)}. None is printed. If temperature changes nothing in IM-01, the
        SD of its slopes over eight temperatures stands for one: ${slope(withRoles)} with roles, ${slope(without)}
        without, and the contrast is ${Math.abs(own / error).toFixed(1)} standard errors from zero.`,
    };
  },

  /** Each route steepens the slope whether or not the other is taken. */
  routesIndependent({ routes }) {
    const square = squareOf(routes);
    const alone = { roles: square.roles - square.neither, mixed: square.mixed - square.neither };
    const beside = { roles: square.both - square.mixed, mixed: square.both - square.roles };
    return {
      holds: rises(square),
      evidence: words`Roles change the slope by ${signedText(alone.roles)} in a uniform and by
        ${signedText(beside.roles)} in a mixed committee; mixing models changes it by ${signedText(alone.mixed)}
        without roles and by ${signedText(beside.mixed)} with them.`,
    };
  },

  /** In how many scenarios roles steepen the slope at T = 0. */
  rolesRaiseAtZero: ({ landscape }) => rolesRaise(scenarioPairs(landscape, 0)),

  /** In how many scenarios roles steepen the slope at T = 0.1. */
  rolesRaiseAtTenth: ({ landscape }) => rolesRaise(scenarioPairs(landscape, 0.1)),

  /** Uniform committees without roles mostly have a slope above zero. */
  baselinePositive({ landscape, models }) {
    const cells = landscape.filter((row) => !row.roles);
    const others = models.filter((row) => !row.roles && row.provider !== "Baseline");
    const [own, their] = [cells, others].map((rows) => rows.filter(({ lambda }) => lambda > HALF_DIGIT));
    const least = cells.reduce((a, b) => b.lambda < a.lambda ? b : a);
    const below = others.filter((row) => !their!.includes(row)).map((row) =>
      `${row.model} at T = ${row.temperature} with ${slope(row.lambda)}`
    );
    return {
      holds: 2 * own!.length > cells.length,
      evidence: words`${countOf(own!, cells)} cells without roles of Table S8 are above zero, the lowest
        ${slope(least.lambda)} (${least.scenario}, T = ${least.temperature}); of the other models in Table S6
        ${countOf(their!, others)}, not ${listed(below)}. No interval is printed.`,
    };
  },

  /** In more scenarios than chance gives no other configuration has a lower slope than the uniform one without roles. */
  noRolesLowest({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0);
    const known = mixed.filter(({ lambda }) => lambda !== undefined);
    const lowerMixed = (pair: RolePair) =>
      known.some(({ scenario, lambda }) => scenario === pair.name && lambda! < pair.without);
    const undercut = pairs.filter((pair) => pair.effect < 0 || lowerMixed(pair));
    const possible = pairs.length - undercut.length;
    const again = scenarioPairs(landscape, 0.1).filter(({ effect }) => effect < 0);
    const most = moreThanNot(possible, undercut.length);
    const narrow = undercut.filter((pair) => !lowerMixed(pair)).toSorted((a, b) => b.effect - a.effect).slice(0, 2)
      .map(({ name, effect }) => `${name} by ${slope(-effect)}`);
    return {
      holds: most && known.length < mixed.length ? undefined : most,
      evidence: words`It is undercut in ${countOf(undercut, pairs)} scenarios (${listed(namesOf(undercut))}), so it is
        the lowest in at most ${possible}; of the mixed slopes, which can only lower that, ${countOf(known, mixed)}
        are printed. Narrowest are ${listed(narrow)}, without an
        interval: near-ties. At T = 0.1 the uniform committee with roles is below it in ${again.length}.`,
    };
  },

  /** Roles alone, and mixed models alone, each give a steeper slope than neither in more scenarios than chance gives. */
  routesElevated({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0);
    const own = pairs.filter(({ effect }) => effect > 0);
    const printed = pairs.flatMap(({ name, without }) => {
      const lambda = mixed.find((row) => row.scenario === name && !row.roles)?.lambda;
      return lambda === undefined ? [] : [{ name, raised: lambda > without }];
    });
    const theirs = printed.filter(({ raised }) => raised);
    const most = theirs.length + pairs.length - printed.length;
    const [roles, mixedModels, atBest] = [own.length, theirs.length, most].map((count) =>
      moreThanNot(count, pairs.length - count)
    );
    return {
      holds: roles === false || atBest === false ? false : roles && mixedModels ? true : undefined,
      evidence: words`Above the uniform committee without roles are the one with roles in ${countOf(own, pairs)}
        scenarios, and the mixed one without roles in ${countOf(theirs, printed)} whose slope is printed. At T = 0.1
        roles are above in
        ${scenarioPairs(landscape, 0.1).filter(({ effect }) => effect > 0).length}.`,
    };
  },

  /** Mixing models brings other models as well: whether these alone would move the slope. */
  causalDecomposition({ routes, models }) {
    const { neither, mixed } = squareOf(routes);
    const slopes = models.filter((row) => !row.roles && row.temperature === 0).map(({ lambda }) => lambda);
    const [least, most] = [Math.min(...slopes), Math.max(...slopes)];
    return {
      holds: least === most ? true : undefined,
      evidence: words`Mixed models change HL-01's slope by ${signedText(mixed - neither)}, and bring other models as
        well as a mixture: without roles IM-01's uniform committees have ${slope(least)} to ${slope(most)}, by model.`,
    };
  },

  /** Whether mixing models, and its interaction with roles, go the same way in most scenarios. */
  benchmarkLevel({ landscape, mixed }) {
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
      evidence: words`All four slopes are printed for ${countOf(squares, pairs)} scenarios
        (${listed(namesOf(squares))}); of these it is so in ${alike.length}.`,
    };
  },

  /** IM-01's effect of roles is an ordinary one among the twelve. */
  im01Typical({ landscape }) {
    const pairs = scenarioPairs(landscape, 0);
    const rank = (key: "effect" | "with" | "without") =>
      pairs.toSorted((a, b) => b[key] - a[key]).findIndex(({ name }) => name === "IM-01") + 1;
    const own = pairs.find(({ name }) => name === "IM-01");
    const others = pairs.filter((pair) => pair !== own).toSorted((a, b) => b.effect - a.effect);
    if (own === undefined) return { holds: undefined, evidence: `IM-01 is not among those published.` };
    return {
      holds: rank("effect") > pairs.length / 4 && rank("effect") <= 3 * pairs.length / 4,
      evidence: words`At T = 0 roles change IM-01's slope by ${signedText(own.effect)}, number ${rank("effect")} of
        ${pairs.length} from above; the largest of another is ${signedText(others[0]!.effect)} (${others[0]!.name}),
        the mean of all ${signedText(mean(pairs.map(({ effect }) => effect)))}. Its slope is number ${rank("with")}
        with roles and number ${rank("without")} without.`,
    };
  },

  /** Where roles steepen the slope at T = 0 they do so at other temperatures too. */
  signaturePersists({ landscape, conditions }) {
    const [cold, warm] = [scenarioPairs(landscape, 0), scenarioPairs(landscape, 0.1)];
    const effectAt = new Map(warm.map(({ name, effect }) => [name, effect]));
    const raised = cold.filter(({ effect }) => effect > 0);
    const kept = raised.filter(({ name }) => effectAt.get(name)! > 0);
    const turned = cold.filter(({ name, effect }) => effect <= 0 && effectAt.get(name)! > 0);
    const im01 = sweepPairs(conditions);
    const above = im01.filter(({ effect }) => effect > 0);
    return {
      holds: raised.length > 0 && kept.length === raised.length && above.length === im01.length,
      evidence: words`Where roles raise the slope at T = 0 they do so at T = 0.1 in ${countOf(kept, raised)} scenarios;
        where they do not, they come to in ${turned.length} of ${cold.length - raised.length}
        (${listed(namesOf(turned))}). In IM-01 they raise it at ${countOf(above, im01)} temperatures.`,
    };
  },

  /** Every scenario has the three options that the preference state, the ballot and the distance are written for. */
  threeOptions({ scenarios, landscape }) {
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
      evidence: words`${countOf(three, scenarios)} scenarios have three
        options${rest.length === 0 ? "" : `. ${told.join(". ")}`}.`,
    };
  },
};

const rises = ({ neither, roles, mixed, both }: Square): boolean =>
  roles > neither && mixed > neither && both > mixed && both > roles;

function rolesRaise(pairs: readonly RolePair[]): Finding {
  const raised = pairs.filter(({ effect }) => effect > 0);
  const lowered = pairs.filter(({ effect }) => effect < 0);
  const p = signTest({ above: raised.length, below: lowered.length });
  const effects = pairs.map(({ effect }) => effect);
  const [first, ...rest] = pairs.toSorted((a, b) => b.effect - a.effect);
  return {
    holds: moreThanNot(raised.length, lowered.length),
    evidence: words`Roles raise the slope in ${countOf(raised, pairs)} scenarios (${listed(namesOf(raised))});
      two-sided sign test ${pText(p)}. Mean change ${signedText(mean(effects))} (sign-flip test
      ${pText(signFlipTest(effects))}), median ${signedText(median(effects))}; without ${first!.name}, the largest,
      the mean is ${signedText(mean(rest.map(({ effect }) => effect)))}.`,
  };
}
