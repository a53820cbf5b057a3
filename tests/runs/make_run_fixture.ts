import { conditionName } from "@/deliberation/condition_name.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { surrogateCouncil } from "@/live/council.ts";
import { exportRuns } from "@/runs/export_runs.ts";
import { loadCondition } from "@/live/load_condition.ts";

/**
 * Made `tests/storage/fixtures/HL-01__T0.0__N5__rolesTrue.jsonl`: four surrogate runs in the plain form that `importConditionRuns`
 * reads. It was run once and its output kept, so that the reader is held to a file that nothing here writes any more:
 *
 *     deno run --allow-read=. --allow-write=tests/storage/fixtures tests/storage/make_run_fixture.ts
 */

const condition = await loadCondition({ scenario: "HL-01" });
const { chat, synthetic } = await surrogateCouncil();
const { runs } = await collectRuns(condition, { chat, replicates: 4, seed: 1 });
const name = conditionName(condition);
const lines = exportRuns({ name, condition, runs, synthetic });
await Deno.writeTextFile(
  new URL(`../storage/fixtures/${name}.jsonl`, import.meta.url),
  lines.map((line) => `${line}\n`).join(""),
);
