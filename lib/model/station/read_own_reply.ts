import { ActionName } from "../../schema/station_ids.ts";
import type { Deed } from "./sight.ts";
import { planIn } from "./write_plan.ts";

/** A reply of its own that could not be used, as the deed it meant and its words; undefined where it is broken. */
export function readOwnReply(text: string): { deed: Deed; statement: string | undefined } | undefined {
  const json = parse(text);
  const action = ActionName.safeParse(json?.action);
  if (json === undefined || !action.success) return undefined;
  const { target, support, proposal, statement } = json;
  const plan = planIn(proposal);
  return {
    deed: {
      action: action.data,
      ...(typeof target === "string" && { target }),
      ...(typeof support === "boolean" && { support }),
      ...(plan && { plan }),
    },
    statement: typeof statement === "string" ? statement : undefined,
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
