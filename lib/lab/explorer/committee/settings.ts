import { ROLES } from "../../../schema/scenario.ts";
import { MECHANISM } from "../../../schema/surrogate_parameters.ts";
import { h } from "../dom.ts";
import { at, controlsOf, group, joined, type Move, type Part, rangeOf } from "../inputs.ts";
import { COMMITTEE, type Committee, type CommitteeData, LEAST_ROUNDS, STATE, type State } from "./state.ts";

/** Settings of one committee, `A` or `B`. */
export function committeeSettings({ packets, lineups }: CommitteeData, place: number, move: Move<State>): Part<State> {
  const { range, select, checkbox } = controlsOf(move);
  /** While there is one committee, the hidden settings of the second show the first. */
  const of = <Name extends keyof Committee>(name: Name) => ({
    get: ({ committees }: State) => (committees[place] ?? committees[0]!)[name],
    set: (state: State, value: Committee[Name]) => ({
      ...state,
      committees: state.committees.map((one, i) => i === place ? { ...one, [name]: value } : one),
    }),
  });
  const { temperature, window, agents, rounds } = COMMITTEE.shape;
  return group(`Committee ${"AB"[place]}`, [
    select({
      ...{ label: "scenario", ...of("scenario") },
      options: packets.map(({ id }) => id),
      format: (id) => `${id}: ${packets.find((packet) => packet.id === id)!.title}`,
    }),
    select({
      ...{ label: "line-up", ...of("lineup") },
      options: Object.keys(lineups),
      format: (name) => lineups[name]!.title,
    }),
    checkbox({ label: "mandates", options: ROLES, ...of("mandates") }),
    range({ label: "temperature", ...rangeOf(temperature), ...of("temperature") }),
    range({ label: "window k, arguments", ...rangeOf(window), ...of("window") }),
    range({ label: "agents", ...rangeOf(agents), ...of("agents") }),
    range({ label: "rounds", ...rangeOf(rounds), ...of("rounds") }),
  ], "committee");
}

/** The switch for a second committee; it begins as the first with roles the other way. */
export function comparisonSwitch(move: Move<State>): Part<State> {
  return controlsOf(move).toggle({
    label: "compare with a second committee",
    get: ({ committees }) => committees.length === 2,
    set(state, on) {
      const first = state.committees[0]!;
      const second = { ...first, mandates: first.mandates.length > 0 ? [] : [...ROLES] };
      return { ...state, committees: on ? [first, second] : [first] };
    },
  });
}

/** Settings that both committees share. */
export function sharedSettings(move: Move<State>): Part<State> {
  const { range, radio } = controlsOf(move);
  const most = rangeOf(COMMITTEE.shape.rounds).max, step = 1;
  return group("Runs and fit", [
    range({ label: "replicates", ...rangeOf(STATE.shape.replicates), ...at("replicates") }),
    range({ label: "master seed", ...{ min: 0, max: 1000, step }, ...at("seed") }),
    range({
      ...{ label: "fit from round", min: 1, max: most - LEAST_ROUNDS + 1, step, ...at("from") },
      // The end of the window moves along where fewer than three rounds would be left.
      set: (state, from) => ({ ...state, from, to: Math.max(state.to, from + LEAST_ROUNDS - 1) }),
    }),
    range({ label: "fit to round", ...{ min: LEAST_ROUNDS, max: most, step }, ...at("to") }),
    radio({ label: "scale", options: STATE.shape.scale.options, ...at("scale") }),
  ]);
}

/** The surrogate's mechanism, parameter by parameter. */
export function mechanismSettings({ parameters: { mechanism } }: CommitteeData, move: Move<State>): Part<State> {
  const fields = MECHANISM.shape;
  const parts = Object.entries(mechanism).map(([name, fitted]) => {
    const { maxValue, description = "" } = fields[name as keyof typeof fields];
    const part = controlsOf(move).range({
      ...{ label: name, min: 0, step: 0.001 },
      // Parameters without an upper bound reach as far as three times the fitted value.
      max: Number.isFinite(maxValue) ? maxValue! : Math.max(1, Math.ceil(3 * fitted)),
      get: ({ mechanism }) => mechanism[name] ?? fitted,
      set(state, value) {
        const { [name]: _, ...rest } = state.mechanism;
        return { ...state, mechanism: Math.abs(value - fitted) < 5e-4 ? rest : { ...rest, [name]: value } };
      },
    });
    part.element.append(h("p.muted", description));
    return part;
  });
  return joined(h("details.mechanism", h("summary", "Mechanism of the surrogates")), parts);
}
