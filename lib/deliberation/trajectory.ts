import type { DeliberationState } from "./state.ts";

/**
 * Each agent's preferences after each round, shape [T][N][K], agents in seat order. Only whole rounds are given.
 */
export function preferencesByRound({ turns, table }: DeliberationState): number[][][] {
  const agents = table.length;
  const rounds: number[][][] = [];
  for (let first = 0; first + agents <= turns.length; first += agents) {
    const round: number[][] = Array.from({ length: agents });
    for (const { seat, state } of turns.slice(first, first + agents)) round[seat] = [...state.preferences];
    rounds.push(round);
  }
  return rounds;
}

/** The committee-mean preference after each round, shape [T][K]: what distances between replicates are taken of. */
export function committeeMeans(state: DeliberationState): number[][] {
  return preferencesByRound(state).map((agents) =>
    agents[0]!.map((_, k) => agents.reduce((sum, preferences) => sum + preferences[k]!, 0) / agents.length)
  );
}
