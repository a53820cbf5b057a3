import { writeAtomically } from "@/record/files.ts";
import { badArguments, print, runCommand } from "@/lab/tools/command.ts";
import { loadDeliberationSources } from "./deliberation_tables.ts";
import { type Sources, withValues } from "./database.ts";
import { loadClaims } from "./format.ts";
import { loadStationSources } from "./station_tables.ts";

const HELP = `
usage: deno task dev claims

Computes the values of every claim in data/claims/ again from the tables in data/published/.
`;

async function compute(paper: string, sources: Sources) {
  const path = `data/claims/${paper}.json`, file = withValues(JSON.parse(await Deno.readTextFile(path)), sources);
  await writeAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
  print(`${path}: ${(await loadClaims(paper)).claims.length} claims`);
}

if (import.meta.main) {
  await runCommand({
    name: "claims",
    call: "deno task dev claims",
    help: HELP,
    options: {},
    async run({ positionals }) {
      if (positionals.length > 0) throw badArguments(`claims takes no names, got "${positionals[0]}"`);
      await compute("deliberation", await loadDeliberationSources());
      await compute("station", await loadStationSources());
    },
  });
}
