import { type BenchRow, exactly } from "../bench/bench_row.ts";
import { contentHash } from "@/core/json.ts";
import { loadExperiments } from "@/lab/live/scenarios.ts";
import { liveRun, PROJECT, taskArguments, timed } from "./live_command.ts";
import { withFolder } from "./live_study.ts";
import { filesBelow } from "./record.ts";
import { faultServer } from "./server.ts";

/** Every declared experiment run live into the folder that the command takes by itself, and then everything else that writes. */

/**
 * Works in a clone of what is committed. Runs the experiments live, once more with embedded councils, and then all notebooks;
 * what the live runs wrote must stay as it was, byte for byte.
 */
export async function studyFolders({ only }: { only?: readonly string[] } = {}): Promise<BenchRow[]> {
  return await withFolder(async (folder) => {
    const project = `${folder}/project`;
    const clone = ["clone", "--quiet", "--local", PROJECT, project];
    const { success } = await new Deno.Command("git", { args: clone, stdin: "null" }).spawn().status;
    if (!success) throw new Error("git cannot clone the project");
    await using server = await faultServer({ distinct: true });
    const options = { baseUrl: server.baseUrl, project };
    const { experiments, station } = await loadExperiments();
    const committees = (only ?? Object.keys(experiments)).map((name) => [name, "--replicates", "2"]);
    const stations = Object.keys(station).map((name) => [name, "--seed", "7"]);
    const adHoc = ["--scenario", "HL-01", "--rounds", "2", "--replicates", "2"];
    const rows: BenchRow[] = [];
    const before = new Set(await filesBelow(`${project}/data`));
    for (const [council, plans] of [["live", [...committees, adHoc]], ["live:test/model", stations]] as const) {
      for (const args of plans) await mustRun(liveRun([...args, "--council", council], options), args[0]!);
    }
    const written = (await filesBelow(`${project}/data`)).filter((path) => !before.has(path));
    const hashes = await hashesOf(written);
    for (const args of [...committees, ...stations, adHoc]) await mustRun(liveRun(args, { project }), args[0]!);
    await mustRun(timed(taskArguments("reproduce", [], { project }), { project }), "reproduce");
    const now = await hashesOf(written);
    const changed = written.filter((_, i) => hashes[i] !== now[i]);
    const name = "files of live runs in their default folders that embedded runs and reproduce changed";
    const note = `of ${written.length}, ${server.seen.length} calls ${changed.slice(0, 3).join(" ")}`;
    rows.push(exactly(0, { name, value: changed.length, unit: "files", note: note.replaceAll(`${project}/`, "") }));
    return rows;
  });
}

/** An embedded run may have flagged runs, as its council has it: exit code 1. */
async function mustRun(run: ReturnType<typeof timed>, name: string): Promise<void> {
  const { code, stderr } = await run;
  if (code > 1 || /unexpected failure/.test(stderr)) throw new Error(`${name}: ${stderr}`);
}

const hashesOf = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map(async (path) => {
    try {
      return contentHash((await Deno.readFile(path)).toBase64());
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "gone";
      throw error;
    }
  }));
