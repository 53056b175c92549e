import { tried } from "./report_error.ts";

/** What was thrown, in words; whatever it is, it never throws itself. */
export function reasonOf(thrown: unknown): string {
  return tried(() => thrown instanceof Error ? thrown.message : String(thrown)) ?? `a value of type ${typeof thrown}`;
}
