import type { ChatModel } from "@/model/chat_model.ts";
import { runStationFolder } from "@/lab/live/run_station_folder.ts";
import { alive, council } from "./station_rooms.ts";

/**
 * A process to be killed: runs the station into FOLDER with the tests' council as a live one and, when it is asked at PLACE,
 * writes on standard output how many calls it was asked before and waits for ever for standard input.
 *
 * usage: station_killed_run.ts FOLDER PLACE
 */

const [folder, place] = Deno.args as [string, string];
const chat = alive(council());
let calls = 0;

const hanging: ChatModel = async (request, options) => {
  if (options!.place === place) {
    await Deno.stdout.write(new TextEncoder().encode(`${calls}\n`));
    await Deno.stdin.read(new Uint8Array(1));
  }
  calls++;
  return await chat(request, options);
};

const settings = { seed: 109, ruleset: "v2", label: "room", synthetic: false, identity: "live:a" } as const;
await runStationFolder({ ...settings, council: hanging, folder });
