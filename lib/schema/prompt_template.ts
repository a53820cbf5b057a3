import { z } from "zod";

/** A text kept as lines, so that a change of wording is a small diff. */
export const PromptLines = z.union([z.string(), z.array(z.string()).min(1)])
  .transform((lines) => (typeof lines === "string" ? lines : lines.join("\n")));

/** A text with `{{placeholders}}`: each of the given names at least once, and no other. */
export const promptTemplate = (...names: string[]) =>
  PromptLines.superRefine((text, context) => {
    const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!);
    const missing = names.filter((name) => !used.includes(name)).map((name) => `lacks {{${name}}}`);
    const unknown = used.filter((name) => !names.includes(name)).map((name) =>
      `holds {{${name}}}, which nothing fills in`
    );
    for (const message of [...missing, ...unknown]) context.addIssue({ code: "custom", message });
  });
