import { canonicalJson } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { recording, replay } from "../model/replay.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { LedgerWriter } from "./ledger_writer.ts";
import { readStationCalls } from "./read_station_run.ts";
import { STATION_FILES } from "./station_files.ts";

/**
 * The calls of one run on file. Events name a call by its place there, so it holds exactly the calls that were used or
 * are about to be: those recorded by a session that was cut off before it used them answer first in the next one.
 */
export class StationCallLog implements Disposable {
  readonly #folder: string;
  readonly #writer: LedgerWriter;
  /** Recorded, but not yet named by an event. */
  readonly #waiting: ModelCall[];
  readonly #synthetic: boolean;

  private constructor(folder: string, writer: LedgerWriter, waiting: ModelCall[], synthetic: boolean) {
    this.#folder = folder;
    this.#writer = writer;
    this.#waiting = waiting;
    this.#synthetic = synthetic;
  }

  /**
   * @param past events of the run so far.
   * @throws {UserError} when an event names a call that is not there, or the file is damaged or cannot be written.
   */
  static async open(
    folder: string,
    past: readonly StationEvent[],
    { synthetic, onNotice }: { synthetic: boolean; onNotice?: ((message: string) => void) | undefined },
  ): Promise<StationCallLog> {
    const path = `${folder}/${STATION_FILES.calls}`;
    const writer = LedgerWriter.open(path);
    try {
      if (writer.endLastLine()) onNotice?.(`the last call in ${path} was torn off; its bytes are kept in ${path}.torn`);
      const { calls } = await readStationCalls(path);
      const used = past.reduce(
        (sum, event) => sum + (event.kind === "action.taken" ? event.origin.calls.length : 0),
        0,
      );
      if (calls.length < used) {
        throw new UserError(
          `${path}: holds ${calls.length} calls, but the events name ${used}; restore it from a copy`,
        );
      }
      return new StationCallLog(folder, writer, calls.slice(used), synthetic);
    } catch (error) {
      writer[Symbol.dispose]();
      throw error;
    }
  }

  /** A council whose calls are on file before they are used, and that never asks for one that is on file already. */
  around(council: ChatModel): ChatModel {
    const recorded = recording(council, (call) => this.#record(call));
    // deno-lint-ignore require-await -- what it throws must reject, as with any model
    return async (request, options) => {
      const call = this.#waiting.shift();
      if (call === undefined) return recorded(request, options);
      if (canonicalJson(call.request) !== canonicalJson(request)) {
        throw new UserError(
          `${this.#folder}/${STATION_FILES.calls}: the last call was recorded for another request than the run now ` +
            "makes: another version began it. Finish it with that version, or use another folder",
        );
      }
      return replay([call])(request, options);
    };
  }

  #record(call: ModelCall): void {
    if (call.reply?.synthetic && !this.#synthetic) {
      throw new UserError("a council declared as language models answered without one; run it as synthetic");
    }
    const code = call.failure?.code;
    if (code === "auth" || code === "quota") return this.#keepRefused(call);
    this.#writer.append(call);
    // Paid for; what a program wrote can be written again.
    if (!this.#synthetic) this.#writer.commit();
  }

  #keepRefused(call: ModelCall): void {
    using refused = LedgerWriter.open(`${this.#folder}/${STATION_FILES.refused}`);
    refused.endLastLine();
    refused.append(call);
    refused.commit();
  }

  commit(): void {
    this.#writer.commit();
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }
}
