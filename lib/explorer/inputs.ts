import * as Inputs from "@observablehq/inputs";
import { element, setText } from "./dom.ts";

/** A control of Observable's: a form that holds a value and tells of every change by `input`. */
export interface Control<T> {
  readonly element: HTMLElement;
  /** Shows a value without telling of it. */
  show(value: T): void;
}

interface ControlOptions<T> {
  readonly label: string;
  readonly value: T;
  readonly onInput: (value: T) => void;
}

type Form<T> = HTMLFormElement & { value: T };

/** Types that the package lacks. */
const { range, select, checkbox, radio, toggle } = Inputs as unknown as Record<
  "range" | "select" | "checkbox" | "radio" | "toggle",
  (data: unknown, options?: unknown) => HTMLFormElement
>;

function control<T>(form: HTMLFormElement, { label, onInput }: ControlOptions<T>): Control<T> {
  const valued = form as Form<T>;
  for (const input of form.querySelectorAll("input, select")) input.setAttribute("autocomplete", "off");
  form.addEventListener("input", () => onInput(valued.value));
  // A group of boxes has a label that belongs to none of them.
  const group = form.querySelector(":scope > label:not([for])");
  if (group) {
    group.replaceWith(element("span", { class: "name", "aria-hidden": "true" }, label));
  }
  return {
    element: group ? element("div", { role: "group", "aria-label": label }, form) : form,
    show(value) {
      if (JSON.stringify(valued.value) !== JSON.stringify(value)) valued.value = value;
    },
  };
}

/** A slider with a number that can be typed. What is typed and cannot be is said beside it and changes nothing. */
export function rangeControl(
  { min, max, step, slide = step, ...options }: ControlOptions<number> & {
    min: number;
    max: number;
    step: number;
    /** Step of the slider, where what can be typed is finer. */
    slide?: number;
  },
): Control<number> {
  const format = (value: number) => String(Number(value.toFixed(6)));
  // Under a transform of its own the package rounds to the step of what is typed, not to that of the slider.
  const same = (value: number) => value;
  const form = range([min, max], { ...options, step, format, transform: same, invert: same });
  const slider = form.querySelector("[type=range]")!;
  slider.setAttribute("aria-label", options.label);
  slider.setAttribute("step", String(slide));
  const number = form.querySelector<HTMLInputElement>("[type=number]")!;
  const complaint = element("span", { class: "complaint", role: "alert" });
  form.append(complaint);
  form.addEventListener("input", () => {
    const { valid } = number.validity;
    setText(complaint, valid ? "" : `${options.label}: must be ${min} to ${max}${step === 1 ? ", whole" : ""}`);
  }, { capture: true });
  return control(form, options);
}

export function selectControl<T extends string | number>(
  { options: choices, format = String, ...options }: ControlOptions<T> & {
    options: readonly T[];
    format?: (value: T) => string;
  },
): Control<T> {
  return control(select(choices, { ...options, format }), options);
}

export function checkboxControl<T extends string>(
  { options: choices, ...options }: ControlOptions<readonly T[]> & {
    options: readonly T[];
    format?: (value: T) => string;
  },
): Control<readonly T[]> {
  return control(checkbox(choices, options), options);
}

export function radioControl<T extends string>(
  { options: choices, ...options }: ControlOptions<T> & { options: readonly T[] },
): Control<T> {
  return control(radio(choices, options), options);
}

export function toggleControl(options: ControlOptions<boolean>): Control<boolean> {
  return control(toggle(options), options);
}

export function button(words: string, onClick: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" }, words);
  made.addEventListener("click", onClick);
  return made;
}
