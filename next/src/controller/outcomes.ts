import type { ErrorPolicy, Expiring, Policy, Reply } from "../endpoint/endpoint_types.ts";
import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import { asError, isEnding, NormalizeError, UrlError, UsageError, ValidationError } from "../errors/mod.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { Answer } from "../store/answers.ts";
import type { Commit } from "../store/commit.ts";
import { join } from "../store/join.ts";
import { release } from "../store/layers.ts";
import { viewOf } from "../store/node.ts";
import { entityOf, isEntity, type Schema } from "../store/schema.ts";
import { now } from "../store/store.ts";
import { ControllerReads } from "./controller_reads.ts";
import type { Flight } from "./flight.ts";

/** What becomes of the store when a request is answered, or fails. */
export abstract class Outcomes extends ControllerReads {
  /** The requests in flight, in order of start. */
  readonly flights: Set<Flight> = this.store.flights as Set<Flight>; // the store sees of them when they started

  /** Until when something is fresh, in ms. */
  protected until(option: "dataExpiryLength" | "errorExpiryLength", otherwise: number, endpoint?: Policy): number {
    return now() + (endpoint?.[option] ?? this.defaults[option] ?? otherwise);
  }

  /** The server has answered. Stores the reply in one commit, and returns it as the store reads it. */
  protected receive(flight: Flight, response: Value, isRead = true): Value {
    const { store } = this, { endpoint, started, answer: own, subject, freshFor } = flight, { schema } = endpoint;
    // A page is an answer of its own only until it is here: then it joins the list that it continues.
    const listArgs = endpoint.listArgs?.(...flight.args),
      args = listArgs ?? flight.args,
      answer = own && listArgs ? store.answer(endpoint.list, listArgs) : own;
    const { value, sent, isStale }: Reply = endpoint.readReply?.(response, args, subject) ?? { value: response };
    const isNothing = !answer && value === undefined;
    let expiring: readonly Expiring[] = [];
    const result = store.write(
      args,
      {
        started,
        edit: answer ? undefined : ++store.tick,
        expiresAt: freshFor === undefined ? this.until("dataExpiryLength", 6e4, endpoint) : now() + freshFor,
        sent,
        isPage: !!listArgs,
        flight,
        key: answer?.key,
      },
      (commit) => {
        const result = isNothing ? value : commit.visit(schema, value);
        if (isStale && commit.roots[0]) commit.stale.push(commit.roots[0]);
        if (answer) assertRead(schema, value, commit);
        else expiring = endpoint.expires?.(args, response) ?? [];
        return result;
      },
      (commit, result) => {
        if (!answer) { for (const row of commit.roots) release(row, commit); }
        else if (listArgs || answer.started <= started) this.#answer(answer, own!.key, result, commit);
        this.end(flight, commit);
        this.#expire(expiring, commit);
      },
    );
    if (!isRead) return;
    if (answer && !listArgs && answer.started === started && !answer.isInvalid) return store.data(answer);
    return isNothing ? undefined : schema === undefined ? response : store.read(viewOf(schema, result, args));
  }
  /** A reply becomes the data of an answer, or (a page) joins them. */
  #answer(answer: Answer, pageKey: string, result: Value, commit: Commit): void {
    const { has, pages } = answer, { isPage, expiresAt } = commit.options, isMore = isPage && has;
    pages.set(isMore ? pageKey : "", result);
    if (!isMore) {
      if (!has || answer.error || answer.isInvalid) commit.changed.push(answer);
      answer.has = true;
      answer.error = undefined;
      answer.isInvalid &&= commit.started < answer.expiredAt;
      answer.settle(commit, commit.isOutdated ? 0 : expiresAt!);
    }
    this.store.keep(answer, [...pages.values()].reduce(join), commit.told);
  }
  #expire(expiring: readonly Expiring[], commit: Commit): void {
    if (expiring[0]) this.store.expire(({ key }) => expiring.some((one) => one.testKey(key)), commit);
  }

  /** The server has refused, or has not answered. */
  protected refuse(flight: Flight, error: Value): void {
    const { store } = this, { endpoint, args, answer, started, subject, tables } = flight;
    store.write(args, { started }, (commit) => {
      const E = entityOf(endpoint.schema), row = E && subject !== undefined && store.plan(E).table.row(subject);
      if (answer) {
        if (!isEnding(error) && answer.started <= started) this.fail(endpoint, answer, error, commit);
      } else if (isUnknown(error)) {
        const tick = ++store.tick;
        for (const table of tables) table.edited = tick;
        if (row) commit.stale.push(row);
        else store.expire((other) => tables.some((table) => other.tables.includes(table)), commit);
        try {
          this.#expire(endpoint.expires?.(args, undefined) ?? [], commit);
        } catch {
          // It needs the reply that there is none of.
        }
      } else if (row && [404, 410, 412].includes(error?.status)) commit.stale.push(row);
      this.end(flight, commit);
    });
  }
  /** Stores the error of a read. */
  protected fail(endpoint: RunEndpoint, answer: Answer, error: unknown, commit: Commit): void {
    answer.error = asError(error);
    answer.isSoft = this.#policyOf(endpoint, error) === "soft";
    answer.settle(commit, this.until("errorExpiryLength", 1e3, endpoint));
    commit.changed.push(answer);
  }
  #policyOf(endpoint: RunEndpoint, error: unknown): ErrorPolicy | undefined {
    try {
      // What all endpoints of a class have in common comes last.
      const own = Object.hasOwn(endpoint, "errorPolicy") ? endpoint.errorPolicy?.(error) : undefined;
      return own ?? this.defaults.errorPolicy?.(error) ?? endpoint.errorPolicy?.(error);
    } catch (thrown) {
      reportError(thrown);
    }
  }
  /** The outcome of a request is in, with this commit. */
  protected end(flight: Flight, commit: Commit): void {
    const { store } = this, { answer, layer, tables } = flight;
    this.flights.delete(flight);
    store.tidy();
    if (layer) store.layer(layer, commit);
    if (!answer) {
      for (const table of tables) table.pending--;
      // What waited for this is asked again now, where it is mounted.
      for (const other of store.answers()) if (!other.expiresAt && !other.isPending) commit.changed.push(other);
    } else if (answer.flight === flight) {
      answer.flight = undefined;
      commit.changed.push(answer);
    }
    for (const part of this.parts) part.settle?.(flight);
  }
}

/** Whether the server may have done what it was asked, though the call failed: it refused with another status, or never got it. */
function isUnknown(error: Value): boolean {
  if (error instanceof UsageError || error instanceof UrlError) return false;
  return isEnding(error) || [502, 503, 504].includes(error?.status ?? 504);
}

/** The root entity of a read has a pk, and is valid for its class. */
function assertRead(schema: Schema, value: Value, { roots: [row] }: Commit): void {
  if (!isEntity(schema)) return;
  if (!row && isObject(value)) throw new NormalizeError(202, [schema.key, Object.keys(value)]);
  const reason = row?.next && schema.validate(row.next);
  if (reason) throw new ValidationError(301, [schema.key, reason]);
}
