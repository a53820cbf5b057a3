import type { ConditionSource, FormatOptions } from "./formats/common.ts";
import { csvSources } from "./formats/csv.ts";
import { inspectSources } from "./formats/inspect.ts";
import { messageSources } from "./formats/messages.ts";

/** The readers of formats that are understood without a mapping. */
const SOURCES = { csv: csvSources, inspect: inspectSources, messages: messageSources };
type RecordFormat = keyof typeof SOURCES;
export const RECORD_FORMATS = Object.keys(SOURCES);

export const isRecordFormat = (name: unknown): name is RecordFormat => RECORD_FORMATS.includes(name as RecordFormat);

/**
 * The conditions that records in a known format hold, each with its mapping. Of the files only as much is read as the mapping
 * needs: a table's header, the header of a log, the first messages.
 *
 * @param files `csv`: long tables (run, round, agent, then a choice or one column an option). `inspect`: logs of Inspect AI,
 * `.eval` or `.json`; each sample is a condition, its epochs are the replicates. `messages`: lists of messages, one file, line or
 * element a run; a folder is a condition of its own.
 * @throws {UserError} on columns that are missing or ambiguous, a log of a newer version, and messages whose state is not clear.
 */
export const formatSources = (
  files: readonly string[],
  format: RecordFormat,
  options: FormatOptions = {},
): Promise<ConditionSource[]> => SOURCES[format](files, options);
