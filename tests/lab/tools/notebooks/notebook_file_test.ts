import assert from "node:assert/strict";
import { relative } from "node:path";
import { code, notebookOf, withNotebooks } from "../../notebook/notebooks.ts";
import { UserError } from "@/core/user_error.ts";
import { canonical, findNotebooks, Notebook, notebookText, readNotebook } from "@/lab/tools/notebooks/notebook_file.ts";

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

/** Written by nbformat 5.5. */
const WRITTEN = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m1",
   "metadata": {},
   "source": [
    "# T\\n",
    "é λ"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "c1",
   "metadata": {
    "tags": [
     "parameters"
    ]
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "one\\n",
      "two\\n"
     ]
    },
    {
     "data": {
      "application/json": {
       "a": [
        "x\\n",
        "y"
       ]
      },
      "image/png": "iVBORw0KGgo=\\n",
      "text/html": [
       "<b>a</b>\\n",
       "<i>b</i>"
      ]
     },
     "metadata": {},
     "output_type": "display_data"
    }
   ],
   "source": []
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

Deno.test("notebookText() writes a notebook byte for byte as Jupyter does", () => {
  assert.equal(notebookText(Notebook.parse(JSON.parse(WRITTEN))), WRITTEN);
});

Deno.test("canonical() leaves out times, has the language as the kernel tells it, and names every cell", () => {
  const execution = { "iopub.execute_input": "2026-01-01T00:00:00Z" };
  const notebook = Notebook.parse({
    nbformat: 4,
    "nbformat_minor": 2,
    metadata: { "language_info": { name: "typescript", version: "1.0.0" }, authors: ["x"] },
    cells: [{ "cell_type": "markdown", metadata: { execution, tags: ["a"] }, source: "x" }],
  });
  const { cells, metadata, nbformat_minor: minor } = canonical(notebook);
  assert.equal(minor, 5);
  assert.deepEqual(cells, [{ "cell_type": "markdown", id: "cell-1", metadata: { tags: ["a"] }, source: "x" }]);
  assert.deepEqual(Object.keys(metadata).sort(), ["authors", "kernelspec", "language_info"]);
  assert.equal((metadata.language_info as { version: string }).version, Deno.version.typescript);
});
