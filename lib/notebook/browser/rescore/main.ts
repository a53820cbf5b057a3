/** The script of the explorer of weights, as `controls` bundles it. */
import { mount } from "../mount.ts";
import { explorer } from "./explorer.ts";

mount(explorer);
