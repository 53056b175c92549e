import type { Plan } from "../schemas/plan.ts";
import type { RecordTarget } from "./record_target.ts";
import { Walk } from "./walk.ts";

/** For members of which none has a schema: it walks nothing, and holds nobody's data. */
let idle: Walk | undefined;
const NOWHERE = {} as RecordTarget;

/**
 * Writes members of one record whose pk is known and that were processed before.
 *
 * @param args The arguments of the call.
 * @param target Where it goes.
 */
export function writeMembers(
  plan: Plan,
  pk: string,
  members: object,
  args: readonly unknown[],
  target: RecordTarget,
): void {
  if (plan.hasSchemaIn(members)) return new Walk(members, args, target).put(plan, pk, members);
  // To prepare a walk would cost more than all the rest of writing one title.
  target.put(plan, pk, members, idle ??= new Walk(undefined, [], NOWHERE));
}
