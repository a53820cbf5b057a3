import * as Plot from "@observablehq/plot";
import { LINE_HEIGHT, TEXT_SIZE } from "./canvas.ts";
import { fontWidth } from "./text_boxes.ts";

/**
 * Names beside points: `Plot.text` that leaves out a name which would cover one before it, so the most important rows come
 * first. Say in the caption that names may be missing; the data have them all.
 */
export function spacedLabels(rows: readonly object[], options: Plot.TextOptions): Plot.Markish {
  const { dx = 0, dy = 0, textAnchor = "middle" } = options;
  const before = { start: 0, middle: 0.5, end: 1 }[textAnchor as string] ?? 0.5;
  const render: Plot.RenderFunction = (index, scales, values, dimensions, context, next) => {
    const taken: { left: number; right: number; y: number }[] = [];
    const texts = values.text as unknown as ArrayLike<unknown>;
    const kept = index.filter((i) => {
      const width = fontWidth(String(texts[i])) * TEXT_SIZE;
      const left = values.x![i]! + dx - before * width;
      const y = values.y![i]! + dy;
      const box = { left, right: left + width, y };
      if (taken.some((one) => one.left < box.right && box.left < one.right && Math.abs(one.y - y) < LINE_HEIGHT)) {
        return false;
      }
      taken.push(box);
      return true;
    });
    return next!(kept, scales, values, dimensions, context);
  };
  return Plot.text(rows, { ...options, render });
}

/**
 * Each line named at its end, in place of a legend; names that would cover one another stand below one another.
 *
 * @param line `x`, `y`: its columns; `z`: the column that names it.
 */
export function lineNames(rows: readonly object[], line: Readonly<Record<"x" | "y" | "z", string>>): Plot.Markish {
  const render: Plot.RenderFunction = (index, scales, values, dimensions, context, next) => {
    const y = [...values.y!];
    const downwards = [...index].sort((a, b) => y[a]! - y[b]!);
    const space = (names: readonly number[], sign: 1 | -1, edge: number) =>
      names.reduce((from, i) => (y[i] = sign * Math.max(sign * y[i]!, sign * from)) + sign * LINE_HEIGHT, edge);
    space(downwards, 1, dimensions.marginTop);
    space(downwards.toReversed(), -1, dimensions.height - dimensions.marginBottom);
    return next!(index, scales, Object.assign({}, values, { y }), dimensions, context);
  };
  return Plot.text(rows, Plot.selectLast({ ...line, text: line.z, textAnchor: "start", dx: 8, render }));
}
