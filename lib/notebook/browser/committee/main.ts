/** The script of the explorer of committees, as `controls` bundles it. */
import { mount } from "../mount.ts";
import { explorer } from "./explorer.ts";

mount(explorer);
