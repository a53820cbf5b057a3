import type { Budget } from "../model/budget.ts";
import type { Providers } from "../schema/providers.ts";
import type { RoleModels } from "../schema/station_ids.ts";
import { readSlot } from "../station/fill_slot.ts";
import { modelsByRole, switches } from "../station/run_station.ts";
import { repairPrompt } from "../station/station_prompt.ts";
import { audited, type AuditRow, auditStation } from "./audit.ts";
import { billsOf, budgetOf, describeInFlight, describeSpent } from "./bills.ts";
import { whoWrites } from "./ledger_writer.ts";
import { type GivenPrices, type LivePlan, pricesOf } from "./live_session.ts";
import { type OnCall, tallier } from "./tally.ts";
import { describeCost, describeTokens } from "./describe_plan.ts";
import { planStation, stationRequests } from "./plan_station.ts";
import { onePerModel, preflight, type PreflightOptions, type Probe } from "./preflight.ts";
import { readStationFolder } from "./read_station_folder.ts";
import { missing, readStationLogIfBegun } from "./read_station_run.ts";
import type { StationFolderRun } from "./run_station_folder.ts";
import { liveFolders, type RunStationBatchOptions, type StationPlan } from "./station_batch.ts";
import type { StationCouncil } from "./station_council.ts";
import { STATION_FILES } from "./station_files.ts";

/** Options for {@linkcode stationSession}. */
interface StationSessionOptions extends Pick<RunStationBatchOptions, "councils"> {
  readonly out: (council: StationCouncil) => string;
  readonly given?: GivenPrices | undefined;
  readonly budgetUsd?: number | undefined;
  readonly providers: Providers;
}

/** A batch of station runs before and after it is run: what it takes, what it may cost, and how it went. */
export interface StationSession {
  readonly runs: number;
  readonly live: boolean;
  /** What remains, by what is known now. */
  plan(): Promise<LivePlan>;
  budget(): Promise<Budget | undefined>;
  /** The councils with their calls counted: `onCall` is told of those of all live ones together. */
  watched(councils: readonly StationCouncil[], onCall: OnCall): StationCouncil[];
  /** Asks every model once, with the prompt of a role that it plays; nobody where another process writes one of the runs. */
  preflight(
    councils: readonly StationCouncil[],
    options: Pick<PreflightOptions, "signal" | "callSignal" | "onNotice">,
  ): Promise<void>;
  /** What live runs have to show, in words, and kept beside them. */
  audit(runs: readonly StationFolderRun[]): Promise<string[]>;
  /** What all sessions together have cost; undefined where nothing was asked. */
  spent(): Promise<string | undefined>;
}

/** Prepares a batch; nothing is asked and nothing is written before `preflight`. */
export async function stationSession(plan: StationPlan, options: StationSessionOptions): Promise<StationSession> {
  const { councils, out, given, budgetUsd, providers } = options;
  const { seeds, rulesets, replicates = 1 } = plan;
  const asked = councils.filter(({ chat }) => chat !== "none");
  const live = asked.filter((council) => council.live);
  const times = seeds.length * rulesets.length;
  const models = [...new Set(live.flatMap(({ model }) => Object.values(modelsByRole(model))))];
  const prices = await pricesOf(models, given);
  const roots = [...new Set(live.map(out))];
  const folders = liveFolders(plan, { councils, out });
  // A schema that is not shown is there to be missed: then a reply that cannot be read is a finding.
  const shown = rulesets.find((ruleset) => switches(ruleset).schemaShown);
  const ruleset = shown ?? rulesets[0]!;
  const probesOf = async (model: RoleModels): Promise<Probe[]> => {
    const models = modelsByRole(model);
    const requests = await stationRequests({ ...plan, ruleset });
    const probes = requests.map(({ role, request }) => ({
      request: { ...request, model: models[role] },
      flaw(text: string) {
        const code = shown && readSlot(text, switches(shown)).code;
        const again = (code: string) => repairPrompt(request.messages, text, code, switches(ruleset));
        return code === undefined ? undefined : { words: `its action cannot be read (${code})`, again: again(code) };
      },
    }));
    return onePerModel(probes, requests.map(({ role }) => role));
  };
  const held = {
    roots,
    folders: folders.map(({ folder, council }) => ({ folder, models: modelsByRole(council.model) })),
  };
  return {
    runs: times * (councils.length - asked.length + asked.length * replicates),
    live: live.length > 0,
    async plan() {
      const filled = await Promise.all(
        asked.map((council) =>
          Promise.all(folders.filter((one) => one.council === council).map(({ folder }) => slotsFilled(folder)))
        ),
      );
      const each = { ruleset: rulesets[0]!, runs: times * replicates, prices, filled, out: roots };
      const cost = await planStation(asked.map(({ model }) => model), each);
      const words = live.length > 0 ? describeCost(cost, providers) : describeTokens(cost);
      return { words: words + await describeInFlight(held, prices), calls: cost.calls };
    },
    async budget() {
      const probes = (await Promise.all(live.map(({ model }) => probesOf(model)))).flat();
      return await budgetOf({ prices, budgetUsd }, probes.map(({ request }) => request), held);
    },
    watched(councils, onCall) {
      const count = tallier(prices, onCall);
      return councils.map((council) =>
        council.live && council.chat !== "none" ? { ...council, chat: count(council.chat) } : council
      );
    },
    async preflight(councils, settings) {
      for (const { folder } of folders) {
        const busy = whoWrites(`${folder}/${STATION_FILES.events}`);
        if (busy) throw busy;
      }
      for (const council of councils.filter(({ live }) => live)) {
        if (council.chat === "none") continue;
        const { chat, identity } = council;
        await preflight(await probesOf(council.model), { ...settings, chat, identity, root: out(council) });
      }
    },
    async audit(runs) {
      const rows = new Map<string, AuditRow[]>();
      for (const council of live) {
        const own = runs.filter(({ header }) =>
          header.council === council.label && header.identity === council.identity
        );
        if (own.length === 0) continue;
        const row = auditStation(council.label, await Promise.all(own.map(({ folder }) => readStationFolder(folder))));
        rows.set(out(council), [...rows.get(out(council)) ?? [], row]);
      }
      return await Promise.all([...rows].map(([root, own]) => audited(root, own)));
    },
    spent: async () => describeSpent(await billsOf(held), prices),
  };
}

/** Turns of a run that are on record. */
async function slotsFilled(folder: string): Promise<number> {
  const path = `${folder}/${STATION_FILES.events}`;
  const log = await missing(path) ? undefined : await readStationLogIfBegun(path);
  return log?.events.filter(({ kind }) => kind === "action.taken").length ?? 0;
}
