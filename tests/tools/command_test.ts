import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { type CommandSpec, execute } from "@/tools/command.ts";

const options = { json: { type: "boolean" }, seed: { type: "string", default: "1" } } as const;

/** What a command that runs `run` gives for some arguments. */
async function call(args: string[], run: CommandSpec<typeof options>["run"] = () => Promise.resolve()) {
  let [out, err] = ["", ""];
  const streams = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await execute({ name: "demo", help: "\nUsage: demo\n", options, run }, args, streams);
  return { code, out, err };
}

Deno.test("a command gets its flags, typed and with defaults, and its positionals", async () => {
  const seen: unknown[] = [];
  const run = ({ values, positionals }: { values: { json?: boolean; seed: string }; positionals: string[] }) => {
    seen.push({ ...values }, positionals);
    return Promise.resolve();
  };
  assert.deepEqual(await call(["--json", "a", "--seed=7", "--", "--b"], run), { code: 0, out: "", err: "" });
  assert.deepEqual(seen, [{ json: true, seed: "7" }, ["a", "--b"]]);
});

for (const args of [["--help"], ["-h"], ["--nonsense", "--help"]]) {
  Deno.test(`${args.join(" ")} prints the help on standard output and does nothing`, async () => {
    const run = () => Promise.reject(new Error("ran"));
    assert.deepEqual(await call(args, run), { code: 0, out: "Usage: demo\n", err: "" });
  });
}

Deno.test("--help after -- is an argument like any other", async () => {
  const { code, out } = await call(["--", "--help"]);
  assert.deepEqual([code, out], [0, ""]);
});

const mistakes: [args: string[], message: RegExp][] = [
  [["--sead", "1"], /^demo: Unknown option '--sead'\n/],
  [["--seed"], /^demo: Option '--seed <value>' argument missing\n/],
  [["--json=yes"], /^demo: Option '--json' does not take an argument\n/],
];
for (const [args, message] of mistakes) {
  Deno.test(`${args.join(" ")} is a bad argument: code 2, the mistake, the help`, async () => {
    const { code, out, err } = await call(args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, message);
    assert.match(err, /Usage: demo\n$/);
  });
}

Deno.test("a mistake of the user's is told without a stack; a defect of ours with one", async () => {
  const user = await call([], () => Promise.reject(new UserError("no file x; name another")));
  assert.deepEqual(user, { code: 1, out: "", err: "demo: no file x; name another\n" });
  const bad = await call([], () => Promise.reject(new UserError("which?", { exitCode: 2 })));
  assert.deepEqual([bad.code, bad.err], [2, "demo: which?\n\nUsage: demo\n"]);
  const ours = await call([], () => Promise.reject(new Error("oh")));
  assert.equal(ours.code, 1);
  assert.match(ours.err, /^demo: unexpected failure\nError: oh\n +at /);
});
