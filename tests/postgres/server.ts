import { setTimeout as delay } from "node:timers/promises";

/** A PostgreSQL server of Debian's package on loopback, in a folder of its own, as a user without rights. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on what it left. */
  start(): Promise<void>;
}

/** Options for {@linkcode postgresServer}. */
interface ServerOptions {
  /** Settings such as `max_connections=18`. */
  readonly settings?: readonly string[];
  /** Whether a commit waits for the disk. Without it a server that is killed loses nothing either: the system has it all. */
  readonly fsync?: boolean;
  /** The name of the superuser. */
  readonly superuser?: string;
}

/** The folder with Debian's programs, of the newest version. */
function programs(): string {
  const versions = [...Deno.readDirSync("/usr/lib/postgresql")].map(({ name }) => name).sort((a, b) => +a - +b);
  return `/usr/lib/postgresql/${versions.at(-1)}/bin`;
}

/** A command as the user of Debian's package, whom `initdb` wants in the place of root. */
export function asUser(command: readonly string[]): Deno.Command {
  const [name, ...args] = Deno.uid() === 0 ? ["runuser", "-u", "postgres", "--", ...command] : command;
  return new Deno.Command(name!, { args, cwd: "/", stdin: "null", stdout: "null", stderr: "piped" });
}

export async function done(command: Deno.Command): Promise<void> {
  const { success, stderr } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

export async function postgresServer(
  { settings = [], fsync = false, superuser = "lab" }: ServerOptions = {},
): Promise<PostgresServer> {
  const [bin, folder, port] = [programs(), await Deno.makeTempDir(), freePort()];
  await Deno.chmod(folder, 0o777);
  const data = `${folder}/data`;
  await done(asUser([`${bin}/initdb`, "-D", data, "-U", superuser, "-A", "trust", "--no-sync", "-E", "UTF8"]));
  const flags = [`fsync=${fsync ? "on" : "off"}`, ...settings].flatMap((setting) => ["-c", setting]);
  const url = `postgres://${superuser}@127.0.0.1:${port}/postgres`;
  const ready = asUser([`${bin}/pg_isready`, "-q", "-h", "127.0.0.1", "-p", String(port)]);
  let running: Deno.ChildProcess | undefined;
  const start = async () => {
    // What the server that was killed left behind goes away by itself; until then it cannot start.
    for (;;) {
      const args = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, ...flags];
      const child = running = asUser([`${bin}/postgres`, ...args]).spawn();
      let ended = false;
      child.stderr.pipeTo(new WritableStream()).catch(() => {});
      child.status.then(() => ended = true);
      while (!ended) {
        if ((await ready.output()).success) return;
        await delay(50);
      }
      await delay(100);
    }
  };
  const pid = () => Number(Deno.readTextFileSync(`${data}/postmaster.pid`).split("\n")[0]);
  const end = async (signal: Deno.Signal) => {
    const child = running;
    running = undefined;
    if (!child) return;
    Deno.kill(pid(), signal);
    await child.status;
  };
  await start();
  return {
    url,
    start,
    kill: () => end("SIGKILL"),
    async [Symbol.asyncDispose]() {
      await end("SIGQUIT");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A server for all tests of a file; what it gives calls `use` with the address of an empty database. */
export function serverOfFile(): (use: (url: string) => Promise<void>) => Promise<void> {
  let server: PostgresServer | undefined;
  Deno.test.beforeAll(async () => void (server = await postgresServer()));
  Deno.test.afterAll(async () => await server?.[Symbol.asyncDispose]());
  return async (use) => {
    const name = `d${crypto.randomUUID().replaceAll("-", "")}`;
    const args = ["-q", server!.url, "-c", `create database ${name}`];
    await done(new Deno.Command("psql", { args, stdin: "null", stdout: "null", stderr: "piped" }));
    await use(server!.url.replace(/postgres$/, name));
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
