import { ConflictError } from "../errors/conflict_error.ts";
import type { NetworkError } from "../errors/network_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { subjectOf } from "../schemas/subjects.ts";
import { pkOf } from "./sent_record.ts";

/** What a refused write was. */
export interface RefusedWrite {
  /** Where entities are in its answer. */
  readonly schema: unknown;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
  /** What was sent. */
  readonly mine: unknown;
  /**
   * Reads what the server has now.
   *
   * @param conflict What the call ends with if there is no time for that.
   */
  readPresent(conflict: ConflictError): Promise<unknown>;
}

/** Whether the server has refused a write because its condition did not hold. */
export function isConflict(error: unknown): error is NetworkError {
  return RejoinError.is(error) && (error as { readonly status?: unknown }).status === 412;
}

/**
 * The request that reads what a write was to change.
 *
 * @param init The write.
 * @returns The same without its body, its condition and what describes them.
 */
export function presentInit({ body: _, ...init }: RequestInit): RequestInit & { readonly headers: Headers } {
  const headers = new Headers(init.headers ?? {});
  for (const name of ["content-type", "if-match", "idempotency-key"]) headers.delete(name);
  return { ...init, method: "GET", headers };
}

/**
 * A refused write, with both versions. Theirs is the body of the refusal if that is a record: most servers send an
 * explanation, which is none; else it is read.
 *
 * @param error The refusal.
 * @param write What was refused.
 */
export async function conflictOf(error: NetworkError, write: RefusedWrite): Promise<ConflictError> {
  const { schema, args, mine } = write;
  const { body } = error;
  const entity = subjectOf(schema);
  const { method, url, status, headers, response, attempts } = error;
  const make = (theirs: unknown) =>
    new ConflictError({ method, url, status, headers, response, body, attempts, cause: error, mine, theirs });
  if (entity !== undefined && pkOf(entity, body, args) !== undefined) return make(body);
  const conflict = make(undefined);
  try {
    return make(await write.readPresent(conflict));
  } catch {
    // That there is a conflict is what the caller must learn; it may be that the record is gone.
    return conflict;
  }
}
