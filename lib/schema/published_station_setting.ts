import { z } from "zod";
import { PublishedText } from "./published_cell.ts";

/** One field of the interaction condition (station paper, Table 12). */
export const PublishedSettingRow = z.strictObject({
  field: PublishedText.describe("as printed"),
  value: PublishedText.describe("lists as printed, sentences in our words"),
});
export type PublishedSettingRow = z.infer<typeof PublishedSettingRow>;
