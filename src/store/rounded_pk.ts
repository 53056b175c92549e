import { said } from "../errors/texts.ts";
import type { Plan } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";

/** Tells the developer of a pk that was a number which JSON has no room for: those of several records may be the same. */
export function warnOfRounded(
  store: Contents,
  { key }: Plan,
  pk: unknown,
  members: object | undefined,
  path: () => string,
): void {
  if (!isRounded(pk, members)) return;
  store.warnOnce(
    `rounded pk of ${key}`,
    () => said(306, { key, path: path(), pk }),
  );
}

/** A text is rounded when it was made of such a number among the members. */
function isRounded(pk: unknown, members: object = {}): boolean {
  const number = Number(pk);
  if (!(Math.abs(number) > Number.MAX_SAFE_INTEGER)) return false;
  return typeof pk === "number" || (typeof pk === "string" && Object.values(members).includes(number));
}
