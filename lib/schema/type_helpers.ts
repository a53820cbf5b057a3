import type * as z from "zod";

/** The schema of one of some words. */
export type EnumOf<Word extends string> = z.ZodEnum<{ [Each in Word]: Each }>;

/** Fields that may be absent. */
export type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** Fields with a default: all there where it is filled in. */
export type Given<Filled, Fields> = Filled extends true ? Fields : Optional<Fields>;
