import { Mosaic } from "@/schema/mosaic.ts";
import { badArguments, print, runCommand, say, whole } from "@/lab/tools/command.ts";
import { fitStation, FLOOR_TARGETS, write } from "./fit_station.ts";

const FILE = new URL("../../../scenarios/mosaic-9.json", import.meta.url);

const HELP = `
usage: deno task dev fit-station [flags]

Fits eight constants of Mosaic-9's rules to the published facts of runs without a model, on the fit seeds alone (the
panel and the held-out seeds are never run here), and writes them into scenarios/mosaic-9.json.

  --seed N           of the search (default: 1)
  --generations N    of the evolution strategy (default: 30)
  --dry-run          prints the result, leaves the file as it is
`;

/** A copy of the file's own JSON with the constants at these paths replaced; its texts stay the lines they are. */
function withConstants(json: unknown, constants: Record<string, number>) {
  const changed = structuredClone(json) as object;
  for (const [path, value] of Object.entries(constants)) write(changed, path.split("."), value);
  return changed;
}

if (import.meta.main) {
  await runCommand({
    name: "fit-station",
    help: HELP,
    options: {
      seed: { ...whole(), default: "1" },
      generations: { ...whole(), default: "30" },
      "dry-run": { type: "boolean", default: false },
    },
    async run({ values, positionals }) {
      if (positionals.length > 0) throw badArguments(`takes flags only, got ${positionals.join(", ")}`);
      const { seed, generations } = values;
      const json = JSON.parse(await Deno.readTextFile(FILE));
      // The fit begins where the first one began, so that equal flags give equal constants however often it is run.
      const start = withConstants(json, json.fit?.from ?? {});
      const { loss, facts, constants } = await fitStation(Mosaic.parse(start), {
        seed,
        generations,
        onGeneration: (generation, best) => say(`generation ${generation} of ${generations}: loss ${best.toFixed(3)}`),
      });
      print(`loss ${loss.toFixed(3)}`);
      for (const [name, { value }] of Object.entries(FLOOR_TARGETS)) {
        print(`${name}: published ${value}, on the fit seeds ${facts[name as keyof typeof facts].toFixed(3)}`);
      }
      for (const [path, [before, after]] of Object.entries(constants)) print(`${path}: ${before} -> ${after}`);
      if (values["dry-run"]) return;
      const fitted = Object.fromEntries(Object.entries(constants).map(([path, [, after]]) => [path, after]));
      const from = Object.fromEntries(Object.entries(constants).map(([path, [before]]) => [path, before]));
      const command = `deno task fit-station --seed ${seed} --generations ${generations}`;
      const fit = { command, loss: Number(loss.toFixed(3)), from };
      await Deno.writeTextFile(FILE, `${JSON.stringify({ ...withConstants(json, fitted), fit }, null, 2)}\n`);
    },
  });
}
