import { isMembers } from "../schemas/declared.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import { isItem, plainOf } from "../schemas/subjects.ts";
import { isRecursive } from "../schemas/recursive.ts";

/**
 * Whether arguments name by themselves what an endpoint with the schema answers: an entity, or one in an object of which
 * the other members are literals.
 */
export function isInferable(declared: AnySchema): boolean {
  const schema = plainOf(declared);
  return isSchemaObject(schema) ? !schema.isPartial : itemsIn(schema) === 1;
}

/** How many entities a schema stands for; `Infinity`: nobody knows. */
function itemsIn(declared: AnySchema): number {
  const schema = plainOf(declared);
  if (isItem(schema)) return 1;
  if (Object(schema) !== schema) return 0;
  if (!isMembers(schema) || isRecursive(schema)) return Infinity;
  return Object.values(schema).reduce<number>((sum, member) => sum + itemsIn(member as AnySchema), 0);
}

/** Nothing of it is read: literals give themselves, arrays nothing. */
export function isLiteral(declared: AnySchema): boolean {
  return Array.isArray(plainOf(declared)) || itemsIn(declared) === 0;
}

/** Whether a mutation answers with the value that it was given: what its schema names is gone. */
export function answersGiven(declared: AnySchema): boolean {
  const schema = plainOf(declared);
  if (Array.isArray(schema)) return !isRecursive(schema) && answersGiven(schema[0]);
  return isSchemaObject(schema) && Boolean(schema.answersGiven);
}
