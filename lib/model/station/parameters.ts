import type { CouncilRole, Group, PowerSystem } from "../../schema/station_ids.ts";

/** The leaning of a persona's plans: factors on headcount and need, 1 where not named. */
export interface Leaning {
  readonly seats: Readonly<Partial<Record<Group, number>>>;
  readonly power: Readonly<Partial<Record<PowerSystem, number>>>;
}

/**
 * Every number of the personas, all ours: tuned on seeds 1-60 to where the published live runs lie, not measured on any
 * model. Shares are probabilities of one slot.
 */
export const PARAMETERS = {
  /** The shares below hold at this temperature; colder, the likelier becomes certain, hotter, all approach one half. */
  temperature: 0.7,
  /** Plans of one persona differ by this much, as a share of each weight. */
  jitter: 0.1,
  /** When an office sees to its own trouble: what its private line says is at least (power: at most) this. */
  duty: { scandal: 0.45, power: 95, heat: 0.35, panic: 0.2, offer: 0.2 },
  triage: {
    /** Puts up a plan where none is open, in round 1 and later. */
    open: 1,
    reopen: 0.08,
    /** Backs the best plan at once rather than seeing to its office first. */
    endorse: 0.48,
    /** Calms rumours when nothing else is to do. */
    calm: 0.2,
    /** Lets a turn pass in silence rather than talk, with nothing to do. */
    hush: 0.3,
    leaning: { seats: { medical: 1.6 }, power: { life_support: 1.5, docking: 1.5 } },
  },
  coalition: {
    /** Ties it wants before it talks of plans. */
    tiesFirst: 1,
    propose: 0.35,
    /** The same once it is tied to nearly everybody: what has been agreed is seldom asked again. */
    gathered: 4,
    repropose: 0.07,
    /** Backs a plan whose author or backers it is tied to, and any other. */
    endorseTied: 0.7,
    endorseOther: 0.3,
    leaning: { seats: {}, power: {} },
  },
  auditor: {
    /** Puts up plans in these rounds only: not before it has looked, not when there is no time left to look. */
    firstPlan: 2,
    lastPlan: 4,
    propose: 0.25,
    /** The same for the role that leads, which has no office to look into. */
    proposeCommand: 0.8,
    /** Backs a plan with nothing left to check, and with open questions. */
    endorseClear: 0.6,
    endorseUnclear: 0.3,
    /** Checks a rumour in sight, where tokens are left. */
    check: 0.6,
    /** Asks for exact numbers rather than speak, where tokens are left. */
    poll: 0.1,
    leaning: { seats: { medical: 1.2 }, power: { life_support: 1.2 } },
  },
  broadcaster: {
    /** Turns to the public instead of to plans: up to round `publicFirst`, and later. */
    publicFirst: 2,
    informFirst: 0.75,
    inform: 0.4,
    /** Calms rumours one by one rather than by a broadcast. */
    calm: 0.15,
    propose: 0.3,
    endorse: 0.8,
    leaning: { seats: { outer_ring: 1.1 }, power: { comms: 2 } },
  },
  split: {
    /** Puts up the camp's own plan where it has none. */
    propose: 0.8,
    loyal: 0.8,
    /** Gives the other camp's plan a vote after all, never before round `firstConcession`. */
    concede: 0.1,
    firstConcession: 3,
    oppose: 0.13,
    calm: 0.4,
    /** Turns against the other camp rather than speak, each office in its way. */
    scheme: 0.05,
    schemes: {
      C1_COMMAND: ["bribe"],
      C2_EQUITY: ["leak"],
      C3_ENGINEER: ["defect"],
      C4_CIVIL: ["leak"],
      F1_OUTER: ["spread_rumor", "sabotage"],
      F2_SPONSOR: ["auction", "bribe"],
    },
  },
  /** Share of turns in which every office schemes; otherwise it does as the split council does. */
  schemer: { scheme: 0.4 },
  /** Rounds in which the chaser still files; later it only broadcasts. */
  chaser: { files: 3, leaning: { seats: {}, power: { life_support: 1.5, docking: 1.5 } } },
  /** Share of plans off the schema where it is shown; hidden, all are. */
  dialect: { nearMiss: 0.4 },
  /** Share of replies broken. */
  garbling: { broken: 0.75 },
} as const satisfies Record<string, unknown>;

/** The two camps of the split persona, and what their plans lean to. */
export const CAMPS = {
  ring: {
    members: ["C2_EQUITY", "C4_CIVIL", "F1_OUTER"],
    leaning: { seats: { outer_ring: 1.4, sponsor_deck: 0.6 }, power: { outer_ring: 1.6, sponsor_deck: 0.6 } },
  },
  docks: {
    members: ["C1_COMMAND", "C3_ENGINEER", "F2_SPONSOR"],
    leaning: { seats: { sponsor_deck: 1.6, crew: 1.2, outer_ring: 0.7 }, power: { docking: 1.5, sponsor_deck: 1.3 } },
  },
} as const satisfies Record<string, { members: readonly CouncilRole[]; leaning: Leaning }>;
export type Camp = keyof typeof CAMPS;

/** The camp of a role. */
export const campOf = (role: CouncilRole): Camp =>
  (CAMPS.ring.members as readonly CouncilRole[]).includes(role) ? "ring" : "docks";
