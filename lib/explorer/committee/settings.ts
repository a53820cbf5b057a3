import { Role, ROLES } from "../../schema/scenario.ts";
import { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { element } from "../dom.ts";
import { checkboxControl, type Control, radioControl, rangeControl, selectControl, toggleControl } from "../inputs.ts";
import type { CommitteeData } from "./state.ts";
import { BOUNDS, type Committee, LEAST_ROUNDS, type State } from "./state.ts";

type Move = (step: (state: State) => State) => void;

/** A part of the explorer that follows the state. */
export interface Part {
  readonly element: HTMLElement;
  show(state: State): void;
}

/** Controls of one committee, `A` or `B`. */
export function committeeSettings({ packets, lineups }: CommitteeData, place: number, move: Move): Part {
  const set = (changed: Partial<Committee>) =>
    move((state) => ({
      ...state,
      committees: state.committees.map((committee, i) => i === place ? { ...committee, ...changed } : committee),
    }));
  const titles = new Map(packets.map(({ id, title }) => [id, `${id}: ${title}`]));
  const number = (name: "temperature" | "window" | "agents" | "rounds", label: string, step: number) => {
    const { minValue: min, maxValue: max } = BOUNDS[name];
    return rangeControl({ label, min: min!, max: max!, step, value: min!, onInput: (value) => set({ [name]: value }) });
  };
  const controls: { readonly [Name in keyof Committee]: Control<Committee[Name]> } = {
    scenario: selectControl({
      ...{ label: "scenario", options: packets.map(({ id }) => id), format: (id: string) => titles.get(id)! },
      ...{ value: packets[0]!.id, onInput: (scenario) => set({ scenario }) },
    }),
    lineup: selectControl({
      ...{ label: "line-up", options: Object.keys(lineups), format: (name: string) => lineups[name]!.title },
      ...{ value: "uniform", onInput: (lineup) => set({ lineup }) },
    }),
    mandates: checkboxControl<Role>({
      ...{ label: "mandates", options: ROLES, value: [...ROLES] },
      onInput: (mandates) => set({ mandates: [...mandates] }),
    }) as Control<Role[]>,
    temperature: number("temperature", "temperature", 0.01),
    window: number("window", "window k, arguments", 1),
    agents: number("agents", "agents", 1),
    rounds: number("rounds", "rounds", 1),
  };
  const sign = "AB"[place]!;
  return {
    element: element(
      "fieldset",
      { class: "committee" },
      element("legend", {}, `Committee ${sign}`),
      ...Object.values(controls).map((control) => control.element),
    ),
    show({ committees }) {
      const committee = committees[place];
      if (committee === undefined) return;
      for (const [name, value] of Object.entries(committee)) {
        (controls[name as keyof Committee] as Control<unknown>).show(value);
      }
    },
  };
}

/** What both committees share. */
export function sharedSettings(move: Move): Part {
  const number = (name: "seed" | "replicates" | "from" | "to", label: string, min: number, max: number) =>
    rangeControl({
      label,
      min,
      max,
      step: 1,
      value: min,
      onInput: (value) => move((state) => moved(state, name, value)),
    });
  const { replicates: { minValue, maxValue }, scale: { options } } = BOUNDS;
  const most = BOUNDS.rounds.maxValue!;
  const controls = {
    replicates: number("replicates", "replicates", minValue!, maxValue!),
    seed: number("seed", "master seed", 0, 1000),
    from: number("from", "fit from round", 1, most - LEAST_ROUNDS + 1),
    to: number("to", "fit to round", LEAST_ROUNDS, most),
    scale: radioControl({
      ...{ label: "scale", options, value: options[0]! },
      onInput: (scale) => move((state) => ({ ...state, scale: scale as State["scale"] })),
    }),
  };
  return {
    element: element(
      "fieldset",
      {},
      element("legend", {}, "Runs and fit"),
      ...Object.values(controls).map((c) => c.element),
    ),
    show(state) {
      for (const [name, control] of Object.entries(controls)) {
        (control as Control<unknown>).show(state[name as keyof typeof controls]);
      }
    },
  };
}

/** Moves one number; an end of the window takes the other along where fewer than three rounds would be left. */
function moved(state: State, name: "seed" | "replicates" | "from" | "to", value: number): State {
  const next = { ...state, [name]: value };
  return name === "from" ? { ...next, to: Math.max(state.to, value + LEAST_ROUNDS - 1) } : next;
}

/** Whether there is a second committee; it begins as the first with roles the other way. */
export function comparisonSwitch(move: Move): Part {
  const control = toggleControl({
    ...{ label: "compare with a second committee", value: false },
    onInput: (on) =>
      move((state) => {
        const first = state.committees[0]!;
        const second = { ...first, mandates: first.mandates.length > 0 ? [] : [...ROLES] };
        return { ...state, committees: on ? [first, second] : [first] };
      }),
  });
  return { element: control.element, show: ({ committees }) => control.show(committees.length === 2) };
}

/** The surrogate's mechanism, parameter by parameter. */
export function mechanismSettings({ parameters: { mechanism } }: CommitteeData, move: Move): Part {
  const fields = SurrogateParameters.shape.mechanism.shape;
  const controls = Object.entries(mechanism).map(([name, fitted]) => {
    const field = fields[name as keyof typeof fields];
    // Those without an upper bound reach as far as three times the fitted value.
    const max = Number.isFinite(field.maxValue) ? field.maxValue! : Math.max(1, Math.ceil(3 * fitted));
    const control = rangeControl({
      ...{ label: name, min: 0, max, step: 0.001, value: fitted },
      onInput: (value) =>
        move((state) => {
          const { [name]: _, ...rest } = state.mechanism;
          return { ...state, mechanism: Math.abs(value - fitted) < 5e-4 ? rest : { ...rest, [name]: value } };
        }),
    });
    control.element.append(element("p", { class: "muted" }, field.description ?? ""));
    return { name, fitted, control };
  });
  return {
    element: element(
      "details",
      { class: "mechanism" },
      element("summary", {}, "Mechanism of the surrogates"),
      ...controls.map(({ control }) => control.element),
    ),
    show(state) {
      for (const { name, fitted, control } of controls) control.show(state.mechanism[name] ?? fitted);
    },
  };
}
