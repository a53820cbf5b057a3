// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { join } from "node:path";
import { slope } from "@/core/numbers.ts";
import { type Notebook, readNotebook, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";
import { PROJECT } from "@/lab/tools/notebooks/workspace.ts";

/** What the stored notebooks print: one quantity has one interval, whichever of them shows it. */
const notebook = (name: string) => readNotebook(join(PROJECT, "notebooks", "deliberation", `${name}.ipynb`));

function outputsOf(read: Notebook): string[] {
  return runnableCells(read).flatMap(({ outputs }) =>
    outputs.flatMap((output) =>
      output.output_type === "display_data" ? String(output.data["text/html"] ?? output.data["text/markdown"]) : []
    )
  );
}

/** A cell of a table, by the beginning of its caption, its row's first cell and its column. */
async function cell(name: string, caption: string, row: string, column: string): Promise<string | undefined> {
  const tables = outputsOf(await notebook(name)).filter((html) => html.includes("<table"))
    .flatMap((html) => parseHTML(`<body>${html}</body>`).document.querySelector("table") ?? []);
  const table = tables.find((one) => one.querySelector("caption")?.textContent.startsWith(caption));
  const at = [...table?.querySelectorAll("thead th") ?? []].findIndex(({ textContent }) => textContent === column);
  const found = [...table?.querySelectorAll("tbody tr") ?? []].map((line) => [...line.children])
    .find(([first]) => first?.textContent === row);
  return found?.[at]?.textContent;
}

/** The ends of an interval in the data of a figure. */
async function ends(name: string, figure: string, wanted: Readonly<Record<string, string>>): Promise<string> {
  const html = outputsOf(await notebook(name)).find((one) => one.includes(`data-figure="${figure}"`)) ?? "";
  const [, csv = ""] = /data:text\/csv[^,]*,([^"]+)"/.exec(html) ?? [];
  const row = csvParse(decodeURIComponent(csv))
    .find((one) => Object.entries(wanted).every(([key, value]) => one[key] === value));
  return `${slope(Number(row?.low))} to ${slope(Number(row?.high))}`;
}

const studentised = "95 % (studentised)";
const uniform = { configuration: "uniform, roles on", temperature: "0" };
const quantities: Readonly<Record<string, readonly Promise<string | undefined>[]>> = {
  "λ̂ of HL-01 with roles": [
    cell("01_two_routes", "λ̂ in nats per round", "uniform, roles on", studentised),
    cell("02_chair", "HL-01: λ̂ of each committee", "all mandates", studentised),
    cell("04_memory", "λ̂ at each window", "health, k = 15", studentised),
    ends("05_landscape", "landscape-intervals", { ...uniform, scenario: "HL-01" }),
    cell("09_growth", "λ̂ and hinge fit", "uniform, roles on", studentised),
    cell("15_sizes", "All committees", "5 agents, 20 rounds", studentised),
    cell("16_explorer", "What the page shows", "HL-01, uniform, roles on", studentised),
  ],
  "λ̂ of IM-01 with roles": [
    cell("02_chair", "IM-01, slopes", "none", studentised),
    cell("04_memory", "λ̂ at each window", "immigration, k = 15", studentised),
    ends("05_landscape", "landscape-intervals", { ...uniform, scenario: "IM-01" }),
    cell("06_temperature", "Temperature sweep", "T = 0, roles on", studentised),
    cell("13_models", "Table S6", "GPT-4.1-mini, T = 0, roles on", studentised),
    cell("16_explorer", "What the page shows", "IM-01, uniform, roles on", studentised),
  ],
  "λ̂ of IM-01 with roles at T = 0.1": [
    cell("06_temperature", "Temperature sweep", "T = 0.1, roles on", studentised),
    cell("13_models", "Table S6", "GPT-4.1-mini, T = 0.1, roles on", studentised),
  ],
  "what roles do to λ̂ of HL-01": [
    cell("02_chair", "HL-01: fall of λ̂", "no roles", studentised),
    ends("05_landscape", "landscape-contrasts", { scenario: "HL-01", configuration: "uniform, roles on" }),
  ],
  "what roles do to λ̂ of IM-01": [
    ends("05_landscape", "landscape-contrasts", { scenario: "IM-01", configuration: "uniform, roles on" }),
    ends("13_models", "roles-by-model", { label: "GPT-4.1-mini, T = 0" }),
  ],
  "the interaction of HL-01": [
    notebook("01_two_routes").then((read) =>
      /interaction [^]*?95 %: (\S+ to [^);]+)[);]/.exec(
        outputsOf(read).join("\n").replace(/&#\d+;/g, (mark) => String.fromCharCode(Number(mark.slice(2, -1)))),
      )?.[1]
    ),
    ends("11_planning_and_many_tests", "interactions", { scenario: "HL-01" }),
  ],
};

for (const [quantity, places] of Object.entries(quantities)) {
  Deno.test(`${quantity} has one interval in ${places.length} notebooks`, async () => {
    const [first, ...others] = await Promise.all(places);
    assert.match(first ?? "no such place", /^−?\d\.\d{4} to −?\d\.\d{4}$/);
    for (const [i, other] of others.entries()) assert.equal(other, first, `place ${i + 2}`);
  });
}
