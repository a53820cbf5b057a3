import { UserError } from "@/core/user_error.ts";
import { runCommand, say } from "@/lab/tools/command.ts";

const HELP = `
usage: deno task dev kernel [--check]

Compiles lib/stats/kernel/kernel.as, the part of the statistics that takes most of the time, into bytes.json beside it.
  --check   write nothing; fail unless bytes.json is what the source compiles to
`;

const FOLDER = new URL("../../../lib/stats/kernel/", import.meta.url);

/** As a name and not an import: with its optimiser it is 100 MB, which only this command should fetch. */
const COMPILER = "assemblyscript/asc";

/** What is used of the compiler's interface. */
interface Compiler {
  main(args: string[], options: {
    readFile(name: string): string | null;
    writeFile(name: string, contents: Uint8Array<ArrayBuffer>): void;
    listFiles(): null;
  }): Promise<{ error: Error | null; stderr: { toString(): string } }>;
}

/** The module that `kernel.as` compiles to. @throws {UserError} with the compiler's words. */
async function compiled(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: asc }: { default: Compiler } = await import(COMPILER);
  const source = await Deno.readTextFile(new URL("kernel.as", FOLDER));
  let module: Uint8Array<ArrayBuffer> | undefined;
  const { error, stderr } = await asc.main(
    ["kernel.ts", "--outFile", "kernel.wasm", "-O3", "--noAssert", "--runtime", "stub", "--enable", "simd"],
    {
      readFile: (name) => (name === "kernel.ts" ? source : null),
      writeFile: (_, contents) => void (module = contents),
      listFiles: () => null,
    },
  );
  if (error || module === undefined || stderr.toString() !== "") throw new UserError(`kernel.as: ${stderr}`);
  return module;
}

/** The bytes as base64 in lines of 100 letters, so that a change of the kernel is a readable diff. */
const written = (module: Uint8Array): string => `${JSON.stringify(module.toBase64().match(/.{1,100}/g), null, 2)}\n`;

await runCommand({
  name: "kernel",
  help: HELP,
  options: { check: { type: "boolean", default: false } },
  async run({ values: { check } }) {
    const file = new URL("bytes.json", FOLDER), module = await compiled(), text = written(module);
    if (!check) await Deno.writeTextFile(file, text);
    else if (await Deno.readTextFile(file) !== text) {
      throw new UserError("bytes.json is not what kernel.as compiles to; make it with: deno task dev kernel");
    }
    say(`${module.length} bytes ${check ? "as in the source" : "written"}`);
  },
});
