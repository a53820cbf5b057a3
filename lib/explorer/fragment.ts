import type * as z from "zod";
import { UserError } from "../core/user_error.ts";
import { element, later, setText } from "./dom.ts";

/** What a value says of itself against a schema. Throws a UserError naming the place and the rule. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UserError(`${path.join(".") || "it"}: ${message}`);
}

/** How an explorer writes its state into the address of a page. */
export interface Fragment<State> {
  write(state: State): string;
  /**
   * The state that an address holds; undefined where it holds none of this explorer.
   *
   * @throws {UserError} on one of another version and on one that cannot be, saying what is wrong.
   */
  read(fragment: string): State | undefined;
}

export function fragmentOf<State>(
  { key, version, schema }: { readonly key: string; readonly version: number; readonly schema: z.ZodType<State> },
): Fragment<State> {
  return {
    write: (state) => `#${key}=${version},${encodeURIComponent(JSON.stringify(state))}`,
    read(fragment) {
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

/** A pause of the reader's after which the address is written and the result is read out. */
export const REST_MS = 400;

interface AddressedOptions<State> {
  readonly root: ShadowRoot;
  readonly opening: State;
  readonly write: (state: State) => string;
  /** As `Fragment.read`. */
  readonly read: (fragment: string) => State | undefined;
  /** A state in which everything that is chosen exists. */
  readonly settled: (state: State) => State;
  /** Shows a state; what came from the address is not written there again. */
  readonly show: (state: State) => void;
}

/** The reader's state, kept in the page's address: shared by copying it, undone by going back. */
export interface Addressed<State> {
  /** What is wrong with the address, where something is. */
  readonly notice: HTMLElement;
  readonly move: (step: (state: State) => State) => void;
  /** Shows the state of the address, or the opening. */
  begin(): void;
}

export function addressed<State>(
  { root, opening, write, read, settled, show }: AddressedOptions<State>,
): Addressed<State> {
  const notice = element("p", { role: "alert", class: "complaint" });
  let state = opening;
  const found = () => {
    try {
      const found = read(location.hash);
      setText(notice, "");
      return found;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      setText(notice, `The address of this page cannot be used: ${error.message}. Everything stays as it was.`);
      return undefined;
    }
  };
  const set = (next: State) => show(state = settled(next));
  const remember = later(REST_MS, () => {
    const fragment = write(state);
    if (fragment !== location.hash) history.pushState(null, "", fragment);
  });
  return {
    notice,
    move(step) {
      set(step(state));
      remember();
    },
    begin() {
      const first = found();
      set(first ?? opening);
      // Whoever follows a link to a state wants to see that, not the beginning of the page.
      if (first) root.host.scrollIntoView();
      addEventListener("popstate", () => set(found() ?? (location.hash === "" ? opening : state)));
    },
  };
}
