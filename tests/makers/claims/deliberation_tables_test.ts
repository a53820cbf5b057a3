import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { DELIBERATION_TABLES, loadDeliberationEvidence } from "./deliberation_tables.ts";

Deno.test("loadDeliberationEvidence() reads all rows of every table, as many as the paper prints", async () => {
  const tables = await loadDeliberationEvidence();
  const { facts, study: _, ...counted } = Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.length]),
  );
  assert.deepEqual(counted, {
    ...{ routes: 4, landscape: 48, mixed: 24, scenarios: 12, conditions: 23, models: 20 },
    ...{ switches: 5, effects: 17, phrasings: 6, accounting: 19, failures: 3, references: 12 },
  });
  assert.ok(facts! > 80);
});

Deno.test("a slope that is needed and not published is refused with its file and line", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/deliberation`);
    for (const { file } of Object.values(DELIBERATION_TABLES)) {
      await Deno.copyFile(new URL(`../../../data/published/${file}`, import.meta.url), `${folder}/${file}`);
    }
    const file = `${folder}/${DELIBERATION_TABLES.landscape.file}`;
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace("IM-01,true,0,0.0838", "IM-01,true,0,not published"));
    await assert.rejects(
      loadDeliberationEvidence({ folder }),
      (error) =>
        error instanceof UserError && /table_s8_landscape\.csv:2: lambda: must be published/.test(error.message),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
