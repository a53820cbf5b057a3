import assert from "node:assert/strict";
import { lively, ofKind, run, states, taken } from "../station/fixtures.ts";
import { stationStory } from "@/notebook/station_story.ts";
import { collectStation } from "@/runs/collect_station.ts";
import { stationCouncil } from "@/runs/station_council.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import type { CouncilRole } from "@/schema/station_ids.ts";
import { RULES } from "@/station/rules.ts";

const persona = async (name: string, seed: number, ruleset: "v1" | "v2" = "v2"): Promise<readonly StationEvent[]> => {
  const council = stationCouncil(name, new Map<string, string>());
  return (await collectStation({ council, ruleset, seeds: [seed] }))[0]!.events;
};

const STORIES: Record<string, () => Promise<readonly StationEvent[]>> = {
  "no model": () => run({ seed: 4 }),
  broadcaster: () => persona("broadcaster", 2),
  split: () => persona("split", 3),
  "an unread council": () => persona("dialect", 3, "v1"),
  "a lively council": () => run({ seed: 11, council: lively().chat }),
  "another lively council": () => run({ seed: 12, council: lively().chat }),
};

const byText = <T>(list: readonly T[]) => list.map((one) => JSON.stringify(one)).sort();

for (const [name, make] of Object.entries(STORIES)) {
  Deno.test(`stationStory() of ${name} is what its states and events say`, async () => {
    const events = await make();
    const story = stationStory(events);
    const all = states(events);
    // The last state of a round is the one after the close and the moderator.
    const ends = [0, 1, 2, 3, 4, 5, 6].map((round) => all.findLast((state) => state.round === round)!);

    const gates = ofKind(events, "gate.judged");
    for (const life of story.proposals) {
      const judged = gates.filter(({ proposal }) => proposal === life.id);
      assert.deepEqual(
        life.gates,
        judged.map(({ round, support, against, executability, passed }) => ({
          ...{ round, support, against, executability, passed },
        })),
      );
      const executions = ofKind(events, "plan.executed").filter(({ proposal }) => proposal === life.id);
      assert.deepEqual(executions.map(({ round }) => round), life.executed === undefined ? [] : [life.executed]);
      assert.equal(life.status, ends[6]!.proposals.find(({ id }) => id === life.id)!.status);
    }
    assert.equal(story.proposals.length, ends[6]!.proposals.length);

    const ids = new Set(all.flatMap(({ rumors }) => rumors.map(({ id }) => id)));
    assert.deepEqual(new Set(story.rumors.map(({ id }) => id)), ids);
    assert.equal(story.rumors.length, ids.size);
    for (const { id, born, heat } of story.rumors) {
      const first = all.find(({ rumors }) => rumors.some((rumor) => rumor.id === id))!;
      assert.deepEqual(born, { round: first.round, heat: first.rumors.find((rumor) => rumor.id === id)!.heat });
      const due = ends.slice(born.round).map(({ round, rumors }) => ({
        round,
        heat: rumors.find((rumor) => rumor.id === id)?.heat ?? 0,
      }));
      const over = due.findIndex((end) => end.heat === 0);
      assert.deepEqual(heat, over < 0 ? due : due.slice(0, over + 1), `${id} ends at heat 0, once`);
    }

    const steps = all.slice(1).map((after, i) => ({ before: all[i]!.edges, after: after.edges, round: after.round }));
    const formed = steps.flatMap(({ before, after, round }) =>
      after.filter((pair) => !before.includes(pair)).map((pair) => ({ pair, round }))
    );
    const broken = steps.flatMap(({ before, after, round }) =>
      before.filter((pair) => !after.includes(pair)).map((pair) => ({ pair, round }))
    );
    const pairOf = ({ a, b }: { a: string; b: string }) => `${a}|${b}`;
    assert.deepEqual(byText(story.edges.map((edge) => ({ pair: pairOf(edge), round: edge.round }))), byText(formed));
    const ended = story.edges.flatMap((edge) =>
      edge.broken === undefined ? [] : [{ pair: pairOf(edge), round: edge.broken }]
    );
    assert.deepEqual(byText(ended), byText(broken));
    const standing = story.edges.filter((edge) => edge.broken === undefined).map(pairOf);
    assert.deepEqual(standing.sort(), [...ends[6]!.edges].sort());
  });
}

Deno.test("the runs told here have broken ties, dead rumours and blocked or invalid plans between them", async () => {
  const stories = await Promise.all(Object.values(STORIES).map(async (make) => stationStory(await make())));
  assert.ok(stories.some(({ edges }) => edges.some(({ broken }) => broken !== undefined)));
  assert.ok(stories.some(({ rumors }) => rumors.some(({ heat }) => heat.at(-1)!.heat === 0)));
  assert.ok(stories.some(({ rumors }) => rumors.some(({ heat }) => heat.at(-1)!.heat > 0)));
  for (const status of ["executed", "blocked", "invalid"]) {
    assert.ok(stories.some(({ proposals }) => proposals.some((life) => life.status === status)), status);
  }
});

const open = (round: number): StationEvent => ({ kind: "round.opened", round, order: [] });
const form = (round: number, role: CouncilRole, target: string) =>
  taken({ round, role, action: "form_coalition", target });

Deno.test("stationStory() by hand: a tie that broke and came again has one entry for each time", () => {
  const { edges } = stationStory([
    open(1),
    form(1, "C2_EQUITY", "C1_COMMAND"),
    form(1, "F1_OUTER", "F2_SPONSOR"),
    open(2),
    taken({ round: 2, role: "C1_COMMAND", action: "defect" }),
    open(3),
    form(3, "C1_COMMAND", "C2_EQUITY"),
    open(4),
    taken({ round: 4, role: "C2_EQUITY", action: "defect" }),
  ]);
  const pair = { a: "C1_COMMAND", b: "C2_EQUITY" };
  assert.deepEqual(edges, [
    { ...pair, round: 1, broken: 2 },
    { a: "F1_OUTER", b: "F2_SPONSOR", round: 1 },
    { ...pair, round: 3, broken: 4 },
  ]);
});

const rumor = (round: number, id: string, severity: number): StationEvent => ({
  kind: "shock.struck",
  round,
  shock: { id, kind: "rumor", by: "X1_RUMOR", severity, growth: 1, text: `text of ${id}` },
});

Deno.test("stationStory() by hand: who cooled which rumour, when it came and when it was over", () => {
  const heat = RULES.shock.rumorHeat;
  const { factHeat, broadcastHeat } = RULES.act;
  const { rumors } = stationStory([
    open(1),
    rumor(1, "R0", 1),
    rumor(1, "R1", 2),
    taken({ round: 1, role: "C4_CIVIL", action: "fact_check", target: "R0" }),
    taken({ round: 1, role: "C1_COMMAND", action: "broadcast" }),
    taken({ round: 1, role: "C2_EQUITY", action: "observe" }),
    { kind: "round.closed", round: 1, degraded: false },
    { kind: "bot.acted", round: 1, bot: "X4_MODERATOR", act: "cool", target: "R1", text: "Slowed." },
    { kind: "bot.acted", round: 1, bot: "X5_AUDIT", act: "account", text: "Tokens." },
    open(2),
    { kind: "round.closed", round: 2, degraded: false },
    open(3),
  ]);
  assert.ok(heat * factHeat! * broadcastHeat! < RULES.close["heatCut"]!, "R0 does not outlive the close");
  const broadcast = { round: 1, act: "broadcast", by: "C1_COMMAND" };
  const left = 2 * heat * broadcastHeat! * RULES.close["moderatorHeat"]!;
  const from = "X1_RUMOR";
  assert.deepEqual(rumors, [
    {
      ...{ id: "R0", text: "text of R0", from, born: { round: 1, heat } },
      heat: [{ round: 1, heat: 0 }],
      cooled: [{ round: 1, act: "fact_check", by: "C4_CIVIL" }, broadcast],
    },
    {
      ...{ id: "R1", text: "text of R1", from, born: { round: 1, heat: 2 * heat } },
      heat: [{ round: 1, heat: left }, { round: 2, heat: left }],
      cooled: [broadcast, { round: 1, act: "cool", by: "X4_MODERATOR" }],
    },
  ]);
});

Deno.test("stationStory() of nothing is empty", () => {
  assert.deepEqual(stationStory([]), { rumors: [], edges: [], proposals: [] });
});
