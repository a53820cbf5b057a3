import * as Inputs from "@observablehq/inputs";
import type { ZodNumber } from "zod";
import { h, setText } from "./dom.ts";

/** Changes the reader's state. */
export type Move<State> = (step: (state: State) => State) => void;

/** A part of an explorer that follows the state. */
export interface Part<State> {
  readonly element: HTMLElement;
  show(state: State): void;
}

/** A value in the state: how it is read, and the state with another one. */
export interface Lens<State, T> {
  get(state: State): T;
  set(state: State, value: T): State;
}

/** A part of the state by its name. */
export const at = <State, Name extends keyof State>(name: Name): Lens<State, State[Name]> => ({
  get: (state) => state[name],
  set: (state, value) => ({ ...state, [name]: value }),
});

/** A control: its label, and the value that it shows and changes. */
export type Field<State, T> = Lens<State, T> & { readonly label: string };

interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Step of the slider, where a number can be typed more finely. */
  readonly slide?: number;
}

/** The range of a number, from its schema. */
export const rangeOf = ({ minValue, maxValue, isInt }: ZodNumber): Range => ({
  ...{ min: minValue!, max: maxValue!, step: isInt ? 1 : 0.01 },
});

interface Choices<T> {
  readonly options: readonly T[];
  /** A choice in words. */
  readonly format?: (value: T) => string;
}

type Form = HTMLFormElement & { value: unknown };
type Make = (data: unknown, options?: unknown) => Form;

/**
 * Forms of Observable's, each of which holds a value and reports every change by `input`; the package lacks their
 * types.
 */
const { range, select, checkbox, radio, toggle } = Inputs as unknown as Readonly<
  Record<"range" | "select" | "checkbox" | "radio" | "toggle", Make>
>;

/** Controls of a state. */
export function controlsOf<State>(move: Move<State>) {
  const bound = <T>(form: Form, { label, get, set }: Field<State, T>): Part<State> => {
    for (const input of form.querySelectorAll("input, select")) input.setAttribute("autocomplete", "off");
    form.addEventListener("input", () => move((state) => set(state, form.value as T)));
    // A group of boxes has a label that belongs to none of them.
    const group = form.querySelector(":scope > label:not([for])");
    group?.replaceWith(h("span.name", { "aria-hidden": "true" }, label));
    return {
      element: group ? h("div", { role: "group", "aria-label": label }, form) : form,
      show(state) {
        const value = get(state);
        if (JSON.stringify(form.value) !== JSON.stringify(value)) form.value = value;
      },
    };
  };
  const choice = <T, Value>(make: Make, { options, format = String, ...field }: Field<State, Value> & Choices<T>) =>
    bound(make(options, { label: field.label, format }), field);
  return {
    /** A slider with a number that can be typed. A number out of range is reported beside it and changes nothing. */
    range({ min, max, step, slide = step, ...field }: Field<State, number> & Range): Part<State> {
      const { label } = field;
      const format = (value: number) => String(Number(value.toFixed(6)));
      // Under a transform of its own the package rounds to the step of the number, not to that of the slider.
      const same = (value: number) => value;
      const form = range([min, max], { label, step, value: min, format, transform: same, invert: same });
      const slider = form.querySelector("[type=range]")!;
      slider.setAttribute("aria-label", label);
      slider.setAttribute("step", String(slide));
      const number = form.querySelector<HTMLInputElement>("[type=number]")!;
      const complaint = h("span.complaint", { role: "alert" });
      form.append(complaint);
      const rule = `${label}: must be ${min} to ${max}${step === 1 ? ", whole" : ""}`;
      form.addEventListener("input", () => setText(complaint, number.validity.valid ? "" : rule), { capture: true });
      return bound(form, field);
    },
    select: <T>(field: Field<State, T> & Choices<T>) => choice(select, field),
    checkbox: <T>(field: Field<State, T[]> & Choices<T>) => choice(checkbox, field),
    radio: <T>(field: Field<State, T> & Choices<T>) => choice(radio, field),
    toggle: (field: Field<State, boolean>): Part<State> => bound(toggle({ label: field.label }), field),
  };
}

/** Parts inside an element, below what it holds already. */
export function joined<State>(element: HTMLElement, parts: readonly Part<State>[]): Part<State> {
  element.append(...parts.map((part) => part.element));
  return { element, show: (state) => parts.forEach((part) => part.show(state)) };
}

/** Controls under one heading. */
export const group = <State>(legend: string, parts: readonly Part<State>[], name?: string): Part<State> =>
  joined(h("fieldset", { class: name }, h("legend", legend)), parts);
