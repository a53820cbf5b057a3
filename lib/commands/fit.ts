import { fitSurrogate, fitTargets, simulatedLambda } from "../experiment/fit_surrogate.ts";
import { surrogateStart } from "../experiment/surrogate_start.ts";
import { runCommand } from "./main.ts";
import { print, say } from "./output.ts";
import { wholeNumber } from "./whole_number.ts";

const FILE = new URL("../../scenarios/surrogate.json", import.meta.url);

const HELP = `
usage: deno task fit [flags]

Fits the surrogate committee to eleven published slopes and writes scenarios/surrogate.json. Takes some minutes on one
core; equal flags give equal numbers.

  --seed N           of the search and of the simulated ensembles (default: 3)
  --generations N    of the evolution strategy (default: 200)
  --replicates N     runs in each simulated ensemble (default: 64)
  --dry-run          prints the result, leaves the file as it is
`;

if (import.meta.main) {
  await runCommand({
    name: "fit",
    help: HELP,
    options: {
      seed: { type: "string", default: "3" },
      generations: { type: "string", default: "200" },
      replicates: { type: "string", default: "64" },
      "dry-run": { type: "boolean", default: false },
    },
    async run({ values }) {
      const seed = wholeNumber("--seed", values.seed);
      const generations = wholeNumber("--generations", values.generations, 1);
      const replicates = wholeNumber("--replicates", values.replicates, 3);
      const targets = await fitTargets();
      const onGeneration = (generation: number, loss: number) => {
        if (generation % 10 === 0) say(`generation ${generation} of ${generations}: loss ${loss.toFixed(3)}`);
      };
      const { parameters, loss } = await fitSurrogate(await surrogateStart(), targets, {
        seed,
        generations,
        replicates,
        onGeneration,
      });
      const command = `deno task fit --seed ${seed} --generations ${generations} --replicates ${replicates}`;
      const fitted = { ...parameters, fit: { command, loss: Number(loss.toFixed(3)), targets: targets.length } };
      for (const { name, lambda, spec } of targets) {
        const simulated = simulatedLambda(spec, parameters, seed + 1_000_000, 200);
        print(
          `${name}: published ${lambda.toFixed(4)}, simulated on a fresh seed (200 runs) ${
            simulated?.toFixed(4) ?? "undefined"
          }`,
        );
      }
      if (values["dry-run"]) print(JSON.stringify(fitted, null, 2));
      else await Deno.writeTextFile(FILE, `${JSON.stringify(fitted, null, 2)}\n`);
    },
  });
}
