import { fitStation, FLOOR_TARGETS } from "../experiment/fit_station.ts";
import { Mosaic } from "../schema/mosaic.ts";
import { runCommand } from "./main.ts";
import { print, say } from "./output.ts";
import { wholeNumber } from "./whole_number.ts";

const FILE = new URL("../../scenarios/mosaic-9.json", import.meta.url);

const HELP = `
usage: deno task fit-station [flags]

Fits eight constants of Mosaic-9's rules to the published facts of runs without a model, on the fit seeds alone (the
panel and the held-out seeds are never run here), and writes them into scenarios/mosaic-9.json.

  --seed N           of the search (default: 1)
  --generations N    of the evolution strategy (default: 30)
  --dry-run          prints the result, leaves the file as it is
`;

if (import.meta.main) {
  await runCommand({
    name: "fit-station",
    help: HELP,
    options: {
      seed: { type: "string", default: "1" },
      generations: { type: "string", default: "30" },
      "dry-run": { type: "boolean", default: false },
    },
    async run({ values }) {
      const seed = wholeNumber("--seed", values.seed);
      const generations = wholeNumber("--generations", values.generations);
      const text = await Deno.readTextFile(FILE);
      const { loss, facts, constants } = await fitStation(Mosaic.parse(JSON.parse(text)), {
        seed,
        generations,
        onGeneration: (generation, best) => say(`generation ${generation} of ${generations}: loss ${best.toFixed(3)}`),
      });
      print(`loss ${loss.toFixed(3)}`);
      for (const [name, { value }] of Object.entries(FLOOR_TARGETS)) {
        print(`${name}: published ${value}, on the fit seeds ${facts[name as keyof typeof facts].toFixed(3)}`);
      }
      for (const [path, [before, after]] of Object.entries(constants)) print(`${path}: ${before} -> ${after}`);
      if (!values["dry-run"]) await Deno.writeTextFile(FILE, withConstants(text, constants));
    },
  });
}

/** The file's own JSON with the constants replaced; its texts stay the lines they are. */
function withConstants(text: string, constants: Record<string, [number, number]>): string {
  const json = JSON.parse(text);
  for (const [path, [, after]] of Object.entries(constants)) {
    const keys = path.split(".");
    keys.slice(0, -1).reduce((node, key) => node[key], json)[keys.at(-1)!] = after;
  }
  return `${JSON.stringify(json, null, 2)}\n`;
}
