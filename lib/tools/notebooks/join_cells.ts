// An import at the start of a line, as `deno fmt` writes it, with the hint to its types that may stand above it.
const IMPORT =
  /^(?<hint>\/\/ @ts-types=.*\n)?import\s+(?:(?<type>type)\s+)?(?<clause>[^"';]*?)\s*from\s*(?<module>"[^"]+"|'[^']+')(?<rest>[^\n;]*;?)/gm;

/**
 * A cell's source without the names that earlier cells have imported from the same module. Line breaks stay.
 *
 * @param known the origin of each local name; names found here are added.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const known = new Map([["show", `value "@/notebook/mod.ts" show`]]);
 * const source = `import { show, table } from "@/notebook/mod.ts";`;
 * assert.equal(dropKnownImports(source, known), `import { table } from "@/notebook/mod.ts";`);
 * ```
 */
export function dropKnownImports(source: string, known: Map<string, string>): string {
  return source.replace(IMPORT, (statement: string, ...groups: unknown[]) => {
    const { type, clause, module, rest } = groups.at(-1) as Record<"clause" | "module" | "rest", string> & {
      type?: string;
    };
    const bindings = readClause(clause);
    const fresh = bindings.filter(({ local, imported }) => {
      const origin = `${type ?? "value"} ${module.replaceAll("'", '"')} ${imported}`;
      if (known.get(local) === origin) return false;
      known.set(local, origin);
      return true;
    });
    if (fresh.length === bindings.length) return statement;
    const breaks = "\n".repeat(statement.split("\n").length - 1);
    if (fresh.length === 0) return breaks;
    return `${breaks}import ${type === undefined ? "" : "type "}${writeClause(fresh)} from ${module}${rest}`;
  });
}

/** One imported name; `imported` is `default`, `*`, or the exported name. */
interface Binding {
  readonly local: string;
  readonly imported: string;
}

function readClause(clause: string): Binding[] {
  const [, before = "", named = ""] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? [];
  const names = (text: string) => text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const outside = names(before).map((name) =>
    name.startsWith("*") ? { local: name.split(/\s+/).at(-1)!, imported: "*" } : { local: name, imported: "default" }
  );
  const inside = names(named).map((name) => {
    const [imported, local] = name.split(/\s+as\s+/);
    return { local: (local ?? imported!).replace(/^type\s+/, ""), imported: imported! };
  });
  return [...outside, ...inside];
}

function writeClause(bindings: readonly Binding[]): string {
  const outside = bindings.flatMap(({ local, imported }) =>
    imported === "*" ? [`* as ${local}`] : imported === "default" ? [local] : []
  );
  const inside = bindings.filter(({ imported }) => imported !== "*" && imported !== "default")
    .map(({ local, imported }) => imported.replace(/^type\s+/, "") === local ? imported : `${imported} as ${local}`);
  return [...outside, ...(inside.length === 0 ? [] : [`{ ${inside.join(", ")} }`])].join(", ");
}

/** The origin of a line of the joined module: the code cell, numbered as the kernel does, and the line in it. */
export interface CellLine {
  readonly cell: number;
  readonly line: number;
}

/** The cells of a notebook as one module. */
export interface JoinedCells {
  readonly code: string;
  /** The cell and line behind a line of the module (1-based), undefined for a line between cells. */
  locate(line: number): CellLine | undefined;
}

/**
 * Joins code cells into one module, so that each cell sees the names of those before it.
 *
 * A module may import a name only once, cells may repeat imports: repeated ones are blanked. No line moves within its
 * cell, so the place of an error is known. A call before each cell announces it.
 *
 * @param capture URL of the module that exports `$cell`.
 */
export function joinCells(sources: readonly string[], capture: string): JoinedCells {
  const known = new Map<string, string>();
  const lines = [`import { $cell } from ${JSON.stringify(capture)};`];
  const origins: (CellLine | undefined)[] = [undefined];
  sources.forEach((source, i) => {
    const cell = i + 1;
    lines.push(`await $cell(${cell});`);
    origins.push(undefined);
    dropKnownImports(source, known).split("\n").forEach((line, j) => {
      lines.push(line);
      origins.push({ cell, line: j + 1 });
    });
  });
  lines.push("await $cell(0);", "");
  return { code: lines.join("\n"), locate: (line) => origins[line - 1] };
}
