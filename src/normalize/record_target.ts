import type { Amendment } from "../schemas/interface.ts";
import type { EntityRecord, FieldPlan, Fields, Plan } from "../schemas/plan.ts";

/** The walk over a response, for who writes the record that it has come to. */
export interface MemberWalk {
  /** How many members the occurrence had that was last merged into a record. */
  brought: number;
  /**
   * Normalizes one member of an entity.
   *
   * @param field What it is; `undefined`: it has no schema.
   */
  member(field: FieldPlan | undefined, value: unknown, parent: object): unknown;
  /** How the members of a class are written. */
  fieldsOf(plan: Plan): Fields;
  /** A bare pk names what an object is incomplete without, and that may be deleted. */
  refer(plan: Plan, value: unknown): void;
}

/** Where records go: the store's patch, an optimistic layer, or plain tables. */
export interface RecordTarget {
  /** One occurrence of an entity; calls {@linkcode MemberWalk.member} for each member. */
  put(plan: Plan, pk: string, input: object, walk: MemberWalk): void;
  /** The record is deleted. */
  remove(plan: Plan, pk: string): void;
  /** How the members of a class are written there; without it, as the class says. */
  fieldsOf?(plan: Plan): Fields;
  /** The table is known from now on, even if it is empty. */
  know(plan: Plan): void;
  /** The records of a table are changed, those that are there and those that a late reply may still bring. */
  amend(plan: Plan, amendment: Amendment): void;
  /** The record as it would be after what was put so far, without the writes that stand later than these. */
  recordAt(plan: Plan, pk: string): EntityRecord | undefined;
  /** An entity without a pk was kept in place; `path` says where in the response. */
  unsaved?(plan: Plan, input: object, path: () => string): void;
  /** A bare pk refers to a record: who names it after it was deleted does not know that it ever was here. */
  refer?(plan: Plan, pk: string): void;
  /** Looks at what `pk()` said of members, or at a bare pk, for the developer. */
  readonly checkPk?: ((plan: Plan, pk: unknown, members: object | undefined, path: () => string) => void) | undefined;
}
