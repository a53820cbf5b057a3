import { UserError } from "@/core/user_error.ts";
import { oneOf, print, runCommand, say, whole } from "@/lab/tools/command.ts";
import { type PostgresServer, postgresServer } from "../../postgres/server.ts";
import { type BenchRow, lineOf } from "../bench_row.ts";
import { studyAway, studyCalls, studyDamage, studyDeclaration, studyTakeover } from "./studies.ts";

const SIZE = 1_000_000;

const STUDIES: Readonly<Record<string, (server: PostgresServer, size: number) => Promise<BenchRow[]>>> = {
  takeover: ({ url }) => studyTakeover(url, { waiting: 500, width: 8 }),
  away: (server) => studyAway(server, { waiting: 500, width: 8, awayMs: 60_000 }),
  calls: ({ url }, size) => studyCalls(url, size),
  declare: ({ url }, size) => studyDeclaration(url, size),
  damage: ({ url }) => studyDamage(url, 100),
};

const HELP = `
usage: deno task dev store [STUDY...] [--size N]

What a store on PostgreSQL costs, each study on a server of its own (Debian's package); half an hour in all:
  takeover   runs of a killed worker while 500 wait and all slots are busy
  away       runs that living workers keep while the server is away for a minute
  calls      a sweep of N calls, made by the database itself: pages of a claim, a call and a look; gather's memory and speed
  declare    N runs declared, killed in the middle and declared again
  damage     100 changes that no worker made, each named or not

  --size N   calls, lines and runs (default ${SIZE})
`;

await runCommand({
  name: "store",
  help: HELP,
  options: { size: whole(1000) },
  async run({ values: { size = SIZE }, positionals }) {
    const unmet: string[] = [];
    for (const wanted of positionals.length > 0 ? positionals : Object.keys(STUDIES)) {
      const name = oneOf("study", wanted, Object.keys(STUDIES));
      say(`== ${name}`);
      await using server = await postgresServer();
      const rows = await STUDIES[name]!(server, size);
      for (const row of rows) print(lineOf(row));
      if (rows.some(({ met }) => met === false)) unmet.push(name);
    }
    if (unmet.length > 0) throw new UserError(`not met: ${unmet.join(", ")}`);
  },
});
