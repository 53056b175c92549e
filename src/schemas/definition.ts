import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isSchemaObject } from "./interface.ts";

/**
 * What a schema object is declared with. It may be left out at first, for declarations that go round, and added to until
 * somebody uses it: what was stored by one definition must not be read by another.
 */
export class Definition<T> {
  /** What kind of schema it is of, for messages: `Union`. */
  readonly kind: string;
  readonly #check: (given: unknown, kind: string) => void;
  #given: T | undefined;
  #isUsed = false;

  /**
   * @param kind What kind of schema it is of, for messages.
   * @param given The definition; `undefined` where `define()` gives it.
   * @param check Refuses what can be no definition.
   * @throws {SchemaError} If it can be none.
   */
  constructor(kind: string, given: unknown, check: (given: unknown, kind: string) => void) {
    this.kind = kind;
    this.#check = check;
    if (given !== undefined) check(given, kind);
    this.#given = given as T | undefined;
  }

  /** Somebody relies on it. */
  protected get isUsed(): boolean {
    return this.#isUsed;
  }

  /** The definition so far: for messages. */
  get given(): T | undefined {
    return this.#given;
  }

  /**
   * The definition, from now on for good.
   *
   * @throws {SchemaError} If it was left out.
   */
  use(): T {
    if (this.#given === undefined) {
      throw new SchemaError(said(110, { kind: this.kind }));
    }
    this.#isUsed = true;
    return this.#given;
  }

  /**
   * Sets a definition that was left out, or merges members into members.
   *
   * @throws {SchemaError} If there is nothing to merge, or the schema has been used.
   */
  add(more: unknown): void {
    if (this.#isUsed) {
      throw new SchemaError(said(111, { kind: this.kind }));
    }
    this.#check(more, this.kind);
    const before: unknown = this.#given;
    if (before === undefined) this.#given = more as T;
    else if (isMembers(before) && isMembers(more)) this.#given = { ...before, ...more } as T;
    else {
      throw new SchemaError(said(112, { kind: this.kind, more, before }));
    }
  }
}

/** Whether a value is a plain object: members by name. */
export function isMembers(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSchemaObject(value);
}
