import { LAMBDA, pValue, slope } from "../core/numbers.ts";
import { UserError } from "../core/user_error.ts";
import { modelNamedBy } from "../live/open_council.ts";
import { isLiveName } from "../live/live_session.ts";
import { readLedger } from "../deliberation/ledger.ts";
import { missing } from "../record/files.ts";
import { judgePlan } from "../runs/judge_plan.ts";
import { readRegistration, register, type Registration } from "../live/registration.ts";
import { conditionRuns } from "../live/run_experiment.ts";
import { planRuns } from "../live/run_plan.ts";
import { badArguments, flags, print, runCommand } from "./command.ts";
import HELP from "./help/register.txt" with { type: "text" };

/** The plan's history in lines: when it was sealed, and every change since. */
function describe({ name, at, hash, replicates, plan, earlier }: Registration): void {
  print(`${name}: registered ${at}, hash ${hash.slice(0, 12)}, ${replicates} runs a condition, seed ${plan.seed}`);
  for (const { at, changed, why } of earlier) {
    print(`CHANGED after ${at}: ${why}${changed.map((line) => `\n  ${line}`).join("")}`);
  }
}

async function check(registration: Registration, folder: string): Promise<void> {
  if (await missing(folder)) throw new UserError(`${folder} does not exist: run the experiment, or name its --out`);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".jsonl")).sort();
  const results = await Promise.all(names.map(async (name) => conditionRuns(await readLedger(`${folder}/${name}`))));
  const { tests, conditions, exploratory } = judgePlan(registration, results);
  for (const { name, runs, flaw } of conditions) print(`${name}: ${runs} complete runs${flaw ? `; ${flaw}` : ""}`);
  for (const { hypothesis, delta, low, high, p, adjusted, verdict } of tests) {
    const numbers = delta === undefined
      ? ""
      : ` (Δ${LAMBDA} ${slope(delta)}, ${slope(low)} to ${slope(high)}; p ${pValue(p)}, Holm ${pValue(adjusted)})`;
    print(`${verdict.toUpperCase()}: ${hypothesis}${numbers}`);
  }
  print(`Exclusion: ${registration.plan.exclusion}`);
  print(`Not planned, exploratory: ${exploratory.join(", ") || "none"}`);
  const open = tests.filter(({ verdict }) => verdict === "not judged");
  if (open.length > 0) throw new UserError(`${open.length} of ${tests.length} planned tests cannot be judged`);
}

if (import.meta.main) {
  await runCommand({
    name: "register",
    help: HELP,
    options: { ...flags("string", "council", "amend", "out"), ...flags("boolean", "check") },
    async run({ values: { council = "", amend, check: checked, out }, positionals: [name, ...rest] }) {
      if (name === undefined || rest.length > 0) throw badArguments("name one experiment");
      if (!checked) {
        const plan = await planRuns(name, { model: modelNamedBy(council), live: isLiveName(council) ? {} : undefined });
        return describe(await register(plan, { amend, now: new Date() }));
      }
      const registration = await readRegistration(name);
      if (registration === undefined) throw new UserError(`${name} is not registered: deno task register ${name}`);
      describe(registration);
      await check(registration, out ?? `data/out/runs/${name}`);
    },
  });
}
