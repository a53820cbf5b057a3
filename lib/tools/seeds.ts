import { fileURLToPath } from "node:url";
import { progress } from "../notebook/progress.ts";
import { mechanismHash, seedConditions, seedSlope, type SeedSlopes } from "../paper/surrogate/seed_slopes.ts";
import { writeAtomically } from "../runs/files.ts";
import { badArguments, interruptible, print, runCommand } from "./command.ts";

const FILE = fileURLToPath(new URL("../../data/surrogate/seed_slopes.json", import.meta.url));
const REPLICATES = 20;

const HELP = `
usage: deno task seeds

Runs the surrogate's conditions of Figures 1, 2 and 4 under many master seeds, 20 runs each, in memory, and writes the
slopes to data/surrogate/seed_slopes.json. The notebooks show by it where the draw of one seed lies among others. To be
run again when the surrogate changes; a test says when the file is stale. Takes some minutes.
`;

if (import.meta.main) {
  await runCommand({
    name: "seeds",
    help: HELP,
    options: {},
    async run({ positionals }) {
      if (positionals.length > 0) throw badArguments(`takes no arguments, got ${positionals.join(", ")}`);
      const planned = (await seedConditions()).flatMap(({ spec, seeds }) =>
        Array.from({ length: seeds }, (_, i) => ({ spec, seed: i + 1 }))
      );
      const bar = await progress("Conditions under a seed", planned.length);
      const rows: SeedSlopes["rows"] = [];
      await interruptible(async (signal) => {
        for (const { spec, seed } of planned) {
          signal.throwIfAborted();
          rows.push(await seedSlope(spec, seed, REPLICATES));
          await bar.advance();
        }
      }).finally(() => bar.finish());
      const table: Omit<SeedSlopes, "rows"> = {
        ...{
          schema: "seed-slopes/1",
          mechanism: await mechanismHash(),
          command: "deno task seeds",
          replicates: REPLICATES,
        },
      };
      const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
      const head = JSON.stringify(table, null, 2).replace(/\n}$/, "");
      await writeAtomically(FILE, `${head},\n  "rows": [\n${lines}\n  ]\n}\n`);
      print(`${rows.length} slopes written to data/surrogate/seed_slopes.json`);
    },
  });
}
