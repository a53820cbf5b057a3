import type { ChatModel } from "@/model/chat_model.ts";
import { runStationFolder } from "@/runs/run_station_folder.ts";
import { council } from "./station_rooms.ts";

/**
 * A process to be killed: runs the station into FOLDER with the tests' council and, at call CALL, says so on standard
 * output and waits for ever for standard input.
 *
 * usage: station_killed_run.ts FOLDER CALL
 */

const [folder, call] = Deno.args as [string, string];
const chat = council();
let calls = 0;

const hanging: ChatModel = async (request, options) => {
  if (++calls === Number(call)) {
    await Deno.stdout.write(new TextEncoder().encode("waiting\n"));
    await Deno.stdin.read(new Uint8Array(1));
  }
  return await chat(request, options);
};

await runStationFolder({ seed: 109, ruleset: "v2", council: hanging, label: "room", synthetic: true, folder });
