import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { committeeMean } from "../../core/numbers.ts";
import { contentHash } from "../../core/json.ts";
import { known } from "../../core/options.ts";
import { UserError } from "../../core/user_error.ts";
import { accountCalls } from "../../deliberation/account_calls.ts";
import { deliberation } from "../../deliberation/deliberate.ts";
import { rulesetFolder } from "../../live/station_batch.ts";
import { isUngoverned } from "../../quality/rescore.ts";
import { isComplete, missingCause } from "../../record/accounting.ts";
import type { LedgerRun } from "../../record/ledger_run.ts";
import { answeredOf } from "../../record/protocol.ts";
import type { Ledger } from "../../record/read_ledger.ts";
import type { Condition } from "../../schema/condition.ts";
import type { StationSummary } from "../../schema/station_summary.ts";
import { checkedStation, type StationFolder } from "../../station/read_station_folder.ts";
import { modelsByRole } from "../../station/run_station.ts";
import { readCostLines, STATION_FILES, type StationHeader, StationSession } from "../../station/station_files.ts";
import { heldStation, stationRecord } from "../../station/station_record.ts";
import { rulesetName } from "../../station/summary.ts";
import type { LoggedCondition, LoggedReply, LoggedRun } from "./inspect_log.ts";

/** The condition of a committee's ledger, to be logged. */
export function loggedCommittee(ledger: Ledger): LoggedCondition {
  const { name, condition, hash, at, target, seed, synthetic, promptPack, council, made } = ledger.declaration;
  const { names: options, agents } = deliberation.columns(condition, []);
  const attempts = Map.groupBy(ledger.runs, ({ replicate }) => replicate);
  return {
    ...{ name, at, synthetic, options, agents, scored: false, models: condition.seats.map(({ model }) => model) },
    about: { hash, promptPack, council, seed, made, calls: accountCalls(ledger) },
    runs: Array.from({ length: target }, (_, replicate) => (
      { replicate, run: String(replicate), seed, ...attempted(attempts.get(replicate) ?? [], condition) }
    )),
  };
}

/** The complete attempt at a run, or else the last one with the cause of its failure. */
function attempted(attempts: readonly LedgerRun[], condition: Condition) {
  const { packet: { id, question: input, options }, seats } = condition;
  const repliesOf = ({ events }: LedgerRun) =>
    events.flatMap((event): LoggedReply[] => {
      const { seat = 0, reply } = answeredOf(event) ?? {}, { label: agent, model } = seats[seat]!;
      return reply ? [{ model, reply, agent, ...("round" in event && { round: event.round }) }] : [];
    });
  const shown = attempts.find(isComplete) ?? attempts.at(-1);
  const said = shown ? repliesOf(shown) : [], unsaid = attempts.filter((one) => one !== shown).flatMap(repliesOf);
  const run = { id, input, choices: options.map(({ label }) => label), said, unsaid };
  if (!shown || !isComplete(shown)) return { ...run, cause: missingCause(shown) };
  const { names, agents, rounds, decision } = deliberation.columns(condition, shown.events);
  const shares = committeeMean(rounds.at(-1)!).map((share, k) => [names[k]!, share]);
  return {
    ...run,
    scores: { ...known({ decision }), shares: Object.fromEntries(shares) },
    rounds: rounds.map((states, t) => (
      { round: t + 1, states: states.map((pref, seat) => ({ agent: agents[seat], pref })) }
    )),
  };
}

/**
 * The conditions of station runs in a run's folder or a batch's, at any depth, to be logged: the runs of one council, asked
 * in one way, under one ruleset. Every run is checked against itself.
 *
 * @param path a folder, or the file of a run's events or record.
 * @throws {UserError} where there is no run, no time of one, and as `readStationFolder`.
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

async function loggedStation(hash: string, folders: readonly StationFolder[]): Promise<LoggedCondition> {
  const { folder, header } = folders[0]!, { council, ruleset, asked, made } = header;
  const name = `${council}_${rulesetFolder(ruleset)}`;
  const twice = folders.find((run, i) => i !== folders.findIndex((other) => placeOf(other) === placeOf(run)));
  if (twice) throw new UserError(`${twice.folder}: another folder holds the same run of ${name}; name one of them`);
  const [at] = (await Promise.all(folders.map(firstSession))).flat().sort();
  if (at === undefined) {
    throw new UserError(`${folder}: has no ${STATION_FILES.sessions}, which says when it ran; restore it from a copy`);
  }
  const { names: options, agents } = stationRecord.columns(header, []);
  return {
    ...{ name, at, options, agents, scored: true, runs: folders.map(stationRun) },
    synthetic: folders.every(({ header, summary }) => summary?.synthetic ?? header.synthetic),
    models: asked ? Object.values(modelsByRole(asked.model)) : ["none"],
    about: { hash, ...planOf(header), ruleset: rulesetName(ruleset), made },
  };
}

const placeOf = ({ header: { seed, replicate = 0 } }: StationFolder) => `${seed}/${replicate}`;

const firstSession = async ({ folder }: StationFolder): Promise<string[]> =>
  (await readCostLines(`${folder}/${STATION_FILES.sessions}`, StationSession)).values.slice(0, 1).map(({ at }) => at);

function stationRun({ header, events, calls, unanswered, summary }: StationFolder): LoggedRun {
  const { run_id: run, seed, replicate = 0, ruleset } = header;
  const turns = events.flatMap((event) =>
    event.kind === "action.taken" ? event.origin.calls.map(() => ({ agent: event.role, round: event.round })) : []
  );
  const said = calls.flatMap(({ request: { model }, failure, ...call }, i): LoggedReply[] => {
    const reply = call.reply ?? failure?.received;
    return reply ? [{ model, reply, ...turns[i] }] : [];
  });
  const input = `Mosaic-9, seed ${seed}, ruleset ${rulesetName(ruleset)}`;
  const end = summary ? { scores: scoresOf(summary) } : { cause: missingCause({ unanswered }) };
  return { id: `seed-${seed}`, replicate, run, seed, input, said, ...end };
}

/** An ungoverned run has no q. */
function scoresOf(summary: StationSummary): LoggedRun["scores"] {
  const { q, classification, stabilized, components, fallback_reasons } = summary;
  const whole = { ...(isUngoverned(summary) ? {} : { q }), classification, stabilized, fallback_reasons };
  // No component of our own summaries is unknown.
  return { ...whole, components: components as Record<string, number> };
}
