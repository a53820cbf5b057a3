import { element, setText } from "./element.ts";

export interface SliderOptions {
  readonly id: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Called with the slider's value whenever the reader moves it. */
  readonly onMove: (value: number) => void;
}

/** A labelled slider with its value beside it. */
export interface Slider {
  readonly element: HTMLElement;
  /** Shows a value, which need not be a step of the slider; the texts stand beside it and are what is read out. */
  show(value: number, text: string, note?: string): void;
}

export function slider({ id, label, min, max, step, onMove }: SliderOptions): Slider {
  const range = { type: "range", min: String(min), max: String(max), step: String(step) };
  const input = element("input", { id, ...range, autocomplete: "off" });
  const output = element("output", { for: id });
  const aside = element("output", { for: id, class: "muted" });
  input.addEventListener("input", () => onMove(input.valueAsNumber));
  return {
    element: element("div", { class: "slider" }, element("label", { for: id }, label), input, output, aside),
    show(value, text, note = "") {
      if (input.valueAsNumber !== value) input.value = String(value);
      input.setAttribute("aria-valuetext", note === "" ? text : `${text}, ${note}`);
      setText(output, text);
      setText(aside, note);
    },
  };
}
