import { UserError } from "../../core/user_error.ts";

/** The error for a prompt that no persona can read, naming the layout it should have. */
export const unreadable = (what: string): UserError =>
  new UserError(
    `the station persona cannot read this prompt: ${what}. Personas read the layout of the prompts in ` +
      `scenarios/mosaic-9.json (system: role, ACTIONS, PROPOSAL SCHEMA; turn: STATION to YOUR LAST REPLY); ` +
      `keep its headings and lines, or use a live council.`,
  );
