import { check } from "../errors/checks.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isSchemaObject } from "./interface.ts";
import type { UnionAttribute } from "./union_types.ts";

/** In development: refuses what a kind of schema object cannot be of; see `checkDefinition`. */
export type CheckDefinition = (kind: string, given: unknown, attribute?: unknown) => void;

/**
 * A schema object that is declared with something. That may be left out at first, for declarations that go round, and
 * added to until somebody uses it: what was stored by one definition must not be read by another.
 */
export abstract class Declared<T> {
  readonly #kind: string;
  /** What tells the entities of a mapping apart, where it is one. */
  protected readonly attribute: UnionAttribute | undefined;
  /** The definition so far: for messages. */
  protected given: T | undefined;
  /** Somebody relies on it. */
  protected isUsed = false;

  /**
   * @param kind What kind of schema it is, for messages: `Union`.
   * @param given The definition; `undefined` where `define()` gives it.
   * @param attribute What tells the entities of a mapping apart, where it is one.
   * @throws {SchemaError} If it can be none.
   */
  constructor(kind: string, given: unknown, attribute?: unknown) {
    check<CheckDefinition>("definition", kind, given, attribute);
    this.#kind = kind;
    this.attribute = attribute as UnionAttribute | undefined;
    this.given = given as T | undefined;
  }

  /**
   * The definition, from now on for good.
   *
   * @throws {SchemaError} If it was left out, or is a mapping without entities.
   */
  protected use(): T {
    if (this.given === undefined) throw new SchemaError(said(110, { kind: this.#kind }));
    if (this.attribute !== undefined && Object.keys(this.given as object).length === 0) {
      throw new SchemaError(said(121));
    }
    this.isUsed = true;
    return this.given;
  }

  /**
   * Sets a definition that was left out, or merges members into members.
   *
   * @throws {SchemaError} If there is nothing to merge, or the schema has been used.
   */
  protected add(more: unknown): this {
    const kind = this.#kind;
    const before = this.given;
    if (this.isUsed) throw new SchemaError(said(111, { kind }));
    check<CheckDefinition>("definition", kind, more ?? null, this.attribute);
    const isMore = isMembers(before) && isMembers(more);
    if (before !== undefined && !isMore) throw new SchemaError(said(112, { kind, more, before }));
    this.given = (isMore ? { ...before, ...more } : more) as T;
    return this;
  }
}

/** Whether a value is a plain object: members by name. */
export function isMembers(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSchemaObject(value);
}
