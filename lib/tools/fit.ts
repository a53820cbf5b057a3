import { fitLandscape, fitSurrogate } from "../paper/surrogate/fit.ts";
import { type FitTarget, fitTargets, landscapeTargets, modelTargets } from "../paper/surrogate/fit_targets.ts";
import { packetWording } from "../paper/surrogate/simulate_committee.ts";
import { simulatedLambda } from "../paper/surrogate/simulated_facts.ts";
import { surrogateStart } from "../paper/surrogate/surrogate_start.ts";
import { loadCondition } from "../runs/load_condition.ts";
import { loadSurrogateParameters } from "../runs/scenarios.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { badArguments, print, runCommand, say, wholeNumber } from "./command.ts";

const FILE = new URL("../../scenarios/surrogate.json", import.meta.url);

const HELP = `
usage: deno task fit [flags]

Fits the surrogate committee to published slopes at T = 0 and writes scenarios/surrogate.json.
Stage 1, some five minutes: mechanism, anchors, IM-01 and HL-01, to eleven slopes (Fig. 1B, Table S5).
Stage 2, some three minutes: each other scenario of Table S8 and each model of Table S6, to its two slopes.
Equal flags give equal numbers.

  --seed N           of the search and of the simulated ensembles (default: 3)
  --generations N    of stage 1's evolution strategy (default: 200)
  --replicates N     runs in each of stage 1's simulated ensembles (default: 64)
  --landscape-only   stage 2 alone, on the numbers of stage 1 as they stand in the file
  --dry-run          prints the result, leaves the file as it is
`;

/** Two cells and two or three numbers: few generations do, and larger ensembles keep chance from being fitted. */
const LANDSCAPE = { generations: 24, replicates: 256 };

interface Flags {
  readonly seed: number;
  readonly generations: number;
  readonly replicates: number;
}

if (import.meta.main) {
  await runCommand({
    name: "fit",
    help: HELP,
    options: {
      seed: { type: "string", default: "3" },
      generations: { type: "string", default: "200" },
      replicates: { type: "string", default: "64" },
      "landscape-only": { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    },
    async run({ values, positionals }) {
      if (positionals.length > 0) throw badArguments(`takes flags only, got ${positionals.join(", ")}`);
      const flags = {
        seed: wholeNumber("--seed", values.seed),
        generations: wholeNumber("--generations", values.generations, 1),
        replicates: wholeNumber("--replicates", values.replicates, 3),
      };
      const fitted = await landscape(
        values["landscape-only"] ? await loadSurrogateParameters() : await mechanism(flags),
        flags,
      );
      if (values["dry-run"]) print(JSON.stringify(fitted, null, 2));
      else await Deno.writeTextFile(FILE, `${JSON.stringify(fitted, null, 2)}\n`);
    },
  });
}

/** Stage 1 from its start. */
async function mechanism({ seed, generations, replicates }: Flags): Promise<SurrogateParameters> {
  const targets = await fitTargets();
  const onGeneration = (generation: number, loss: number) => {
    if (generation % 10 === 0) say(`generation ${generation} of ${generations}: loss ${loss.toFixed(3)}`);
  };
  const { parameters, loss } = await fitSurrogate(await surrogateStart(), targets, {
    ...{ seed, generations, replicates, onGeneration },
  });
  compare(targets, parameters, seed);
  const command = `deno task fit --seed ${seed} --generations ${generations} --replicates ${replicates}`;
  const stage = "mechanism, anchors, IM-01 and HL-01";
  return { ...parameters, fit: [{ stage, command, loss: rounded(loss), targets: targets.length }] };
}

/** Stage 2 on a first stage's numbers; an earlier second stage's numbers are not used. */
async function landscape(first: SurrogateParameters, { seed }: Flags): Promise<SurrogateParameters> {
  const { scenarios: begun, mechanism: { wordingSpread } } = await surrogateStart();
  const { characters: _, ...im01 } = first.scenarios["IM-01"]!;
  const hl01 = first.scenarios["HL-01"]!;
  const start = {
    ...first,
    mechanism: { ...first.mechanism, wordingSpread },
    scenarios: { ...begun, "IM-01": { ...im01, wording: await canonicalWording() }, "HL-01": hl01 },
  };
  const scenarios = await landscapeTargets();
  // Their cells are among the first stage's targets.
  for (const id of ["IM-01", "HL-01"]) scenarios.delete(id);
  const onFit = (
    { stage, loss, targets }: { stage: string; loss: number; targets: readonly FitTarget[] },
    so: SurrogateParameters,
  ) => {
    say(`${stage}: loss ${loss.toFixed(3)}`);
    compare(targets, so, seed);
  };
  const { parameters, fits } = await fitLandscape(start, { scenarios, models: await modelTargets() }, {
    ...{ seed, ...LANDSCAPE, onFit },
  });
  const command = `deno task fit --seed ${seed} --landscape-only`;
  const report = fits.map(({ stage, loss, targets }) => ({
    ...{ stage, command, loss: rounded(loss), targets: targets.length },
  }));
  return { ...parameters, fit: [...(first.fit ?? []).slice(0, 1), ...report] };
}

/** IM-01 is the scenario that the paper rewords (S4): its prior belongs to the canonical text. */
async function canonicalWording(): Promise<string> {
  return packetWording(await loadCondition({ scenario: "IM-01" }));
}

function rounded(loss: number): number {
  return Number(loss.toFixed(3));
}

function compare(targets: readonly FitTarget[], parameters: SurrogateParameters, seed: number): void {
  for (const { name, lambda, spec } of targets) {
    const simulated = simulatedLambda(spec, parameters, seed + 1_000_000, 200)?.toFixed(4) ?? "undefined";
    print(`${name}: published ${lambda.toFixed(4)}, simulated on a fresh seed (200 runs) ${simulated}`);
  }
}
