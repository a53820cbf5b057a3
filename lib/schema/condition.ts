import * as z from "zod";
import { UserError } from "../core/user_error.ts";
import { DeclaredProvider } from "./providers.ts";
import {
  joinMandates,
  mandatesInWords,
  PromptPack,
  Role,
  ScenarioPacket,
  seatedRoles,
  seatingOf,
  splitMandates,
} from "./scenario.ts";

const Seat = z.strictObject({
  label: z.string().min(1).describe("how the others see the agent: a role, or a neutral name where roles are off"),
  role: Role.describe("the seat's place in the line-up, also where roles are off"),
  mandate: z.string().describe("empty where roles are off or the role is ablated"),
  model: z.string().min(1),
  maxTokens: z.int().min(1).optional().describe("of the model's replies, where not as for the other seats"),
  reasoningEffort: z.string().min(1).optional().describe("sent with every request; absent: the provider's own"),
});
export type Seat = z.infer<typeof Seat>;

/** The roles that a text names; undefined, with an issue, where it names none. */
function rolesIn(value: string, context: z.RefinementCtx): Role[] | undefined {
  try {
    return splitMandates(value);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
    return undefined;
  }
}

/** Roles joined by `+`, brought into the order of ROLES. */
const Mandates = z.string().transform((value, context): string => {
  const roles = rolesIn(value, context);
  return roles === undefined ? z.NEVER : joinMandates(roles);
});

const InOrder = z.string().refine((value) => Mandates.safeParse(value).data === value, {
  error: "must be roles in the order Chair, Welfare, Rights, Equity, Security, joined by +",
});

/**
 * Everything that makes one experimental condition of a committee, whole: two runs of one condition differ in
 * seed and replicate alone. Its content hash keys the ledger, so a changed word in a prompt is another condition.
 */
export const Condition = z.strictObject({
  schema: z.literal("condition/1"),
  packet: ScenarioPacket,
  prompts: PromptPack,
  seats: z.array(Seat).min(2),
  order: z.array(z.int().min(0)).describe("seat indices in speaking order, the same in every round and replicate"),
  roles: z.boolean(),
  lineup: z.string().min(1),
  ablate: InOrder.optional().describe("mandates taken away, such as Chair or Chair+Equity"),
  agents: InOrder.optional().describe("which mandates sit, where they are not those that their number alone gives"),
  temperature: z.number().min(0).max(2),
  window: z.int().min(0).describe("arguments each agent sees, k"),
  rounds: z.int().min(1),
  maxTokens: z.int().min(1),
  normaliser: z.literal(true).optional().describe("near misses of the formats are read, each repair named"),
  structured: z.literal(true).optional().describe("ballots are asked for with their JSON schema"),
  providers: z.record(z.string(), DeclaredProvider).optional().describe("settings of the providers that seats name"),
}).superRefine(({ seats, order }, context) => {
  const sorted = order.toSorted((a, b) => a - b);
  if (sorted.length !== seats.length || sorted.some((seat, i) => seat !== i)) {
    context.addIssue({ code: "custom", path: ["order"], message: "must name every seat exactly once" });
  }
});
export type Condition = z.infer<typeof Condition>;

/** The word for "nothing of the kind" in a list of alternatives. */
const NONE = "none";

const Ablation = z.string().transform((value) => value === NONE ? undefined : value).pipe(Mandates.optional());

const Variant = z.string().min(1).transform((value) => value === NONE ? undefined : value);

/** A switch that is off is absent, so that conditions declared before it existed keep their hash. */
const Switch = z.boolean().transform((on) => on ? true as const : undefined);

const FEWEST = 2, MOST = 26;

/** A number of agents, or who sits; the two ways to say the same become the number. */
const Agents = z.custom<number | string>((value) => typeof value === "number" || typeof value === "string", {
  error: "must be a whole number, or the roles that sit joined by +",
}).transform((value, context): number | string => {
  const seated = typeof value === "string" ? rolesIn(value, context) : undefined;
  if (typeof value === "string" && seated === undefined) return z.NEVER;
  const count = seated?.length ?? value as number;
  if (Number.isInteger(count) && count >= FEWEST && count <= MOST) {
    return seated === undefined ? count : seatingOf(seated);
  }
  context.addIssue({ code: "custom", message: `must be ${FEWEST} to ${MOST} agents, found ${count}` });
  return z.NEVER;
});

/** Reason why mandates cannot be seated or taken away so; undefined if they can. */
export function mandateFlaw(
  { roles, agents, ablate }: { roles: boolean; agents: number | string; ablate?: string | undefined },
): { field: "agents" | "ablate"; rule: string } | undefined {
  if (!roles && typeof agents === "string") {
    const rule = `roles are off, so no seat has a mandate: give the number of agents instead of ${agents}`;
    return { field: "agents", rule };
  }
  const refuse = (rule: string) => ({ field: "ablate" as const, rule });
  if (ablate === undefined) return undefined;
  if (!roles) return refuse("there is no mandate to take away where roles are off");
  const [away, seated] = [splitMandates(ablate), seatedRoles(agents)];
  const twice = away.find((role, i) => away.indexOf(role) < i);
  if (twice) return refuse(`${twice} is named twice in ${ablate}: once takes the mandate from every seat of that role`);
  const absent = away.find((role) => !seated.includes(role));
  return absent &&
    refuse(
      `${absent} does not sit, so it has no mandate to lose: the seats are ${mandatesInWords(joinMandates(seated))}`,
    );
}

/**
 * A condition by its names, as people write it: what is left out takes the paper's default. The texts and models behind
 * the names are looked up when it is run.
 */
export const ConditionSpec = z.strictObject({
  scenario: z.string().min(1),
  variant: Variant.optional().describe("a rewording of the packet; none: the canonical text"),
  roles: z.boolean().default(true),
  ablate: Ablation.optional().describe(
    "mandates taken away, such as Chair or Chair+Equity: their seats keep label, model and place; none: nobody's",
  ),
  lineup: z.string().min(1).default("uniform"),
  temperature: z.number().min(0).max(2).default(0),
  window: z.int().min(0).default(15).describe("arguments each agent sees, k"),
  agents: Agents.default(5).describe("how many, or with roles on also who: Chair+Welfare+Welfare"),
  rounds: z.int().min(1).default(20),
  structured: Switch.optional().describe("whether ballots are asked for with their JSON schema; default: false"),
  ablation: z.enum(["heading", "block"]).optional().describe(
    "what is left of an ablated mandate: its heading, or nothing; default: nothing in new live runs, else its heading",
  ),
  prompts: z.string().min(1).default("standard"),
  maxTokens: z.int().min(1).default(600),
  normaliser: z.boolean().transform((on) => on || undefined).optional().describe(
    "near misses of the STATE line, the ballot and the clerk's report are read, each repair named; false: strictly",
  ),
}).superRefine((spec, context) => {
  const flaw = mandateFlaw(spec);
  if (flaw) context.addIssue({ code: "custom", path: [flaw.field], message: flaw.rule });
});
/** A condition as people write it: a scenario and what differs from the paper's defaults. */
export type ConditionSpec = z.input<typeof ConditionSpec>;
/** The same with every default written out. */
export type ParsedSpec = z.output<typeof ConditionSpec>;

/** A field of a spec, or a list of alternatives. */
export type ConditionGrid = {
  readonly [Field in keyof ConditionSpec]: ConditionSpec[Field] | readonly ConditionSpec[Field][];
};

/** Every name and number by which a condition is told from others, defaults written out; texts and models are not in it. */
export type ConditionKnobs = Omit<ParsedSpec, "prompts" | "ablation" | "maxTokens">;

// Apart from the schemas, so that what runs in a browser does not carry the schema library.

/** The knobs of a condition. A key is absent where the condition has nothing of the kind. */
export function conditionKnobs({ packet, seats, ...condition }: Condition): ConditionKnobs {
  const { roles, ablate, lineup, temperature, window, agents, rounds, normaliser, structured } = condition;
  return {
    scenario: packet.id,
    ...(packet.variant !== undefined && { variant: packet.variant }),
    ...{ lineup, roles, temperature, window },
    ...(ablate !== undefined && { ablate }),
    agents: agents ?? seats.length,
    rounds,
    ...(normaliser && { normaliser }),
    ...(structured && { structured }),
  };
}
