import { UserError } from "@/core/user_error.ts";
import { runCommand, say } from "@/tools/command.ts";

const HELP = `
usage: deno task dev kernel [--check]

Compiles lib/stats/kernel/kernel.as, the part of the statistics that takes most of the time, into bytes.ts beside it.
  --check   write nothing; fail unless bytes.ts is what the source compiles to
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

/** A module that holds bytes, as base64 in lines that the formatter leaves alone. */
function written(module: Uint8Array): string {
  const lines = module.toBase64().match(/.{1,100}/g)!;
  return [
    "/** The compiled `kernel.as`, base64; made by `deno task dev kernel`. */",
    "export const BYTES: string = [",
    ...lines.map((line) => `  "${line}",`),
    `].join("");\n`,
  ].join("\n");
}

await runCommand({
  name: "kernel",
  help: HELP,
  options: { check: { type: "boolean", default: false } },
  async run({ values: { check } }) {
    const file = new URL("bytes.ts", FOLDER), module = await compiled(), text = written(module);
    if (!check) await Deno.writeTextFile(file, text);
    else if (await Deno.readTextFile(file) !== text) {
      throw new UserError("bytes.ts is not what kernel.as compiles to; make it with: deno task dev kernel");
    }
    say(`${module.length} bytes ${check ? "as in the source" : "written"}`);
  },
});
