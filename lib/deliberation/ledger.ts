import { missing } from "../record/files.ts";
import type { CollectedRun } from "../record/collected_run.ts";
import { isBegun, type Ledger, readRecord } from "../record/read_ledger.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { deliberation } from "./deliberate.ts";
import type { DeliberationState } from "./state.ts";

/** One complete run of a committee, ready for analysis. */
export type CommitteeRun = CollectedRun<DeliberationEvent, DeliberationState>;

/**
 * Reads a committee's ledger.
 *
 * A last line without its line end that cannot be read is reported as `torn`; a last line that lacks only its line end
 * counts. Every other line that is not as it was written is reported as `damaged`, and its run counts for nothing.
 *
 * @throws {UserError} naming file, line and rule: no such file; another schema version; an event of another condition or
 * plan, or out of its run's order, a run recorded twice or not whole. In lines that carry no checksum, written before
 * 0.2.0, every bad line stops the reading.
 */
export const readLedger = (path: string): Promise<Ledger> => readRecord(path, deliberation);

/** As `readLedger`; undefined where the file is missing, empty or was cut off within its first line. */
export const readLedgerIfBegun = async (path: string): Promise<Ledger | undefined> =>
  await missing(path) || !await isBegun(path) ? undefined : await readLedger(path);
