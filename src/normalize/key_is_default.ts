import { entityDefaults } from "../schemas/entity.ts";

/** Whether nobody wrote `static key`, so that the name of the class stands in. */
export function keyIsDefault(entity: object): boolean {
  let at = entity;
  while (!Object.hasOwn(at, "key")) at = Object.getPrototypeOf(at);
  const keyOf = (of: object) => Object.getOwnPropertyDescriptor(of, "key")!.get;
  return keyOf(at) === keyOf(entityDefaults);
}
