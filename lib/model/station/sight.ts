import type { ActionName, CouncilRole, Group, PowerSystem } from "../../schema/station_ids.ts";
import type { Plan } from "../../schema/station_reply.ts";

/** What a mandate may ask of a seat, besides its vote. */
export type Duty = "lead" | "audit" | "repair" | "check" | "allocate" | "appeal";

/** Who a persona sits as, read from the system prompt. */
export interface Seat {
  readonly role: CouncilRole;
  /** What the words of its mandate ask for; none without a mandate. */
  readonly duties: ReadonlySet<Duty>;
  readonly schemaShown: boolean;
  readonly allowed: ReadonlySet<ActionName>;
}

/** An open proposal as its line gives it; votes in whole votes, against below zero. */
export interface OpenProposal {
  readonly id: string;
  readonly by: CouncilRole;
  readonly plan: Plan;
  readonly votes: Readonly<Partial<Record<CouncilRole, number>>>;
}

/** What there is to give out: the same in every prompt of a run. */
export interface Stock {
  readonly seats: number;
  readonly people: Readonly<Record<Group, number>>;
  readonly powerUnits: number;
  readonly needs: Readonly<Record<PowerSystem, number>>;
}

/** What only this office is told; undefined or empty for the others, which is not zero. */
export interface Privately {
  readonly power: number | undefined;
  /** Of the own faction. */
  readonly panic: number | undefined;
  readonly scandals: readonly Measured[];
  readonly heats: readonly Measured[];
  readonly offers: readonly Measured[];
}

export interface Measured {
  readonly id: string;
  readonly size: number;
}

/** What a persona reads from one request; it uses nothing else. */
export interface Sight extends Seat {
  readonly round: number;
  readonly hoursLeft: number;
  /** As shown, to one decimal. */
  readonly levels: Readonly<Record<"order" | "trust" | "info" | "authority", number>>;
  readonly tokens: number;
  readonly stock: Stock;
  readonly open: readonly OpenProposal[];
  readonly rumors: readonly { readonly id: string; readonly text: string }[];
  /** Roles tied to this one. */
  readonly tied: readonly CouncilRole[];
  /** Names of background roles that brought something this round. */
  readonly news: ReadonlySet<string>;
  /** What other roles did this round, as `action target`. */
  readonly done: ReadonlySet<string>;
  /** All that was said and done this round, as shown. */
  readonly heard: string;
  readonly privately: Privately;
}

/** What a persona decides to do, before it is put into words. */
export interface Deed {
  readonly action: ActionName;
  readonly target?: string;
  readonly support?: boolean;
  readonly plan?: Plan;
}
