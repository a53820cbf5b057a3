import type * as z from "zod";
import { UserError } from "../../core/user_error.ts";

/** A value checked against a schema. Throws a UserError that begins with `where` and names the place and the rule. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, where = ""): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UserError(`${where}${path.join(".") || "it"}: ${message}`);
}

/**
 * The value of a JSON text; undefined for a text that is no JSON and has no refusal.
 *
 * @throws {UserError} with the refusal that is made of the parser's message.
 */
export function parsedJson(text: string, refusal: (message: string) => string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const words = refusal((error as Error).message);
    if (words === undefined) return undefined;
    throw new UserError(words);
  }
}

/** A value on a line of its own. */
export interface Line {
  readonly text: string;
  readonly value: unknown;
  /** Begins a message about it, such as `line 3: `. */
  readonly where: string;
}

/**
 * The values of a text of JSON lines; blank lines are left out, and lines without a refusal.
 *
 * @throws {UserError} with the refusal of a line, made of its number and the parser's message.
 */
export function jsonLines(text: string, refusal: (line: number, message: string) => string | undefined): Line[] {
  return text.split(/\r?\n/).map((line, i) => ({
    text: line,
    where: `line ${i + 1}: `,
    value: line.trim() === "" ? undefined : parsedJson(line, (message) => refusal(i + 1, message)),
  })).filter(({ value }) => value !== undefined);
}

/** Does work on the reader's data: errors that blame a caller elsewhere blame the data here, and begin with `where`. */
export function onData<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UserError || error instanceof RangeError)) throw error;
    throw new UserError(`${where}${error.message}`);
  }
}

export type Fragment<State> = ReturnType<typeof fragmentOf<State>>;

/** Writes the state of an explorer into the address of a page and reads it back. */
export function fragmentOf<State>(
  { key, version, schema }: { readonly key: string; readonly version: number; readonly schema: z.ZodType<State> },
) {
  return {
    write: (state: State): string => `#${key}=${version},${encodeURIComponent(JSON.stringify(state))}`,
    /**
     * The state in an address; undefined where the address holds none of this explorer.
     *
     * @throws {UserError} on a state of another version and on an invalid one, naming the reason.
     */
    read(fragment: string): State | undefined {
      const [, found, text] = new RegExp(`^#${key}=([^,]*),(.*)$`, "s").exec(fragment) ?? [];
      if (found === undefined) return undefined;
      if (found !== String(version)) {
        throw new UserError(`it is of version ${found} of this explorer, which is version ${version}`);
      }
      let json: unknown;
      try {
        json = JSON.parse(decodeURIComponent(text!));
      } catch {
        throw new UserError("it is cut off or was changed");
      }
      return checked(schema, json);
    },
  };
}
