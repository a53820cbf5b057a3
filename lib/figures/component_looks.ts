import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { COLOURS } from "./palette.ts";

/** How one component of q is told apart in every figure that stacks them. */
export interface ComponentLook {
  readonly name: ComponentName;
  /** Repeats the colour inside an area. */
  readonly number: string;
  readonly colour: string;
}

/** Nine colours in the order of the components; the two beyond the seven are a yellow and a grey, for areas only. */
const PAINT = [
  ...[COLOURS[0], COLOURS[5], COLOURS[2], COLOURS[3], COLOURS[4], COLOURS[6], COLOURS[1]],
  ...["#F0E442", "#767676"],
] as const;

/** Number and colour of each component. */
export const COMPONENT_LOOKS: readonly ComponentLook[] = COMPONENTS.map((name, i) => ({
  ...{ name, number: String(i + 1), colour: PAINT[i]! },
}));
