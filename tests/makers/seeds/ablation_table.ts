import { AblationEffect, type AblationRow } from "../kept_tables.ts";
import { ablateRole, ABLATIONS, roleEffect } from "@/lab/runs/ablate_station.ts";
import { type CollectedStation, collectStation } from "@/lab/runs/collect_station.ts";
import { namedSeeds } from "@/lab/live/station_batch.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import { COUNCIL, type CouncilRole } from "@/schema/station_ids.ts";
import { RULES } from "@/station/rules.ts";
import type { PairedDifference } from "@/stats/equivalence.ts";
import { mechanismHash, rounded } from "./seed_slopes.ts";

/** How the table is made: `blocks` sets of held-out seeds stand for as many studies. */
export const ABLATION = { councils: ["triage", "auditor"], blocks: 5, each: 20, replicates: 2 } as const;

/** The rows of one council and role: every loss, over each block of seeds and over all. */
export async function ablationRows(name: string, role: CouncilRole): Promise<AblationRow[]> {
  const { blocks, each, replicates } = ABLATION, council = stationCouncil(name, new Map());
  const seeds = namedSeeds("heldOut").slice(0, blocks * each);
  const collect = (of: typeof council) => collectStation({ council: of, ruleset: "v2", seeds, replicates });
  const whole = await collect(council), rows: AblationRow[] = [];
  for (const lost of ABLATIONS) {
    const without = await collect(ablateRole(council, role, lost));
    for (const block of [...Array(blocks).keys(), undefined]) {
      const part = (runs: CollectedStation[]) =>
        block === undefined ? runs : runs.slice(block * each * replicates, (block + 1) * each * replicates);
      const { q, stabilized, D } = roleEffect(part(whole), part(without));
      rows.push({
        ...{ council: name, role, lost, ...(block !== undefined && { block }) },
        ...{ q: digitsOf(q), stabilized: digitsOf(stabilized), D: digitsOf(D!) },
      });
    }
  }
  return rows;
}

const digitsOf = ({ delta, low, high }: PairedDifference) => AblationEffect.parse(rounded({ delta, low, high }));

/** The councils and roles of the table. */
export const ablationPlan = (): { council: string; role: CouncilRole }[] =>
  ABLATION.councils.flatMap((council) => COUNCIL.map((role) => ({ council, role })));

/** A hash of all that decides the table. */
export const ablationMechanism = (): Promise<string> =>
  mechanismHash(
    [RULES, ABLATION],
    ...["model/station/", "station/", "quality/", "lab/runs/collect_station.ts", "lab/runs/ablate_station.ts"],
  );
