import assert from "node:assert/strict";
import { VERSIONS } from "@/lab/sweep/database.ts";

Deno.test("every file of SQL is a version of the tables, each in its place", () => {
  const folder = new URL("../../../lib/lab/sweep/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".sql")).sort();
  assert.deepEqual([...VERSIONS], files);
  files.forEach((name, i) => assert.match(name, new RegExp(`^${String(i + 1).padStart(3, "0")}_`)));
});
