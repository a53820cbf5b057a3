import { basename } from "node:path";
import { checkOptions } from "../../core/options.ts";
import type { RunSourceChoices } from "../../record/run_source.ts";
import { type ImportedRuns, importRuns, type ImportRunsOptions, loadRunSource } from "./import_runs.ts";
import { type ConditionSource, filesByCondition, nameAfter } from "./formats/common.ts";
import { formatSources, isRecordFormat } from "./record_formats.ts";

/**
 * The conditions in some records, each as `importRuns` gives it: of a format without a mapping those that the records name
 * (`csv`: the column condition, or each file; `inspect`: each sample; `messages`: each folder, and each file of many runs). With a
 * mapping each path is a condition, but files of one run (unit `file`) are one together.
 *
 * @param files paths of files, folders and zips.
 * @param source as of `importRuns`.
 * @throws {UserError} as `importRuns` does.
 */
export async function importConditions(
  files: string | readonly string[],
  source: RunSourceChoices | string,
  options: Omit<ImportRunsOptions, "name"> = {},
): Promise<ImportedRuns[]> {
  const { choices, ...format } = checkOptions("importConditions", options, "choices options range");
  const imported: ImportedRuns[] = [];
  for (const one of await conditionSources([files].flat(), source, format)) {
    imported.push(await importRuns(one.files, one.source, { choices, name: one.name }));
  }
  return imported;
}

/** The mapping and the files of each condition; `name` where the mapping's own would stand for several. */
export async function conditionSources(
  files: readonly string[],
  source: RunSourceChoices | string,
  format: Pick<ImportRunsOptions, "options" | "range"> = {},
): Promise<(ConditionSource & { readonly name?: string })[]> {
  if (isRecordFormat(source)) return await formatSources(files, source, format);
  const mapping = await loadRunSource(source);
  const groups = await filesByCondition(files, (file) => mapping.unit === "file" && !file.endsWith(".zip"));
  return groups.map((files) => ({
    files,
    source: mapping,
    ...(groups.length > 1 && { name: `${mapping.name}, ${nameAfter(basename(files[0]!))}` }),
  }));
}
