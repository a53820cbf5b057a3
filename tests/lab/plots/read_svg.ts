import { parseSvg as documentOf } from "@/lab/plots/canvas.ts";
import { overlappingTexts, type TextBox, textBoxes as boxesOf } from "@/lab/plots/text.ts";

export const textBoxes = (svg: string): TextBox[] => boxesOf(parseSvg(svg));
export const overlaps = (svg: string): string[] => overlappingTexts(parseSvg(svg));

export const parseSvg = (svg: string): Element => documentOf(svg).documentElement;

/** The drawn text, in order. */
export const texts = (svg: string): string[] => [...parseSvg(svg).querySelectorAll("text")].map((t) => t.textContent!);
