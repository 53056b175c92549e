import { entityDefaults } from "../schemas/entity.ts";

/** Whether nobody wrote `static key`, so that the name of the class stands in. */
export function keyIsDefault(entity: object): boolean {
  const nameOfClass = Object.getOwnPropertyDescriptor(entityDefaults, "key")!.get;
  for (let at: object | null = entity; at !== null; at = Object.getPrototypeOf(at)) {
    const own = Object.getOwnPropertyDescriptor(at, "key");
    if (own !== undefined) return own.get !== undefined && own.get === nameOfClass;
  }
  return true;
}
