import assert from "node:assert/strict";
import { relative } from "node:path";
import { code, notebookOf, withNotebooks } from "../../notebook/notebooks.ts";
import { UserError } from "@/core/user_error.ts";
import { findNotebooks, readNotebook } from "@/tools/notebooks/notebook_file.ts";

const empty = notebookOf();

Deno.test("findNotebooks() gives notebooks of all folders by name, without Jupyter's checkpoints", () =>
  withNotebooks({ "b.ipynb": empty, "a/c.ipynb": empty, ".ipynb_checkpoints/b.ipynb": empty }, async ({ folder }) => {
    const names = (await findNotebooks(folder)).map((path) => relative(folder, path));
    assert.deepEqual(names, ["a/c.ipynb", "b.ipynb"]);
  }));

Deno.test("findNotebooks() says when there is nothing to find", async () => {
  await assert.rejects(findNotebooks("no/such/folder"), /there is no folder .*no.such.folder/);
  await withNotebooks({ "a.ipynb": empty }, async ({ folder, path }) => {
    await Deno.remove(path("a.ipynb"));
    await assert.rejects(findNotebooks(folder), /holds no notebook/);
  });
});

Deno.test("readNotebook() names the line of what is no notebook", () =>
  withNotebooks({ "a.ipynb": notebookOf(code("a")) }, async ({ path }) => {
    const text = await Deno.readTextFile(path("a.ipynb"));
    await Deno.writeTextFile(path("a.ipynb"), text.replace(`"execution_count": null`, `"execution_count": "x"`));
    await assert.rejects(readNotebook(path("a.ipynb")), (error: unknown) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /a\.ipynb:5:\d+: cells\[0\]\.execution_count/);
      return true;
    });
  }));
