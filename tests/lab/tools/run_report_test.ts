import assert from "node:assert/strict";
import { collectRuns, type ConditionRuns, loadCondition, measureRuns, surrogateCouncil } from "@/lab/runs/mod.ts";
import { fixedText, intervalText } from "@/core/numbers.ts";
import { conditionLine, runTable } from "@/lab/tools/run_report.ts";

const council = await surrogateCouncil();

async function condition(rounds: number, missing: Record<string, number>): Promise<ConditionRuns> {
  const one = await collectRuns(await loadCondition({ scenario: "HL-01", rounds }), {
    council,
    replicates: 4,
    seed: 1,
  });
  const deficit = Object.values(missing).reduce((sum, count) => sum + count, 0);
  const accounting = { ...one.accounting, target: 4 + deficit, deficit, causes: missing };
  return { ...one, label: `${rounds} rounds`, accounting, ledger: { path: `x/${one.name}.jsonl` } } as ConditionRuns;
}

Deno.test("the table of a run says runs, what is missing and why, the slope that measure gives, and what comes next", async () => {
  const whole = await condition(20, { "unreadable_state:missing": 2, "unanswered:server": 1 });
  const [head, first, second, next] = runTable([whole, await condition(3, {})], 7).split("\n");
  const cells = (line: string) => line.split(/ {2,}/);
  assert.deepEqual(cells(head!), ["condition", "runs", "missing", "lambda", "95 % interval"]);
  const { lambda } = measureRuns(whole.runs.map(({ means }) => means), { seed: 7 });
  assert.deepEqual(cells(first!).slice(0, 4), [
    "20 rounds",
    "4 of 7",
    "2 unreadable state (missing), 1 unanswered (server)",
    fixedText(lambda!),
  ]);
  assert.match(cells(first!)[4]!, /^\[.*, .*\]$/);
  assert.deepEqual(cells(second!), ["3 rounds", "4 of 4", "none", "undefined: too few rounds", "none"]);
  assert.equal(next, "next: deno task measure x/*.jsonl");
  const lines = [conditionLine(whole, 7), conditionLine(await condition(3, {}), 7)];
  assert.deepEqual([fixedText(lines[0]!.slope.lambda!), intervalText(lines[0]!.slope.low, lines[0]!.slope.high)], [
    ...cells(first!).slice(3),
  ]);
  assert.deepEqual(lines[1]!.slope, { reason: "too-few-rounds" });
});

Deno.test("on a terminal run prints the table, with --json its lines", async () => {
  const out = await Deno.makeTempDir();
  try {
    const words =
      `${Deno.execPath()} run --no-prompt -A lib/lab/tools/run.ts --scenario HL-01 --rounds 6 --replicates 2 --out ${out}`;
    const terminal = async (flags: string) => {
      const { stdout } = await new Deno.Command("script", { args: ["-qec", `${words} ${flags}`, "/dev/null"] })
        .output();
      return new TextDecoder().decode(stdout);
    };
    assert.match(await terminal(""), /condition +runs +missing +lambda +95 % interval\s+\S.* 2 of 2 +none +/);
    const line = (await terminal("--json")).split("\n").find((one) => one.includes("{"))!;
    assert.equal(JSON.parse(line.slice(line.indexOf("{"))).realised, 2);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});
