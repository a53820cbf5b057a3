import { fileURLToPath } from "node:url";
import { unknownName } from "@/core/user_error.ts";
import { progress } from "@/lab/notebook/progress.ts";
import { writeAtomically } from "@/record/files.ts";
import { interruptible, print, runCommand } from "@/lab/tools/command.ts";
import { ABLATION, ablationMechanism, ablationPlan, ablationRows } from "./ablation_table.ts";
import { mechanismHash, seedConditions, seedSlope } from "./seed_slopes.ts";
import { ALTERNATIVES, READINGS, readingsMechanism, readingsRow } from "./readings_table.ts";
import { STABILITY, stabilityMechanism, stabilityRows, stabilitySeeds } from "./stability_table.ts";
import { twinMechanism, twinPlan, twinRows, TWINS } from "./twin_table.ts";

const DATA = new URL("../../../data/surrogate/", import.meta.url);
const REPLICATES = 20;

const HELP = `
usage: deno task dev seeds [TABLE...]

Runs the surrogates under many master seeds, in memory, and writes what came of it to data/surrogate/, all tables or those
named. To be run again when a surrogate changes; a test says when a file is stale. Takes some minutes a table.

  slopes      seed_slopes.json: λ̂ and D at rounds 1, 3 and 20 of the conditions of Figures 1, 2 and 4, 20 runs each; the
              notebooks show by it where the draw of one seed lies among others
  twins       twins.json: λ̂ and twin slope of every scenario, roles off and on, ${TWINS.replicates} runs and their twins each
  stability   stability.json: divergence and quality of the station's personas when a share of dice is drawn anew, ${STABILITY.replicates}
              runs on each of ${stabilitySeeds().flat().length} held-out seeds
  readings    readings.json: how the constants on file and the alternatives in alternatives.json do on the levels of
              Figure 1A and the signs of Figure 2, ${READINGS.to - READINGS.from + 1} fresh master seeds of 20 runs each
  ablation    ablation.json: what each role of the station's personas loses with its mandate, office, model or deeds
`;

/** How a table's file begins, after its schema, and how its rows are made, one or several at a time. */
interface Table {
  readonly schema: string;
  readonly mechanism: string;
  readonly head: object;
  readonly rows: readonly (() => Promise<readonly unknown[]>)[];
}

const TABLES: Readonly<Record<string, () => Promise<Table>>> = {
  async slopes() {
    const planned = (await seedConditions()).flatMap(({ spec, seeds }) =>
      Array.from({ length: seeds }, (_, i) => ({ spec, seed: i + 1 }))
    );
    return {
      schema: "seed-slopes/2",
      mechanism: await mechanismHash(),
      head: { replicates: REPLICATES },
      rows: planned.map(({ spec, seed }) => async () => [await seedSlope(spec, seed, REPLICATES)]),
    };
  },
  async twins() {
    const { replicates, changed, near } = TWINS;
    return {
      schema: "twin-table/1",
      mechanism: await twinMechanism(),
      head: { replicates, changed, near },
      rows: (await twinPlan()).map((one) => () => twinRows(one)),
    };
  },
  async stability() {
    const { councils, replicates, margin } = STABILITY;
    return {
      schema: "stability-table/1",
      mechanism: await stabilityMechanism(),
      head: { replicates, seeds: stabilitySeeds().flat().length, margin },
      rows: councils.map((council) => () => stabilityRows(council)),
    };
  },
  async readings() {
    return {
      schema: "surrogate-readings/1",
      mechanism: await readingsMechanism(),
      head: READINGS,
      rows: ALTERNATIVES.map((one) => async () => [await readingsRow(one)]),
    };
  },
  async ablation() {
    const { replicates, blocks, each } = ABLATION;
    return {
      schema: "ablation-table/2",
      mechanism: await ablationMechanism(),
      head: { replicates, seeds: blocks * each },
      rows: ablationPlan().map(({ council, role }) => () => ablationRows(council, role)),
    };
  },
};

async function make(name: string): Promise<void> {
  const { schema, mechanism, head, rows } = await TABLES[name]!(), isFirst = name === "slopes";
  const file = `${isFirst ? "seed_slopes" : name}.json`, command = `deno task dev seeds${isFirst ? "" : ` ${name}`}`;
  const bar = await progress(file, rows.length);
  const lines: string[] = [];
  await interruptible(async (signal) => {
    for (const row of rows) {
      signal.throwIfAborted();
      for (const one of await row()) lines.push(`    ${JSON.stringify(one)}`);
      await bar.advance();
    }
  }).finally(() => bar.finish());
  const opening = JSON.stringify({ schema, mechanism, command, ...head }, null, 2).replace(/\n}$/, "");
  await writeAtomically(fileURLToPath(new URL(file, DATA)), `${opening},\n  "rows": [\n${lines.join(",\n")}\n  ]\n}\n`);
  print(`${lines.length} rows written to data/surrogate/${file}`);
}

if (import.meta.main) {
  await runCommand({
    name: "seeds",
    help: HELP,
    options: {},
    async run({ positionals }) {
      for (const name of positionals) {
        if (!Object.hasOwn(TABLES, name)) throw unknownName("table", name, Object.keys(TABLES));
      }
      for (const name of positionals.length > 0 ? positionals : Object.keys(TABLES)) await make(name);
    },
  });
}
