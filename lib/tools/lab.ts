import { fileURLToPath } from "node:url";
import { UserError } from "../core/user_error.ts";
import { runCommand, say } from "./command.ts";
import HELP from "./help/lab.txt" with { type: "text" };

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** The first one that is installed is used. */
const FRONTENDS = ["jupyter-lab", "jupyter-notebook"];

async function open(args: string[]): Promise<void> {
  for (const frontend of FRONTENDS) {
    const child = start(frontend, args);
    if (child === undefined) continue;
    say(`starting ${frontend} on notebooks/; Ctrl-C ends it`);
    const { code } = await child.status;
    if (code !== 0) throw new UserError(`${frontend} ended with exit code ${code}; its output is above`);
    return;
  }
  throw new UserError(
    `neither ${FRONTENDS.join(" nor ")} is installed; install one of them: pip install jupyterlab, or on Debian ` +
      "apt-get install jupyter-notebook. deno task reproduce runs the notebooks without Jupyter",
  );
}

function start(frontend: string, args: string[]): Deno.ChildProcess | undefined {
  try {
    return new Deno.Command(frontend, {
      args: [...args, "notebooks"],
      cwd: PROJECT,
      env: { JUPYTER_PATH: `${PROJECT}.jupyter` },
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

if (import.meta.main) {
  // Jupyter answers Ctrl-C itself: it asks before it ends.
  Deno.addSignalListener("SIGINT", () => {});
  await runCommand({ name: "lab", help: HELP, options: {}, run: ({ positionals }) => open(positionals) });
  Deno.exit();
}
