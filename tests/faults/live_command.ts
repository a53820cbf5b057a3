import { fileURLToPath } from "node:url";
import { apiKey } from "../model/endpoint.ts";
import config from "../../deno.json" with { type: "json" };

/** Tasks as processes of their own, against an endpoint on loopback. */

export const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

export interface Timed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Processor time of the process, user's and system's, in seconds. */
  readonly cpuSeconds: number;
}

export interface ProcessOptions {
  /** The endpoint of live councils; without one, no key is set either. */
  readonly baseUrl?: string | undefined;
  /** Leaves the key of the endpoint out all the same. */
  readonly withoutKey?: boolean | undefined;
  /** The project that holds the code, by default this one. */
  readonly project?: string | undefined;
  /** The folder that paths count from, by default the project's. */
  readonly cwd?: string | undefined;
  /** Variables besides. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Deno's arguments for a task, its own permissions among them: without the shell that `deno task` puts around it, which a
 * signal would reach in its stead.
 */
export function taskArguments(
  task: "run" | "reproduce" | "worker" | "gather" | "status" | "sweep",
  args: readonly string[],
  { project = PROJECT } = {},
): string[] {
  const [_deno, ...own] = config.tasks[task].command.split(" ");
  return [...own.map((part) => (part.startsWith("lib/") ? `${project}/${part}` : part)), ...args];
}

/** Starts `deno task run`; `--council` is the caller's to give. */
export const startRun = (args: readonly string[], options: ProcessOptions = {}): Deno.ChildProcess =>
  startTask("run", args, options);

/** Starts a task, without the shell around it. */
export const startTask = (
  task: Parameters<typeof taskArguments>[0],
  args: readonly string[],
  options: ProcessOptions = {},
): Deno.ChildProcess =>
  new Deno.Command(Deno.execPath(), settings(taskArguments(task, args, options), options)).spawn();

/** Runs `deno task run` to its end. */
export const liveRun = (args: readonly string[], options: ProcessOptions = {}): Promise<Timed> =>
  timed(taskArguments("run", args, options), options);

/** Runs Deno with arguments to its end. */
export async function timed(args: readonly string[], options: ProcessOptions = {}): Promise<Timed> {
  const times = await Deno.makeTempFile();
  try {
    // The shell tells what its children took.
    const script = 'times_to="$1"; shift; "$@"; code=$?; times > "$times_to"; exit $code';
    const began = performance.now();
    const argv = ["-c", script, "sh", times, Deno.execPath(), ...args];
    const { code, stdout, stderr } = await new Deno.Command("sh", settings(argv, options)).output();
    const seconds = (performance.now() - began) / 1000;
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, stdout: out!, stderr: err!, seconds, cpuSeconds: childrenSeconds(await Deno.readTextFile(times)) };
  } finally {
    await Deno.remove(times);
  }
}

function settings(
  args: readonly string[],
  { baseUrl, withoutKey = false, project = PROJECT, cwd = project, env: more }: ProcessOptions,
): Deno.CommandOptions {
  const kept = ["HOME", "PATH", "DENO_DIR"].flatMap((key) => {
    const value = Deno.env.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  const key = withoutKey ? {} : { OPENAI_API_KEY: apiKey };
  const live = baseUrl === undefined ? {} : { ...key, OPENAI_BASE_URL: baseUrl };
  const env = { ...Object.fromEntries(kept), NO_COLOR: "1", ...live, ...more };
  return { args: [...args], cwd, clearEnv: true, env, stdin: "null", stdout: "piped", stderr: "piped" };
}

/** The second line of the shell's `times`: user and system time of its children, such as `0m1.23s 0m0.10s`. */
function childrenSeconds(text: string): number {
  const [, children = ""] = text.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
}
