import { type Regime, regimes } from "./study.ts";
import { stoppingRegimes } from "./stopping.ts";

const REGIMES = { coverage: regimes, stopping: stoppingRegimes };
export type TableName = keyof typeof REGIMES;

/** The regimes of a table. */
export const regimesOf = (table: TableName): Promise<Regime[]> => REGIMES[table]();
