import type { AnySchema } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import { ContainerWalk } from "./container_walk.ts";

/** Tells what is kept of a value refers to, without reading any of it. */
export class TraceWalk extends ContainerWalk {
  readonly collecting = true;
  readonly #found: (plan: Plan, reference: unknown) => void;

  /** @param found Is given each reference: a pk, or an entity kept in place. */
  constructor(found: (plan: Plan, reference: unknown) => void) {
    super(false);
    this.#found = found;
  }

  protected entity(plan: Plan, reference: string | object): undefined {
    this.#found(plan, reference);
  }

  /** Nothing is read where nothing is kept. */
  protected override absent(_schema: AnySchema): undefined {}
}
