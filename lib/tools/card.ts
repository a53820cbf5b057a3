import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { known } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import { readLedger } from "../deliberation/ledger.ts";
import { checkOut, missing, readText, writeAtomically } from "../record/files.ts";
import { beginsAsLedger } from "../record/ledger_rules.ts";
import { type CardSource, committeeCard, recordsCard, stationCard } from "../runs/card.ts";
import { importConditions } from "../runs/import_conditions.ts";
import { isFolder, readSummaryFile, summaryFiles } from "../runs/summary_files.ts";
import { Card } from "../schema/card.ts";
import { StationSummary } from "../schema/station_summary.ts";
import { STATION_FILES } from "../station/station_files.ts";
import { cardPage } from "./card_page.ts";
import { badArguments, count, print, runCommand } from "./command.ts";
import { fromFile } from "./measure_sources.ts";
import { askedRecords, RECORD_FLAGS } from "./record_flags.ts";
import HELP from "./help/card.txt" with { type: "text" };

/** The dates of the first and the last entry of a ledger. */
async function datesOf(path: string): Promise<{ first?: string; last?: string }> {
  // Quotes within a reply's text are escaped in JSON, so this finds the entries' own dates alone.
  const dates = Array.from((await readText(path)).matchAll(/"at":"(\d{4}-[\d-]+T[\d:.]+Z)"/g), ([, date]) => date!)
    .sort();
  return dates.length === 0 ? {} : { first: dates[0]!, last: dates.at(-1)! };
}

async function ofFile(path: string): Promise<CardSource[]> {
  if (await beginsAsLedger(path)) return [committeeCard(await readLedger(path), await datesOf(path))];
  if (path.endsWith(STATION_FILES.summary)) return await ofStations(path);
  const { name, condition: { seats }, runs, synthetic, facts } = await fromFile(path, { reread: undefined });
  return [recordsCard({
    ...{ name, agents: seats.map(({ label }) => label), ...known({ synthetic }), ...facts },
    runs: runs.map(({ replicate, id = String(replicate), means, preferences, decision }) => (
      { id, means, states: preferences, decision }
    )),
  })];
}

/** Ledgers and station runs of a folder, at any depth. */
async function ofFolder(folder: string): Promise<CardSource[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  const parts: CardSource[] = [];
  for (const name of names.filter((name) => !LOGS.includes(basename(name))).sort()) {
    const file = join(folder, name);
    if (await beginsAsLedger(file)) parts.push(...await ofFile(file));
  }
  return parts.length > 0 ? parts : await ofStations(folder);
}

const LOGS: readonly string[] = [...Object.values(STATION_FILES), "record.jsonl"];

/** A part a council and ruleset. */
async function ofStations(path: string): Promise<CardSource[]> {
  const summaries: StationSummary[] = [];
  for (const file of (await summaryFiles(path)).files) {
    for await (const { summary, name } of readSummaryFile(file)) {
      const whole = StationSummary.safeParse(summary);
      if (!whole.success) throw new UserError(`${name}: is no whole summary of a run: a card needs all its fields`);
      summaries.push(whole.data);
    }
  }
  const groups = Map.groupBy(summaries, ({ model, ruleset }) => `${model}, ${ruleset}`);
  return [...groups].map(([name, own]) => stationCard(name, own));
}

if (import.meta.main) {
  await runCommand({
    name: "card",
    help: HELP,
    options: { out: { type: "string", default: "data/out/card" }, from: { type: "string" }, ...RECORD_FLAGS },
    async run({ values, positionals }) {
      if (positionals.length === 0) {
        throw badArguments("name a ledger, a folder of runs, or records with --source or --from");
      }
      checkOut(values.out);
      const asked = askedRecords({ ...values, format: values.from }), sources: CardSource[] = [];
      if (asked) {
        sources.push(...(await importConditions(positionals, asked.source, asked.options)).map(recordsCard));
      } else {
        for (const path of positionals) sources.push(...await (await isFolder(path) ? ofFolder(path) : ofFile(path)));
      }
      const paths = { page: join(values.out, "card.html"), json: join(values.out, "card.json") };
      for (const path of Object.values(paths)) {
        if (!await missing(path)) {
          throw new UserError(`${path} is there already; name another folder with --out, or remove it`);
        }
      }
      const card = Card.parse({ schema: "card/1", parts: sources.map(({ part }) => part) });
      await writeAtomically(paths.json, `${JSON.stringify(card, null, 2)}\n`);
      await writeAtomically(paths.page, cardPage(sources));
      print(`${paths.page}: ${count(sources.length, "condition")}`);
      print(paths.json);
    },
  });
}
