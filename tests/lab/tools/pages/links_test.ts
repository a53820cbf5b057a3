import assert from "node:assert/strict";
import { join } from "node:path";
import { findFiles } from "@/lab/tools/notebooks/notebook_file.ts";
import { PROJECT } from "@/lab/tools/notebooks/workspace.ts";
import { rebaseLink } from "@/lab/tools/pages/links.ts";
import { localLinks } from "../../../gate/notebooks/local_links.ts";

const place = { root: "/p/notebooks", from: "/p/notebooks/deliberation", to: "/p/data/out/html/deliberation" };
const cases: [href: string, rebased: string][] = [
  ["02.ipynb", "02.html"],
  ["../station/01.ipynb#What-now?", "../station/01.html#What-now?"],
  ["../guide/live_runs.md#Money", "../guide/live_runs.html#Money"],
  ["../../README.md", "../../../../README.md"],
  ["../../lib/stats/divergence.ts", "../../../../lib/stats/divergence.ts"],
  ["../../data/published/", "../../../published/"],
  ["#Here", "#Here"],
  ["https://example.org/a.ipynb", "https://example.org/a.ipynb"],
  ["mailto:a@example.org", "mailto:a@example.org"],
];
for (const [href, rebased] of cases) {
  Deno.test(`rebaseLink(${href})`, () => assert.equal(rebaseLink(href, place), rebased));
}

Deno.test("localLinks() finds links and images that lead to files, not those in code", () => {
  const markdown = "[a](x.ts) **[b](https://e.org)** ![c](y.png)\n\n- [d](#z)\n- [e](w/)\n\n`[f](v)`";
  assert.deepEqual(localLinks(markdown), ["x.ts", "y.png", "w/"]);
});

Deno.test("every link of README, change log and guide leads to a file, and to a section that it has", async () => {
  const guide = await findFiles(join(PROJECT, "notebooks", "guide"), ".md");
  assert.ok(guide.length >= 6, `${guide.length} guide pages`);
  const slug = (heading: string) => heading.toLowerCase().replace(/[^\w\s-]/g, "").replaceAll(" ", "-");
  for (const path of [join(PROJECT, "README.md"), join(PROJECT, "CHANGELOG.md"), ...guide]) {
    for (const link of localLinks(await Deno.readTextFile(path))) {
      const [file = "", section] = link.split("#");
      const target = join(path, "..", file);
      assert.ok(await Deno.stat(target).then(() => true, () => false), `${path}: ${link} leads nowhere`);
      if (section === undefined) continue;
      const headings = [...(await Deno.readTextFile(target)).matchAll(/^#+ (.*)$/gm)].map(([, words]) => slug(words!));
      assert.ok(headings.includes(section), `${path}: ${link} names no section`);
    }
  }
});
