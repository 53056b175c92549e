import { said } from "../../errors/texts.ts";
import { reasonOf } from "../../errors/reason.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { isRecord } from "../../normalize/record.ts";
import type { RecordedStep, Recording } from "./recording.ts";

/** More temporary names than any session makes; numbers beyond can no longer be told from each other. */
const MAX_NAMES = 1e12;

/**
 * Whether a recording can be played at all: it may come from a file that was cut off, or that is none.
 *
 * @param recording What was given as one.
 * @throws {RejoinError} If it is no recording of this version.
 */
export function checkRecording(recording: Recording): void {
  if (!isRecord(recording)) throw new RejoinError(said(661));
  const { version, at, state, answers, temporaryIds, temporaryToken = "", views, steps } = recording;
  if (version !== 1) throw new RejoinError(said(662, { version }));
  const isCount = Number.isInteger(temporaryIds) && temporaryIds >= 0 && temporaryIds < MAX_NAMES;
  if (
    Number.isFinite(at) && isRecord(state) && isCount && typeof temporaryToken === "string" &&
    [answers, views, steps].every(Array.isArray)
  ) return;
  throw new RejoinError(said(653));
}

/**
 * Whether a step can be done.
 *
 * @param step What stands in the recording.
 * @throws {RejoinError} If it is no step.
 */
export function checkStep(step: RecordedStep): void {
  if (!isRecord(step) || !Number.isFinite(step.at) || typeof step.type !== "string") {
    throw new RejoinError(said(654));
  }
}

/**
 * Reads what a recording says of the beginning.
 *
 * @throws {RejoinError} If that cannot be read.
 */
export function readStart<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new RejoinError(said(655, { reason: reasonOf(cause) }), { cause });
  }
}
