import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../../../deno.json" with { type: "json" };
import { escapeHtml } from "../../../core/text.ts";
import { UserError } from "../../../core/user_error.ts";
import { writingObstacle } from "../../../record/files.ts";
import { findFiles } from "../notebooks/notebook_file.ts";
import { runProgram } from "../notebooks/workspace.ts";
import { urlTo } from "./links.ts";

/**
 * Writes the API reference: the pages of `deno doc --html` about `lib/mod.ts` and every room's `mod.ts`, in the place
 * of an earlier one.
 *
 * Opened from a file, these pages need corrections: the front page must list the rooms, links must lead to files
 * instead of folders or places on this machine, the search must find its root, and imports must have this project's
 * names.
 *
 * @param folder its folder; the list of notebooks is `index.html` in the folder above.
 * @throws {UserError} with the message of `deno doc`, or if the folder cannot be written. An earlier reference then
 * stays.
 */
export async function writeReference(folder: string): Promise<void> {
  const part = `${folder}.${Deno.pid}.part`;
  try {
    await Deno.mkdir(dirname(folder), { recursive: true });
    await runDoc(part);
    const pages = (await findFiles(part, ".html")).map((path) => relative(part, path).replaceAll("\\", "/"));
    const exported = new Set(pages.map((page) => basename(page, ".html")));
    for (const page of pages) {
      const html = await Deno.readTextFile(join(part, page));
      await Deno.writeTextFile(join(part, page), mend(await withTypes(html, exported), join(folder, page), folder));
    }
    const edit = async (file: string, change: (text: string) => string) =>
      await Deno.writeTextFile(join(part, file), change(await Deno.readTextFile(join(part, file))));
    await edit("index.html", (html) => html.replace("</main>", () => `${roomList(pages)}</main>`));
    await edit("search.js", (script) => script.replace(/const pathToRoot = [^;]*;/, PATH_TO_ROOT));
    await edit("page.css", (css) => css + NARROW);
    await Deno.remove(folder, { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
    await Deno.rename(part, folder);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`cannot write the API reference, ${folder}: ${writingObstacle(cause)}`, { cause });
  } finally {
    await Deno.remove(part, { recursive: true }).catch(() => {});
  }
}

async function runDoc(folder: string): Promise<void> {
  const args = ["doc", "--quiet", "--html", "--name=Chaos Lab", `--output=${folder}`, ...Object.values(config.exports)];
  const { success, err } = await runProgram("deno", args);
  if (success) return;
  throw new UserError(`deno doc cannot make the API reference:\n${err.replace(/\n+Stack backtrace:[^]*$/, "").trim()}`);
}

/** The file behind a link to a source: `deno doc` gives its place on this machine, with entities for `/` and `'`. */
const sourceOf = (link: string): string => fileURLToPath(link.replaceAll("&#x2F;", "/").replaceAll("&#x27;", "'"));

function mend(html: string, page: string, folder: string): string {
  const home = urlTo(dirname(page), join(folder, "..", "index.html"));
  return html
    .replace(/(?<=href=")file:[^"]*/g, (link) => urlTo(dirname(page), sourceOf(link)))
    .replace(/href="((?:\.\.?&#x2F;)+)"/g, 'href="$1index.html"')
    .replace(/(?<=<a )href="#(type_param_\w+)" /g, (link, id) => html.includes(`id="${id}"`) ? link : "")
    .replace(/(?<=from &quot;)(?:\.|[a-z]+)(?=&quot;)/g, (name) => imported(name))
    .replaceAll(">default</a>", ">mod.ts</a>")
    .replace('<button id="theme-toggle"', `<a href="${home}">All notebooks</a>$&`);
}

/**
 * A page with the declarations of types that it names and no room exports, such as those of options and results: a
 * reader wants to see them.
 */
async function withTypes(html: string, exported: ReadonlySet<string>): Promise<string> {
  const source = /(?<=href=")file:[^"]*/.exec(html)?.[0];
  if (source === undefined) return html;
  const found = new Map<string, string>();
  /** Adds the declaration of a type as seen from a file, and of the types that it uses. */
  const find = async (name: string, from: string): Promise<void> => {
    const type = found.has(name) || exported.has(name) ? undefined : await declared(from, name);
    if (type === undefined) return;
    found.set(name, type.text);
    const words = new Set(type.text.replace(/\/\*[^]*?\*\//g, "").match(/\b[A-Z]\w*/g));
    for (const word of words) await find(word, type.file);
  };
  const NAME = /<span class="td-ref">(\w+)<\/span>/g;
  for (const [, name] of html.matchAll(NAME)) await find(name!, sourceOf(source));
  if (found.size === 0) return html;
  const blocks = [...found].map(([name, text]) =>
    `<pre class="highlight" id="type_${name}"><code class="language-typescript">${escapeHtml(text)}</code></pre>`
  );
  const section = `<section class="markdown"><h2>Types named here</h2>${blocks.join("")}</section>`;
  return html.replace(
    NAME,
    (span, name) => found.has(name) ? `<a href="#type_${name}" class="link td-ref">${name}</a>` : span,
  ).replace("</main>", () => `${section}</main>`);
}

/**
 * The declaration of a type with the comment before it, as a file sees it: from that file, or from the one that it imports
 * or exports the name from, at any remove.
 */
async function declared(file: string, name: string): Promise<{ text: string; file: string } | undefined> {
  const source = await Deno.readTextFile(file);
  const own = new RegExp(String.raw`^(?:export )?(?:interface|type) ${name}\b`, "m").exec(source);
  if (own) {
    const docs = /\/\*\*(?:(?!\*\/).)*\*\/\s*$/s.exec(source.slice(0, own.index))?.[0] ?? "";
    return { text: docs + WHOLE.exec(source.slice(own.index))![0].trim(), file };
  }
  const named = String.raw`^(?:import|export) (?:type )?\{[^}]*\b${name}\b[^}]*\} from "(\.[^"]+)"`;
  const from = new RegExp(named, "m").exec(source)?.[1];
  return from === undefined ? undefined : await declared(join(dirname(file), from), name);
}

/** In formatted code a declaration continues while lines are indented, empty or close a bracket. */
const WHOLE = /^.*\n(?:(?:[ })\]>].*)?\n)*/;

/** The import path of a room that `deno doc` calls `.` or `stats`; other names stay. */
function imported(name: string): string {
  const path = Object.entries(config.exports).find(([entry]) => entry === name || entry === `./${name}`)?.[1];
  return path === undefined ? name : path.replace("./lib/", "@/");
}

/** Every room with its names; `deno doc` omits this list if one module comes first. */
function roomList(pages: readonly string[]): string {
  const rooms = Object.keys(config.exports).map((entry) => {
    const inRoom = entry === "." ? "~/" : `${entry.slice(2)}/~/`;
    const names = pages.filter((page) => page.startsWith(inRoom)).map((page) => page.slice(inRoom.length, -5));
    // Members have pages of their own, such as `Rng.next`.
    const links = names.filter((name) => !name.includes(".")).map((name) =>
      `<a href="${inRoom}${name}.html">${name}</a>`
    );
    const title = entry === "." ? "mod.ts" : `<a href="${entry.slice(2)}/index.html">${entry.slice(2)}</a>`;
    return `<h2>${title}</h2><p>${links.join(", ")}</p>`;
  });
  return `<section class="markdown">${rooms.join("\n")}</section>`;
}

/** The script's own address tells the depth of the page. */
const PATH_TO_ROOT =
  `const pathToRoot = document.querySelector("script[src$='search.js']").getAttribute("src").replace("search.js", "");`;

/** On a narrow page the search moves below the title, which otherwise breaks between letters, and code scrolls. */
const NARROW = "\n@media (width<640px){#topnav{height:auto}#topnav>div,#topnav>div>div{flex-wrap:wrap;gap:.5rem}}\n" +
  ".ddoc>div{min-width:0}.breadcrumbs{overflow-wrap:normal;word-break:normal}.markdown{overflow-wrap:anywhere}" +
  "pre[id^=type_] code{white-space:pre-wrap}\n";
