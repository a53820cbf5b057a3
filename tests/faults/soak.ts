import { unknownName, UserError } from "@/core/user_error.ts";
import { print, runCommand, say } from "@/lab/tools/command.ts";
import { type BenchRow, lineOf } from "../bench/bench_row.ts";
import { studyChaos } from "./chaos.ts";
import { studyLedgerFlips, studyStationFlips } from "./flips.ts";
import { studyFolders } from "./folders.ts";
import { studyKills } from "./kills.ts";
import { committees, stations } from "./live_study.ts";
import { studyLength } from "./long.ts";
import { studyFleet } from "../postgres/fleet.ts";
import { studyCap, studyCarried, studyOverhead, studyRate, studyWidth } from "../postgres/shared.ts";
import { studyMixture, studyOutage } from "./outages.ts";

type Study = () => Promise<BenchRow[]>;

/** Answered before an endpoint fails: a fifth of what twenty runs take. */
const AFTER = 400;
const seed = 1;

const STUDIES: Readonly<Record<string, readonly Study[]>> = {
  outages: [
    () => studyOutage(committees(20), { fault: "status 503", lastsMs: 12_000, after: AFTER }),
    () => studyOutage(committees(20), { fault: "rate limit, bare", lastsMs: 60_000, after: AFTER }),
    () => studyOutage(stations(), { fault: "status 503", lastsMs: 12_000, after: 20 }),
    () => studyOutage(stations(), { fault: "rate limit, bare", lastsMs: 60_000, after: 20 }),
  ],
  chaos: [() => studyChaos(committees(4)), () => studyChaos(stations())],
  mixture: [
    () => studyMixture(committees(94, { width: 64 }), { share: 0.2, seed }),
    () => studyMixture(stations(), { share: 0.2, seed }),
  ],
  kills: [
    () => studyKills(committees(6, { small: true }), { kills: 125, width: 8, seed }),
    () => studyKills(committees(20, { small: true, embedded: true }), { kills: 125, width: 1, seed }),
    () => studyKills(stations(), { kills: 125, width: 8, seed }),
    () => studyKills(stations({ embedded: true }), { kills: 125, width: 1, seed }),
  ],
  flips: [() => studyLedgerFlips({ flips: 1500, seed }), () => studyStationFlips({ flips: 1500, seed })],
  folders: [() => studyFolders()],
  length: [() => studyLength({ calls: 100_000 })],
  fleet: [
    () =>
      studyFleet({ workers: 4, runs: 60, points: 75, serverKills: 6, cuts: 20, killed: 2 / 3, apartMs: 3000, seed }),
    () =>
      studyFleet({
        workers: 4,
        runs: 60,
        points: 75,
        serverKills: 6,
        cuts: 20,
        killed: 2 / 3,
        apartMs: 3000,
        seed,
        live: true,
      }),
    () => studyRate({ workers: 3, perSecond: 50, width: 30, runs: 160, rounds: 4, windowMs: 60_000 }),
    () => studyCap({ workers: 3, capUsd: 0.5, runs: 60, rounds: 20, width: 8 }),
    () => studyOverhead({ runs: 4, rounds: 4 }),
    () => studyWidth({ workers: 4, width: 64, runs: 256, rounds: 3, connections: 100 }),
    () => studyWidth({ workers: 4, width: 2, runs: 8, rounds: 4, connections: 18 }),
    () => studyCarried({ workers: 4, width: 64, seconds: 10 }),
    () => studyCarried({ workers: 4, width: 64, seconds: 10, capUsd: 1e6 }),
  ],
};

const HELP = `
usage: deno task dev soak [STUDY...]

What live runs survive, through the command itself against endpoints on loopback; half an hour and more in all:
  outages   12 s of 503 and 60 s of 429 in the middle of twenty runs, and of the station
  chaos     a third party's mock that fails one request in nine (from npm)
  mixture   10,000 calls, a fifth of them failed in seventeen ways: every try and token on record
  kills     500 processes killed at any instant, live and embedded, both protocols
  flips     1,500 changed bits and lines of a ledger, and as many of a station run
  folders   every experiment live into its default folder, then embedded, then reproduce, in a clone
  length    100,000 calls in one ledger against 10,000
  fleet     workers on one PostgreSQL server (Debian's package): 75 of them killed or stopped, the server six times, every
            connection cut twenty times; one rate and one cap for three, what a call costs, and how many one server carries
`;

await runCommand({
  name: "soak",
  help: HELP,
  options: {},
  async run({ positionals }) {
    const names = positionals.length > 0 ? positionals : Object.keys(STUDIES);
    const unmet: string[] = [];
    for (const name of names) {
      if (!Object.hasOwn(STUDIES, name)) throw unknownName("study", name, Object.keys(STUDIES));
      say(`== ${name}`);
      for (const study of STUDIES[name]!) {
        const rows = await study();
        for (const row of rows) print(lineOf(row));
        if (rows.some(({ met }) => met === false)) unmet.push(name);
      }
    }
    if (unmet.length > 0) throw new UserError(`not met: ${[...new Set(unmet)].join(", ")}`);
  },
});
