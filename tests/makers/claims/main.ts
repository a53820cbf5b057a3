import { writeAtomically } from "@/record/files.ts";
import { loadClaims } from "./format.ts";
import { loadDeliberationEvidence } from "./deliberation_tables.ts";
import { loadStationTables } from "@/lab/paper/published_station.ts";
import { badArguments, print, runCommand } from "@/lab/tools/command.ts";
import { DELIBERATION_QUANTITIES } from "./deliberation.ts";
import { STATION_QUANTITIES } from "./station.ts";
import { type Quantities, withValues } from "./values.ts";

const HELP = `
usage: deno task dev claims

Computes the values of every claim in data/claims/ again from the tables in data/published/.
`;

async function compute<Published>(paper: string, quantities: Quantities<Published>, published: Published) {
  const path = `data/claims/${paper}.json`, { claims, ...head } = JSON.parse(await Deno.readTextFile(path));
  const whole = { ...head, claims: claims.map((claim: object) => withValues(claim as never, quantities, published)) };
  await writeAtomically(path, `${JSON.stringify(whole, null, 2)}\n`);
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
      await compute("deliberation", DELIBERATION_QUANTITIES, await loadDeliberationEvidence());
      await compute("station", STATION_QUANTITIES, await loadStationTables());
    },
  });
}
