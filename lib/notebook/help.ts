import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unknownName } from "../core/user_error.ts";
import { emit, type MimeBundle } from "./emit.ts";

/** The room's source files; Deno's kernel has no Shift-Tab that would show their words. */
const LIB = fileURLToPath(new URL("../", import.meta.url));

/**
 * Shows how something that a room exports is used: signature, meaning, errors, example and options, from the source.
 *
 * @param what a function, or the name of anything that a room exports, such as `"Condition"`.
 * @throws {UserError} on an unknown name, offering the nearest ones. @throws {TypeError} on a value without a name.
 *
 * @example
 * ```ts ignore
 * await help(runShown); // or help("runShown")
 * ```
 */
export async function help(what: string | ((...given: never[]) => unknown)): Promise<void> {
  await emit(await helpBundle(what));
}

/** The output that `help` shows. */
export async function helpBundle(what: Parameters<typeof help>[0]): Promise<MimeBundle> {
  const name = typeof what === "string" ? what : what?.name;
  if (typeof name !== "string" || name === "") throw new TypeError(`help takes a function or a name: help("runShown")`);
  const exported = await exportsOf(LIB), found = exported.get(name);
  if (found === undefined) throw unknownName("name", name, exported.keys());
  const own = await declared(found.file, name) ?? { docs: "", text: "", file: found.file };
  // Options are types that the signature names, in the same file or in one that it imports.
  const types = [...new Set(signatureOf(own.text).match(/\b[A-Z]\w+/g))].filter((type) => type !== name);
  const options = await Promise.all(types.map((type) => declared(own.file, type)));
  const shapes = options.flatMap((one) => one && isType(one.text) ? one.text : []);
  const text = [
    `### ${name}`,
    code(
      `import { ${isType(own.text) ? "type " : ""}${name} } from "@/${found.room}/mod.ts";\n\n${signatureOf(own.text)}`,
    ),
    docsText(own.docs),
    ...shapes.map(code),
  ].filter((part) => part !== "").join("\n\n");
  return { "text/markdown": text, "text/plain": text };
}

const isType = (text: string): boolean => /^(export )?(interface|type)\b/.test(text);

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

/** The names that rooms export, and the files that declare them. */
async function exportsOf(lib: string): Promise<Map<string, { room: string; file: string }>> {
  const found = new Map<string, { room: string; file: string }>();
  for await (const { name: room, isDirectory } of Deno.readDir(lib)) {
    const text = isDirectory ? await Deno.readTextFile(join(lib, room, "mod.ts")) : "";
    for (const [, names, from] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm)) {
      for (const [, name] of names!.matchAll(/(\w+)\s*(?:,|$)/g)) {
        found.set(name!, { room, file: join(lib, room, from!) });
      }
    }
  }
  return found;
}

interface Declared {
  readonly docs: string;
  /** The declaration; that of a function, which may have overloads, to the end of the file. */
  readonly text: string;
  readonly file: string;
}

const KINDS = "function\\*?|const|let|class|interface|type|enum";

/** A name's declaration, with the comment before it; from the file that it is imported or exported from, if not its own. */
export async function declared(file: string, name: string, kinds = KINDS): Promise<Declared | undefined> {
  const text = await Deno.readTextFile(file);
  const own = RegExp(
    `^(?:export )?(?:abstract )?(?:async )?(?:${kinds}) ${name}\\b`,
    "m",
  ).exec(text);
  if (own) {
    const docs = /\/\*\*(?:(?!\*\/).)*\*\/\s*$/s.exec(text.slice(0, own.index))?.[0] ?? "";
    const whole = text.slice(own.index);
    return { docs, text: isFunction(whole) ? whole : WHOLE.exec(whole)![0].trim(), file };
  }
  const from = RegExp(`^(?:import|export) (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "(\\.[^"]+)"`, "m").exec(text)
    ?.[1];
  return from === undefined ? undefined : await declared(join(dirname(file), from), name, kinds);
}

/** In formatted code a declaration continues while lines are indented, empty or close a bracket. */
const WHOLE = /^.*\n(?:(?:[ })\]>].*)?\n)*/;

const isFunction = (text: string): boolean => /^(export )?(async )?function/.test(text);

/** A declaration without its body: the overloads of a function or its only signature; a value or type whole, if not long. */
function signatureOf(text: string): string {
  const lines = text.split("\n");
  if (!isFunction(text)) {
    return text.length < 1500 ? text : `${lines.slice(0, 12).join("\n")}\n  // …`;
  }
  // The body begins where a line that is not indented ends in a bracket.
  const last = lines.findIndex((line) => /^(?!\s).*[^({<\s]\s*\{$/.test(line));
  const signature = lines.slice(0, last + 1).join("\n").replace(/\s*\{$/, "");
  const overloads = signature.split(/(?<=;)\n/);
  return overloads.length > 1 ? overloads.slice(0, -1).join("\n") : signature;
}

/** A docstring as Markdown. */
const docsText = (docs: string): string =>
  docs.replace(/^\/\*\*|\*\/\s*$/g, "").replace(/^ *\* ?/gm, "")
    .replace(/^@param (\w+)/gm, "- **$1**:").replace(/^@returns/gm, "- **Returns**")
    .replace(/@throws \{(\w+)\}/g, "\n- **Throws $1**").replace(/^@example/gm, "\n**Example**")
    .replace(/^```ts .*$/gm, "```ts").replace(/\n{3,}/g, "\n\n").trim();
