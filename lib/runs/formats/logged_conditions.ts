import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sum } from "d3-array";
import { contentHash } from "../../core/json.ts";
import { known } from "../../core/options.ts";
import { UserError } from "../../core/user_error.ts";
import { accountCalls } from "../../deliberation/account_calls.ts";
import { deliberation } from "../../deliberation/deliberate.ts";
import { rulesetFolder } from "../../live/station_batch.ts";
import { isUngoverned } from "../../quality/rescore.ts";
import { accountRuns, causesOf, isComplete, missingCause } from "../../record/accounting.ts";
import { type LedgerRun, outcomesOf } from "../../record/ledger_run.ts";
import { closingOf, foldAll, type Recorded, type RunEvent, type Seated } from "../../record/protocol.ts";
import type { Ledger } from "../../record/read_ledger.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import { COUNCIL } from "../../schema/station_ids.ts";
import type { StationEvent } from "../../schema/station_event.ts";
import type { StationSummary } from "../../schema/station_summary.ts";
import { checkedStation, type StationFolder } from "../../station/read_station_folder.ts";
import { modelsByRole } from "../../station/run_station.ts";
import { readCostLines, STATION_FILES, type StationHeader, StationSession } from "../../station/station_files.ts";
import { heldStation, stationRecord } from "../../station/station_record.ts";
import { rulesetName } from "../../station/summary.ts";
import type { LoggedCondition, ScoreValue } from "./inspect_log.ts";

type Sampled = Seated & LoggedCondition["sampling"];

/** The condition of a ledger of any protocol, to be logged. */
export function loggedLedger<Plan extends Sampled, Event extends RunEvent>(
  protocol: Recorded<Plan, Event>,
  ledger: Ledger<Plan, Event>,
  {
    task = { id: ledger.declaration.name, input: ledger.declaration.name },
    ...more
  }: Pick<LoggedCondition, "calls" | "said"> & {
    readonly task?: { readonly id: string; readonly input: string; readonly choices?: readonly string[] };
  } = {},
): LoggedCondition {
  const { name, condition: plan, hash, at, target, seed, synthetic, promptPack, council, made } = ledger.declaration;
  const attempts = Map.groupBy(ledger.runs, ({ replicate }) => replicate);
  return {
    ...{ protocol, name, hash, at, synthetic, seats: plan.seats, accounting: accountRuns(ledger) },
    sampling: known({ temperature: plan.temperature, maxTokens: plan.maxTokens }),
    about: { promptPack, council, seed, made },
    runs: Array.from({ length: target }, (_, replicate) => (
      { ...task, replicate, plan, seed, attempts: attempts.get(replicate) ?? [] }
    )),
    ...more,
  };
}

/** The condition of a committee's ledger, to be logged: its question, the counts of its calls, the agents' arguments. */
export function loggedCommittee(ledger: Ledger): LoggedCondition {
  const { condition } = ledger.declaration, { id, question: input, options } = condition.packet;
  return loggedLedger(deliberation, ledger, {
    task: { id, input, choices: options.map(({ label }) => label) },
    calls: accountCalls(ledger),
    said(events: readonly DeliberationEvent[]) {
      const { turns } = foldAll(deliberation, condition, events);
      return (round, seat) => turns.find((turn) => turn.round === round && turn.seat === seat)?.argument;
    },
  });
}

/**
 * The conditions of station runs in a run's folder or a batch's, at any depth, to be logged: the runs of one council, asked
 * in one way, under one ruleset. Every run is checked against itself.
 *
 * @param path a folder, or the file of a run's events or record.
 * @throws {UserError} where there is no run, and as `readStationFolder`.
 */
export async function loggedStations(path: string): Promise<LoggedCondition[]> {
  const runs = await stationsIn((await stat(path)).isDirectory() ? path : dirname(path));
  if (runs.length === 0) throw new UserError(`${path}: holds no station run: looked for ${STATION_FILES.events}`);
  const conditions = Map.groupBy(runs, ({ header }) => contentHash(planOf(header)));
  return await Promise.all([...conditions].map(([hash, own]) => loggedStation(hash, own)));
}

/** True if a file is one that holds a station run. */
export const isStationFile = (path: string): boolean =>
  [STATION_FILES.events, STATION_FILES.record].some((name) => name === basename(path));

async function stationsIn(folder: string): Promise<StationFolder[]> {
  const held = await heldStation(folder);
  if (held) return [await checkedStation(folder, held)];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  return (await Promise.all(names.map((name) => stationsIn(join(folder, name))))).flat();
}

const planOf = ({ council, identity, synthetic, ruleset, rules, asked }: StationHeader) => (
  { council, identity, synthetic, ruleset, rules, asked }
);

async function loggedStation(hash: string, runs: readonly StationFolder[]): Promise<LoggedCondition> {
  const { header } = runs[0]!, { council, ruleset, asked } = header, name = `${council}_${rulesetFolder(ruleset)}`;
  const twice = runs.find((run, i) => i !== runs.findIndex((other) => placeOf(other) === placeOf(run)));
  if (twice) throw new UserError(`${twice.folder}: another folder holds the same run of ${name}; name one of them`);
  const models = asked && modelsByRole(asked.model);
  const attempts = runs.map(({ header: { replicate = 0 }, events, calls, unanswered }): LedgerRun<StationEvent> => {
    const about = { kind: "unanswered", hash, replicate, attempt: 1 } as const;
    const lines = unanswered.map((line) => ({ ...line, ...about }));
    const closed = closingOf(events.at(-1));
    return { replicate, attempt: 1, events, calls, unanswered: lines, ...(closed && { closed }) };
  });
  const begun = (await Promise.all(runs.map(firstSession))).flat().sort();
  const outcomes = attempts.flatMap((run) => [...outcomesOf(run)]);
  return {
    ...{ protocol: stationRecord, name, hash, measured: "levels", sampling: asked ?? {} },
    at: begun[0] ?? (await stat(runs[0]!.folder)).mtime.toISOString(),
    synthetic: runs.every(({ header, summary }) => summary?.synthetic ?? header.synthetic),
    seats: COUNCIL.map((label) => ({ label, model: models?.[label] ?? "none" })),
    accounting: causesOf(name, attempts.map((run) => isComplete(run) ? undefined : missingCause(run))),
    calls: {
      calls: outcomes.length,
      failed: outcomes.filter(({ code }) => code !== undefined).length,
      unanswered: sum(attempts, ({ unanswered }) => unanswered.length),
    },
    about: { ...planOf(header), ruleset: rulesetName(ruleset), made: header.made },
    runs: runs.map(({ header: plan, summary }, i) => ({
      ...{ id: `seed-${plan.seed}`, replicate: plan.replicate ?? 0, run: plan.run_id, plan, seed: plan.seed, summary },
      input: `Mosaic-9, seed ${plan.seed}, ruleset ${rulesetName(ruleset)}`,
      ...{ attempts: [attempts[i]!], scores: summary && scoresOf(summary) },
    })),
  };
}

const placeOf = ({ header: { seed, replicate = 0 } }: StationFolder) => `${seed}/${replicate}`;

const firstSession = async ({ folder }: StationFolder): Promise<string[]> =>
  (await readCostLines(`${folder}/${STATION_FILES.sessions}`, StationSession)).values.slice(0, 1).map(({ at }) => at);

/** The fields of a summary that measure nothing. */
const UNSCORED = "schema run_id seed replicate model ruleset synthetic validity_note degraded_rounds made".split(" ");

/** What a summary measures; an ungoverned run has no q, and a run that passed no plan no time of its first. */
function scoresOf(summary: StationSummary): Record<string, ScoreValue> {
  const measures = Object.entries(summary).filter(([name, value]) =>
    !UNSCORED.includes(name) && value !== null && value !== undefined && (name !== "q" || !isUngoverned(summary))
  );
  return Object.fromEntries(measures) as Record<string, ScoreValue>;
}
