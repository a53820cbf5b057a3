import { mean } from "simple-statistics";
import { unknownName, UserError } from "../core/user_error.ts";
import { remembered } from "../core/options.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { ChatMessage } from "../schema/model_call.ts";
import { COUNCIL, type CouncilRole } from "../schema/station_ids.ts";
import { RULES } from "../station/rules.ts";
import { divergence } from "../stats/divergence.ts";
import { type PairedDifference, pairedDifference } from "../stats/equivalence.ts";
import type { CollectedStation } from "./collect.ts";
import { governedRuns } from "./station_rows.ts";
import type { StationCouncil } from "../live/station_council.ts";
import { stationPaths } from "./station_paths.ts";

/**
 * What a role may lose: the words of its mandate (its label stays), the private lines of its office, its model, so that the
 * clerk acts for it, or any deed at all. Without a model the role's loss comes together with the clerk's help.
 */
export const ABLATIONS = ["mandate", "office", "model", "idle"] as const;
export type Ablation = typeof ABLATIONS[number];

/**
 * A council in which one role lacks something. All else is the same, also every call's dice, so that runs on equal seeds
 * are paired.
 *
 * @throws {UserError} (`exitCode` 2) on an unknown role or ablation; for a council without models and for a recording,
 * which cannot answer what it was not asked.
 */
export function ablateRole(council: StationCouncil, role: CouncilRole, what: Ablation): StationCouncil {
  if (!COUNCIL.includes(role)) throw unknownName("station role", role, COUNCIL);
  if (!ABLATIONS.includes(what)) throw unknownName("ablation", what, ABLATIONS);
  if (council.chat === "none" || council.identity.startsWith("replay:")) {
    const why = council.chat === "none" ? "has no model to lose" : "is a recording, which holds no other replies";
    throw new UserError(`${role} of the council ${council.label} ${why}: name personas or live:MODEL`, { exitCode: 2 });
  }
  const label = `${council.label}-${role}-no-${what === "idle" ? "deed" : what}`;
  const own = (place = "") => place.split("/")[1] === role;
  // A prompt is changed before it is recorded, so that the record is of what was asked.
  if (what === "mandate" || what === "office") return { ...council, label, wrap: blinded(own, what, role) };
  const { chat } = council, reply = { text: what === "model" ? SILENCE : IDLE, synthetic: true as const };
  // deno-lint-ignore require-await -- so that both kinds reject alike
  return { ...council, label, chat: async (asked, at) => own(at?.place) ? reply : chat(asked, at) };
}

/** A reply without words: the clerk acts. */
export const SILENCE = "";
/** A reply that does nothing. */
export const IDLE = '{"action":"observe"}';

const blinded =
  (own: (place?: string) => boolean, what: "mandate" | "office", role: CouncilRole) =>
  (chat: ChatModel): ChatModel =>
  (request, options) => {
    if (!own(options?.place)) return chat(request, options);
    return chat({ ...request, messages: request.messages.map((one) => without(one, what, role)) }, options);
  };

const PRIVATE = /(?<=\n\nFOR YOU ALONE\n).*?(?=\n\n)/s;

function without(message: ChatMessage, what: "mandate" | "office", role: CouncilRole): ChatMessage {
  const { content } = message;
  if (what === "office") return { ...message, content: content.replace(PRIVATE, "none") };
  return { ...message, content: content.replace(` ${RULES.roles[role].mandate}`, "") };
}

/**
 * What a role adds: runs of the whole council less the ablated ones, paired by seed, with interval and two-sided p over
 * seeds (see `pairedDifference`); `delta` is above zero where what was taken away adds.
 *
 * @param whole runs of the council, `ablated` those of the council without it, on the same seeds, equally often.
 * @returns the effect on `q`, on the share of runs that stabilise, and on `D`, the mean distance of replicates at the last
 * close in what is backed; that is absent with one replicate.
 * @throws {RangeError} on ungoverned runs, one seed, and groups of other seeds or other replicates.
 */
export function roleEffect(whole: readonly CollectedStation[], ablated: readonly CollectedStation[]) {
  const [before, after] = [whole, ablated].map((runs) =>
    Map.groupBy(governedRuns(runs), ({ summary }) => summary.seed)
  );
  const counts = (groups: ReadonlyMap<number, readonly unknown[]>) =>
    [...groups].map(([seed, own]) => `${seed} (${own.length})`).toSorted().join(", ");
  if (counts(before!) !== counts(after!)) {
    throw new RangeError(
      `the groups differ in seeds or replicates: ${counts(before!)} and ${counts(after!)}; run both alike`,
    );
  }
  if (before!.size < 2) throw new RangeError("one seed gives no interval over seeds: run at least two");
  const change = (value: (own: readonly CollectedStation[]) => number): PairedDifference =>
    pairedDifference([...before!].map(([seed, own]) => value(own) - value(after!.get(seed)!)));
  return {
    seeds: before!.size,
    q: change((own) => mean(own.map(({ summary }) => summary.q))),
    stabilized: change((own) => mean(own.map(({ summary }) => Number(summary.stabilized)))),
    ...(whole.length > before!.size && { D: change(spread) }),
  };
}

/** A whole council's runs are compared with those of every ablation. */
const allocation = remembered((run: CollectedStation) => stationPaths(run).allocation);

const spread = (runs: readonly CollectedStation[]): number => divergence(runs.map(allocation)).at(-1)!;
