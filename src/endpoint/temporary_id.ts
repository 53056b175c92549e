import { randomText } from "./random_text.ts";

/** A name of 64 random bits and a number: what nobody types, and no server sends. */
const TEMPORARY = /^~[0-9a-f]{16}-[1-9]\d*$/;

/** Whether a value is a name that some store has given to what the server was to create. */
export function isTemporaryId(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("~") && TEMPORARY.test(value);
}

/** What the names of one store begin with, all but the number. */
export function newToken(): string {
  return `~${randomText(8)}-`;
}
