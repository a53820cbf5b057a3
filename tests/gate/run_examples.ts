import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { examplesIn, moduleOf } from "./examples.ts";

/**
 * Runs examples in one process, where what they import is loaded once for all of them:
 * `deno test tests/gate/run_examples.ts -- FILE…`, each a module or a document, named from the project's folder.
 */
for (const file of Deno.args) {
  const examples = examplesIn(file, await Deno.readTextFile(file));
  for (const example of examples) {
    const name = `${file}#${example.from}-${example.to}`;
    Deno.test(name, async () => {
      const exported = file.endsWith(".ts") ? Object.keys(await import(pathToFileURL(posix.resolve(file)).href)) : [];
      const module = posix.resolve(`data/out/.examples/${file}/${example.from}.ts`);
      await Deno.mkdir(posix.dirname(module), { recursive: true });
      await Deno.writeTextFile(module, moduleOf(example, exported));
      await (await import(pathToFileURL(module).href)).default();
    });
  }
}
