import { z } from "zod";

/** What one STATE line says, after reading. */
export const StateVector = z.strictObject({
  preferences: z.array(z.number().min(0).max(1)).describe("one share per option, summing to 1"),
  confidence: z.number().min(0).max(100),
  tags: z.array(z.string()).length(2),
  writtenSum: z.number().optional().describe("the sum as written, present only where the preferences were rescaled"),
});
export type StateVector = z.infer<typeof StateVector>;
