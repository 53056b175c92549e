import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isSchemaObject } from "./interface.ts";

/** Refuses what can be no definition. */
export type Check = (given: unknown, kind: string) => void;

/**
 * A schema object that is declared with something. That may be left out at first, for declarations that go round, and
 * added to until somebody uses it: what was stored by one definition must not be read by another.
 */
export abstract class Declared<T> {
  readonly #kind: string;
  readonly #check: Check;
  #given: T | undefined;
  #isUsed = false;

  /**
   * @param kind What kind of schema it is, for messages: `Union`.
   * @param given The definition; `undefined` where `define()` gives it.
   * @param check Refuses what can be no definition.
   * @throws {SchemaError} If it can be none.
   */
  constructor(kind: string, given: unknown, check: Check) {
    if (given !== undefined) check(given, kind);
    this.#kind = kind;
    this.#given = given as T | undefined;
    this.#check = check;
  }

  /** The definition so far: for messages. */
  protected get given(): T | undefined {
    return this.#given;
  }

  /** Somebody relies on it. */
  protected get isUsed(): boolean {
    return this.#isUsed;
  }

  /**
   * The definition, from now on for good.
   *
   * @throws {SchemaError} If it was left out.
   */
  protected use(): T {
    if (this.#given === undefined) throw new SchemaError(said(110, { kind: this.#kind }));
    this.#isUsed = true;
    return this.#given;
  }

  /**
   * Sets a definition that was left out, or merges members into members.
   *
   * @throws {SchemaError} If there is nothing to merge, or the schema has been used.
   */
  protected add(more: unknown): this {
    const [kind, before] = [this.#kind, this.#given];
    if (this.#isUsed) throw new SchemaError(said(111, { kind }));
    this.#check(more, kind);
    const isMore = isMembers(before) && isMembers(more);
    if (before !== undefined && !isMore) throw new SchemaError(said(112, { kind, more, before }));
    this.#given = (isMore ? { ...before, ...more } : more) as T;
    return this;
  }
}

/** Whether a value is a plain object: members by name. */
export function isMembers(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSchemaObject(value);
}
