import assert from "node:assert/strict";

Deno.test("a notebook that imports the room reports a lost rejection and an error in a timer", async () => {
  const script = `
    const told = [];
    const jupyter = { broadcast: (_, { text }) => (told.push(text), Promise.resolve()) };
    Object.defineProperty(globalThis, "Deno", { value: Object.create(Deno, { jupyter: { value: jupyter } }) });
    await import("${new URL("../../../lib/lab/notebook/mod.ts", import.meta.url)}");
    void Promise.reject(new Error("lost"));
    setTimeout(() => { throw new Error("late"); }, 0);
    setTimeout(() => console.log(JSON.stringify(told)), 100);`;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", script] }).output();
  const told = JSON.parse(new TextDecoder().decode(stdout));
  assert.deepEqual(told, ["unhandled rejection: Error: lost\n", "uncaught error: Error: late\n"]);
});
