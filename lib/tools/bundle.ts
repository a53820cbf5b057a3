import { exportBundle } from "../runs/station_bundle.ts";
import { quoteTable } from "../runs/station_quotes.ts";
import { badArguments, print, refused, runCommand } from "./command.ts";
import HELP from "./help/bundle.txt" with { type: "text" };

function quotation(text: string): { run: string; excerpt: string } {
  const at = text.indexOf("=");
  if (at > 0 && at < text.length - 1) return { run: text.slice(0, at), excerpt: text.slice(at + 1) };
  throw refused("--quote", "RUN=WORDS", text);
}

if (import.meta.main) {
  await runCommand({
    name: "bundle",
    help: HELP,
    options: { out: { type: "string" }, quote: { type: "string", multiple: true, default: [], read: quotation } },
    async run({ values: { out, quote }, positionals: [root, ...rest] }) {
      if (root === undefined) throw badArguments("name the folder of a batch");
      if (rest.length > 0) throw badArguments(`one folder at a time, got also ${rest.join(", ")}`);
      if (out === undefined) throw badArguments("--out is missing: name the zip to write");
      const folder = root.replace(/\/$/, ""), quotes = await quoteTable(quote, folder);
      for (const name of await exportBundle(folder, out, { quotes })) print(name);
    },
  });
}
