import type { ChatModel } from "@/model/chat_model.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { condition, council, LIVE } from "./councils.ts";

/**
 * A process to be killed: runs the small condition into the ledger FILE and, at call CALL, says so on standard output and
 * waits for ever for standard input.
 *
 * usage: killed_run.ts FILE CALL
 */

const [path, call] = Deno.args as [string, string];
let calls = 0;

const hanging = (chat: ChatModel): ChatModel => async (request, options) => {
  if (++calls === Number(call)) {
    await Deno.stdout.write(new TextEncoder().encode("waiting\n"));
    await Deno.stdin.read(new Uint8Array(1));
  }
  return await chat(request, options);
};

await runCondition(condition, { council: council(hanging, LIVE), replicates: 2, seed: 1, path });
