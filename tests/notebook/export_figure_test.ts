import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { UserError } from "@/core/user_error.ts";
import { exportFigure, renderPng } from "@/notebook/figure_bundle.ts";
import { withNotebooks } from "./notebooks.ts";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"></svg>`;
const figure = { name: "f", svg, alt: "nothing", caption: "", rows: [{ a: 1 }] };

Deno.test("exportFigure() saves SVG, PNG and CSV, and nothing half-written beside them", () =>
  withNotebooks({}, async ({ out }) => {
    const paths = await exportFigure(figure, out);
    assert.deepEqual(paths.map((path) => basename(path)), ["f.svg", "f.png", "f.csv"]);
    assert.equal(await Deno.readTextFile(paths[0]!), svg);
    assert.deepEqual(await Deno.readFile(paths[1]!), renderPng(svg, 2));
    assert.equal(await Deno.readTextFile(paths[2]!), "a\n1\n");
    assert.equal((await Array.fromAsync(Deno.readDir(out))).length, 3);
  }));

Deno.test("exportFigure() says what is wrong when a file stands in the folder's place", () =>
  withNotebooks({}, async ({ out }) => {
    await Deno.mkdir(out, { recursive: true });
    await Deno.writeTextFile(join(out, "taken"), "");
    await assert.rejects(exportFigure(figure, join(out, "taken")), (error: unknown) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /cannot write .*f\.svg: something that is not a folder stands in the way/);
      return true;
    });
  }));
