/** Fields that may be absent. */
export type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** Fields with a default: all there where it is filled in. */
export type Given<Filled, Fields> = Filled extends true ? Fields : Optional<Fields>;
