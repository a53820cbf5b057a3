import { deliberation } from "@/deliberation/deliberate.ts";
import { atMost, type BenchRow, exactly } from "../bench/bench_row.ts";
import { canonicalJson } from "@/core/json.ts";
import { createRng, type Rng } from "@/core/rng.ts";
import { UserError } from "@/core/user_error.ts";
import type { LedgerRun } from "@/record/ledger_run.ts";
import type { Ledger } from "@/record/read_ledger.ts";
import { readStationFolder, type StationFolder } from "@/station/read_station_folder.ts";
import { STATION_FILES } from "@/station/station_files.ts";
import { committees, play, stations, withFolder } from "./live_study.ts";
import { filesBelow } from "./record.ts";
import { faultServer } from "./server.ts";
import { parseLedger } from "../lab/runs/ledgers.ts";

/** Records of live runs that were changed on disk: each change must be named, and none read as something else. */

interface FlipsOptions {
  readonly flips: number;
  readonly seed: number;
}

/** What reading a changed record came to. */
type Outcome = "named" | "same" | "cut" | "silent" | "crashed";

/** One changed bit; or, three times in ten, a line exchanged with the next one, doubled or taken out. */
function damaged(bytes: Uint8Array, rng: Rng): Uint8Array {
  const kind = rng.int(10);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  if (kind > 2 || lines.length < 4) {
    const changed = bytes.slice();
    changed[rng.int(bytes.length)]! ^= 1 << rng.int(8);
    return changed;
  }
  // Never the first line, which declares the runs, nor the last, without which a record ends early as after a kill.
  const at = 1 + rng.int(lines.length - 3);
  const [one, next] = [lines[at]!, lines[at + 1]!];
  lines.splice(at, 2, ...[[next, one], [one, one, next], [next]][kind]!);
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

/** What `read` makes of a change: refused by the file's name, or judged by what was read. */
async function outcomeOf<T>(path: string, read: () => T | Promise<T>, judge: (found: T) => Outcome): Promise<Outcome> {
  let found: T;
  try {
    found = await read();
  } catch (error) {
    return error instanceof UserError && error.message.includes(path) ? "named" : "crashed";
  }
  return judge(found);
}

function counted(about: string, outcomes: readonly Outcome[]): BenchRow[] {
  const of = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const note = `of ${outcomes.length}; ${of("named")} named, ${of("cut")} as if cut off, ${of("same")} without effect`;
  return [
    exactly(0, {
      name: `${about}: changes read silently as other content`,
      value: of("silent"),
      unit: "changes",
      note,
    }),
    exactly(0, { name: `${about}: changes that end in a defect`, value: of("crashed"), unit: "changes" }),
  ];
}

/** Changes a committees' ledger. */
export async function studyLedgerFlips({ flips, seed }: FlipsOptions): Promise<BenchRow[]> {
  return await withFolder(async (out) => {
    await using server = await faultServer({ distinct: true });
    await play(committees(5, { small: true }), { out, baseUrl: server.baseUrl });
    const path = (await filesBelow(out)).find((file) => file.endsWith(".jsonl"))!;
    const bytes = await Deno.readFile(path);
    const sound = parseLedger(bytes, path, { protocol: deliberation });
    const outcomes: Outcome[] = [];
    let mostLost = 0;
    for (let i = 0; i < flips; i++) {
      const changed = damaged(bytes, createRng(seed).fork(i));
      const judge = (found: Ledger) => {
        mostLost = Math.max(mostLost, sound.runs.length - found.runs.filter(isSound).length);
        return judgeLedger(found, sound);
      };
      outcomes.push(await outcomeOf(path, () => parseLedger(changed, path, { protocol: deliberation }), judge));
    }
    return [
      ...counted("a ledger", outcomes),
      // Without its line end, a line takes the next one with it.
      atMost(2, {
        name: `a ledger: most of its ${sound.runs.length} runs lost to one change`,
        value: mostLost,
        unit: "runs",
      }),
    ];
  });
}

const isSound = ({ damaged, closed }: LedgerRun): boolean => damaged !== true && closed !== undefined;

/**
 * Every run that is not marked must be what it was. One that lost its last line stands there as after a kill: it counts as
 * unfinished and goes on from there.
 */
function judgeLedger(found: Ledger, sound: Ledger): Outcome {
  const whole = new Map(sound.runs.map((run) => [keyOf(run), run.events]));
  const unmarked = found.runs.filter((run) => run.damaged !== true);
  const isPrefix = (run: LedgerRun) =>
    canonicalJson(run.events) === canonicalJson(whole.get(keyOf(run))?.slice(0, run.events.length));
  const same = canonicalJson(found.declaration) === canonicalJson(sound.declaration) && unmarked.every(isPrefix);
  if (!same) return "silent";
  if (found.damaged.length > 0 || found.torn !== undefined) return "named";
  if (found.runs.length < sound.runs.length) return "silent";
  return found.runs.every(isSound) ? "same" : "cut";
}

const keyOf = ({ replicate, attempt }: LedgerRun): string => `${replicate}/${attempt}`;

/** Changes the files of a station run, each as often as its size has it. */
export async function studyStationFlips({ flips, seed }: FlipsOptions): Promise<BenchRow[]> {
  return await withFolder(async (out) => {
    await using server = await faultServer({ distinct: true });
    await play(stations({ seed: 7 }), { out, baseUrl: server.baseUrl });
    const summary = (await filesBelow(out)).find((file) => file.endsWith(STATION_FILES.summary))!;
    const folder = summary.slice(0, -STATION_FILES.summary.length - 1);
    const files = await Promise.all(
      [STATION_FILES.events, STATION_FILES.calls, STATION_FILES.summary].map(async (name) => ({
        path: `${folder}/${name}`,
        bytes: await Deno.readFile(`${folder}/${name}`),
      })),
    );
    const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const sound = contentOf(await readStationFolder(folder));
    const outcomes: Outcome[] = [];
    for (let i = 0; i < flips; i++) {
      const rng = createRng(seed).fork(i);
      let left = rng.int(total);
      const { path, bytes } = files.find(({ bytes }) => (left -= bytes.length) < 0)!;
      await Deno.writeFile(path, damaged(bytes, rng));
      const judge = (found: StationFolder): Outcome =>
        contentOf(found) === sound ? "same" : found.torn.length > 0 ? "named" : "silent";
      outcomes.push(await outcomeOf(folder, () => readStationFolder(folder), judge));
      await Deno.writeFile(path, bytes);
    }
    return counted("a station run", outcomes);
  });
}

const contentOf = ({ header, events, calls, summary }: StationFolder): string =>
  canonicalJson({ header, events, calls, summary });
