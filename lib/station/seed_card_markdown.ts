import type { Mosaic } from "../schema/mosaic.ts";
import type { SeedCard, Shock, ShockKind } from "../schema/seed_card.ts";
import { count, plainMarkdown } from "./recap_text.ts";
import { RULES } from "./rules.ts";

const NAMES: Readonly<Record<ShockKind, string>> = {
  rumor: "rumour",
  power_fault: "power fault",
  market_offer: "market offer",
  scandal: "scandal",
  leak: "leak",
  panic_outer: "panic in the Outer Ring",
  panic_sponsor: "panic on the sponsor deck",
};

/**
 * A seed card for people: what a seed brings in each round, how hard, and who speaks when. A council never sees it.
 *
 * @returns Markdown.
 */
export function seedCardMarkdown({ seed, rounds }: SeedCard, rules: Mosaic = RULES): string {
  const shocks = rounds.flatMap(({ shocks }) => shocks);
  const heaviest = shocks.toSorted((a, b) => b.severity - a.severity)[0];
  return [
    `# Seed card ${seed}`,
    `A seed is weather, not another scenario: the same station, roles and rules, with ${shocks.length} shocks falling at ` +
    "other times and with other force. All of it is drawn before round 1; nothing a council does changes it, and no " +
    `council sees it beforehand.`,
    [
      `In all: ${tally(shocks)}.`,
      ...(heaviest ? [`Heaviest: ${name(heaviest)}, severity ${heaviest.severity.toFixed(2)}.`] : []),
    ]
      .join(" "),
    ...rounds.flatMap((one) => roundCard(one, rules)),
    "Severity 1 is a shock of ordinary force. Growth is what a rumour's heat is multiplied by at the close of every round " +
    "in which nothing is done about it: above 1 it spreads, below 1 it dies down.",
  ].join("\n\n") + "\n";
}

function tally(shocks: readonly Shock[]): string {
  const kinds = Map.groupBy(shocks, ({ kind }) => kind);
  return [...kinds].map(([kind, all]) => kind.startsWith("panic") ? NAMES[kind] : count(all.length, NAMES[kind])).join(
    ", ",
  );
}

const name = ({ id, kind }: Shock): string => `${NAMES[kind]} ${plainMarkdown(id)}`;

function roundCard({ round, order, shocks }: SeedCard["rounds"][number], rules: Mosaic): string[] {
  const hours = rules.hoursPerRound;
  return [
    `## Round ${round} (hours ${(round - 1) * hours} to ${round * hours})`,
    shocks.length === 0 ? "No shock." : [
      "| shock | severity | growth | what the station hears |",
      "| --- | --- | --- | --- |",
      ...shocks.map((shock) =>
        `| ${name(shock)} | ${shock.severity.toFixed(2)} | ${shock.growth?.toFixed(2) ?? ""} | ${
          plainMarkdown(shock.text)
        } |`
      ),
    ].join("\n"),
    `Speaking order: ${order.map((role) => plainMarkdown(rules.roles[role].title)).join(", ")}.`,
  ];
}
