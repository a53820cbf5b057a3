import { fixedText, intervalText, share } from "../../core/numbers.ts";
import { known } from "../../core/options.ts";
import { conditionWords } from "../../deliberation/label_conditions.ts";
import { noise } from "../../deliberation/noise.ts";
import { accountRuns, isComplete } from "../../record/accounting.ts";
import { checkOut } from "../../record/files.ts";
import { byteLines } from "../../record/lines.ts";
import { readRecord } from "../../record/read_ledger.ts";
import { sealedSchema } from "../../schema/ledger_line.ts";
import { isLiveName } from "../live/live_session.ts";
import { type NoiseLedger, noiseSession } from "../live/noise_session.ts";
import { readConditions } from "../live/run_experiment.ts";
import { type NoiseRow, noiseRows } from "../runs/noise.ts";
import {
  badArguments,
  decimal,
  flags,
  listOf,
  print,
  runCommand,
  say,
  textTable,
  type Values,
  whole,
  word,
} from "./command.ts";
import { councilNamed, LIVE_FLAGS, liveOptions } from "./live_flags.ts";
import { report, runHere } from "./run.ts";
import { refuseDeficit } from "./run_report.ts";
import { checkTables } from "./tables.ts";
import HELP from "./help/noise.txt" with { type: "text" };

const { concurrency: _, "no-preflight": __, map: ___, ...LIVE } = LIVE_FLAGS;
const FLAGS = {
  ...flags("string", "council", "against", "seat", "out", "csv"),
  ...flags("boolean", "dry-run", "json"),
  ...LIVE,
  scenario: { type: "string", default: "HL-01" },
  committee: { type: "string" },
  temperature: decimal(),
  n: { ...whole(2), default: "64" },
  concurrency: listOf(whole(1).read),
  prompts: word("first", "all"),
  seed: { ...whole(), default: "1" },
} as const;

const HEADS = [
  ...["condition", "model", "in flight", "replies", "equal pairs", "distinct", "differ (95 %)", "first difference"],
  ...["margin", "distance", "same fingerprint", "same cache", "as first, later"],
];
const READING =
  "distance: between the states of two replies; differences below it are noise here. None seen is no proof: " +
  "the interval then ends at 3 of n.";

const shown = (value: number | undefined, text: (value: number) => string = String) =>
  value === undefined ? "unknown" : text(value);

function cells({ differences, unit, missing, ...row }: NoiseRow): string[] {
  const places = [...new Set(differences.map(({ at }) => at))].toSorted((a, b) => a - b),
    ends = intervalText(row.low, row.high, 3);
  const within = (value: number | undefined, groups: number | undefined) =>
    groups === undefined ? "unknown" : `${shown(value, share)} in ${groups}`;
  return [
    ...[row.condition, row.model, shown(row.concurrency), `${row.replies}${missing > 0 ? `, ${missing} missing` : ""}`],
    ...[shown(row.equal, share), shown(row.distinct), `${shown(row.differ, share)}${ends ? ` ${ends}` : ""}`],
    places.length === 0 ? "none" : `${unit} ${places.slice(0, 5).join(", ")}${places.length > 5 ? ", …" : ""}`,
    ...[shown(row.margin, (nats) => fixedText(nats, 3)), shown(row.distance, fixedText)],
    ...[within(row.equalByFingerprint, row.fingerprints), within(row.equalByCached, row.cached)],
    `${shown(row.equalToFirst, share)}, ${shown(row.equalLater, share)}`,
  ];
}

/** Rows for programs, for people and as a table. */
const rowsAs = {
  lines: (rows: readonly NoiseRow[]) => rows.map((row) => ({ schema: "noise/1", ...row })),
  table: (rows: readonly NoiseRow[]) => `${textTable([HEADS, ...rows.map(cells)])}\n${READING}`,
  tables: (rows: readonly NoiseRow[]) => ({ noise: rows.map(({ differences: _, ...row }) => row) }),
  refuseMissing: () => {},
};

const answeredIn = ({ declaration: { condition: { condition, concurrency, seats, asked } }, runs }: NoiseLedger) => (
  {
    label: conditionWords(condition),
    condition,
    concurrency,
    runs: runs.filter(isComplete),
    model: seats[asked[0]!]!.model,
  }
);

async function isNoise(path: string): Promise<boolean> {
  for await (const { bytes } of byteLines(path)) {
    return new TextDecoder().decode(bytes).includes(`"${sealedSchema("noise")}"`);
  }
  return false;
}

async function ofLedgers(paths: readonly string[], { prompts, seed }: Values<typeof FLAGS>): Promise<NoiseRow[]> {
  const [own, others]: [string[], string[]] = [[], []];
  for (const path of paths) (await isNoise(path) ? own : others).push(path);
  const kept = await Promise.all(own.map((path) => readRecord(path, noise)));
  return [
    ...noiseRows(await readConditions(others), { prompts, seed }),
    ...noiseRows(kept.map(answeredIn), { prompts: "all", seed }),
  ];
}

async function live(values: Values<typeof FLAGS>): Promise<void> {
  const { concurrency, ...one } = values,
    { n, seed, prompts, seat, scenario, temperature, committee, against, out } = one;
  const council = councilNamed(one) ?? "", levels = concurrency ?? [1, 8, 64].filter((level) => level <= n);
  if (!isLiveName(council)) throw badArguments("name ledgers, or the model to ask: --council live:MODEL");
  const idle = levels.find((level) => level > n);
  if (idle) throw badArguments(`--concurrency ${idle} is more than the ${n} requests of --n: raise --n, or lower it`);
  const councils = [council, ...against === undefined ? [] : [`live:${against}`]];
  const asked = { env: Deno.env, data: "data", live: liveOptions(one) };
  const spec = { scenario, ...known({ temperature, committee }) };
  const session = await noiseSession(spec, { ...asked, councils, levels, n, seed, ...known({ out, prompts, seat }) });
  await session.check();
  const planned = await session.plan();
  if (values["dry-run"]) return print(planned.words);
  say(planned.words);
  const rowsOf = (ledgers: readonly NoiseLedger[]) => noiseRows(ledgers.map(answeredIn), { prompts: "all", seed });
  await runHere(
    {
      ...{ name: "noise", runs: session.runs, live: true, session },
      run: (opened, { onRuns, ...signals }) => session.run(opened, { ...signals, onRun: () => onRuns(1) }),
      lines: (ledgers) => rowsAs.lines(rowsOf(ledgers)),
      table: (ledgers) => rowsAs.table(rowsOf(ledgers)),
      tables: (ledgers) => rowsAs.tables(rowsOf(ledgers)),
      refuseMissing: (ledgers) => refuseDeficit(ledgers.map((ledger) => ({ accounting: accountRuns(ledger) }))),
    },
    values,
    planned,
  );
}

if (import.meta.main) {
  await runCommand({
    name: "noise",
    help: HELP,
    options: FLAGS,
    async run({ values, positionals }) {
      checkOut(values.out);
      if (values.csv !== undefined) await checkTables(values.csv);
      if (positionals.length === 0) return await live(values);
      if (values.council ?? values.model) throw badArguments("give ledgers or --council, not both");
      await report({ ...rowsAs, session: {} }, await ofLedgers(positionals, values), values);
    },
  });
}
