import assert from "node:assert/strict";
import { csvParse } from "d3-dsv";
import { withFiles } from "../runs/with_files.ts";
import { readStationBatch } from "@/runs/station_batch.ts";
import { serve } from "@/tools/serve/endpoint.ts";
import { outcome } from "./command.ts";

/** Commands against `serve`: it answers for language models, and everything that a reader sees says that it is none. */

Deno.test("a live station that serve answers is complete, and synthetic in line, manifest and summary", () =>
  withFiles({}, async (cwd) => {
    await using served = await serve({ port: 0 });
    const env = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: served.baseUrl };
    const args = ["station-personas", "--council", "live:triage", "--seed", "104", "--out", "out"];
    const { code, stdout, stderr } = await outcome("run", args, { cwd, env });
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).synthetic, true);
    const { manifest: [row], summaries: [summary] } = await readStationBatch(`${cwd}/out`);
    assert.deepEqual([row!.synthetic, summary!.synthetic], [true, true]);
    const again = await outcome("run", args, { cwd, env });
    assert.deepEqual([again.code, again.stdout], [0, stdout]);
  }));

Deno.test("live committees that serve answers are synthetic in line, tables and measures, complete or not", () =>
  withFiles({}, async (cwd) => {
    const condition = ["--scenario", "IM-01", "--roles", "true", "--rounds", "4", "--replicates", "2"];
    const args = [...condition, "--council", "live", "--out", "out", "--csv", "tables"];
    const runWith = async (faults: Record<string, number>, more: readonly string[] = []) => {
      await using served = await serve({ port: 0, faults });
      const env = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: served.baseUrl };
      return await outcome("run", [...args, ...more], { cwd, env });
    };
    const done = await runWith({});
    assert.equal(done.code, 0, done.stderr);
    const line = JSON.parse(done.stdout);
    assert.deepEqual([line.synthetic, line.realised], [true, 2]);
    const means = csvParse(await Deno.readTextFile(`${cwd}/tables/means.csv`));
    assert.deepEqual([...new Set(means.map(({ synthetic }) => synthetic))], ["true"]);
    const measured = await outcome("measure", [line.ledger, "--json", "--from", "1", "--to", "4"], { cwd });
    assert.equal(JSON.parse(measured.stdout).synthetic, true, measured.stderr);
    const short = await runWith({ truncated: 0.5 }, ["--out", "short", "--no-preflight"]);
    const none = JSON.parse(short.stdout);
    assert.deepEqual([short.code, none.synthetic, none.realised], [1, true, 0]);
  }));
