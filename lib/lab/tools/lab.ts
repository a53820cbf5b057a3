import { UserError } from "../../core/user_error.ts";
import { runCommand, say } from "./command.ts";
import HELP from "./help/lab.txt" with { type: "text" };
import { PROJECT } from "./notebooks/workspace.ts";

/** The first one that is installed is used. */
const FRONTENDS = ["jupyter-lab", "jupyter-notebook"];

async function open(args: string[]): Promise<void> {
  const options = { args: [...args, "notebooks"], cwd: PROJECT, env: { JUPYTER_PATH: `${PROJECT}.jupyter` } };
  for (const frontend of FRONTENDS) {
    let child: Deno.ChildProcess;
    try {
      child = new Deno.Command(frontend, options).spawn();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error;
    }
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

if (import.meta.main) {
  // Jupyter answers Ctrl-C itself: it asks before it ends.
  Deno.addSignalListener("SIGINT", () => {});
  await runCommand({ name: "lab", help: HELP, options: {}, run: ({ positionals }) => open(positionals) });
  Deno.exit();
}
