import { define } from "../normalize/record.ts";
import { newToken } from "../endpoint/temporary_id.ts";

/**
 * Names of records that the server has not named yet: a random token of the store, and a number. They are in layers only.
 * When a create commits, its name becomes an alias of the server's pk.
 */
export class TemporaryIds {
  #token: string | undefined;
  #last = 0;
  readonly #pks = new Map<string, NamedPk>();

  /** Whether any was ever made: without one, nothing need be looked through. */
  get isUsed(): boolean {
    return this.#last > 0;
  }

  /** How many were made. */
  get count(): number {
    return this.#last;
  }

  /** What all of them begin with. */
  get token(): string {
    return this.#token ??= newToken();
  }

  /** Goes on where another store has stopped: for what is played again. */
  continueAfter(count: number, token: string | undefined): void {
    this.#last = count;
    this.#token = token;
  }

  /** Another one. */
  next(): string {
    return `${this.token}${++this.#last}`;
  }

  /** The server has named a record. */
  name(id: string, pk: NamedPk): void {
    this.#pks.set(id, pk);
  }

  /** The server's pk for a temporary name; `undefined` when it has none, or the name is not temporary. */
  pkOf(id: string): string | undefined {
    const pk = this.#pks.get(id);
    return pk === undefined ? undefined : String(pk);
  }

  /**
   * Forgets what records are called that are not there any more. Their temporary names are nobody else's: whoever still
   * has one names nothing, and the server is never asked for it.
   */
  collect(isThere: (pk: string) => boolean): void {
    for (const [id, pk] of this.#pks) if (!isThere(String(pk))) this.#pks.delete(id);
  }

  /** After a reset nobody knows what the names were for. */
  clear(): void {
    this.#pks.clear();
  }

  /** Whether a text, such as a request key, has a temporary name in it. */
  isIn(text: string): boolean {
    return this.isUsed && text.includes(this.token);
  }

  /**
   * The temporary names in a value that the server has not replaced.
   *
   * @param value Arguments of a call; forms and containers are looked through.
   */
  unnamedIn(value: unknown): ReadonlySet<string> {
    const found = new Set<string>();
    if (this.isUsed) {
      withTexts(value, (text) => {
        if (this.#isOurs(text) && !this.#pks.has(text)) found.add(text);
        return text;
      });
    }
    return found;
  }

  /**
   * A value with the server's pks in place of temporary names.
   *
   * @param value Arguments of a call.
   * @param more Names that are about to be replaced.
   * @returns The value itself where nothing is to be replaced.
   */
  resolve<T>(value: T, more: ReadonlyMap<string, NamedPk> = NONE): T {
    if (this.#pks.size + more.size === 0) return value;
    return withTexts(value, (text) => more.get(text) ?? this.#pks.get(text) ?? text) as T;
  }

  /** A name that was given once: also when the record that it named is gone, it is nobody else's. */
  #isOurs(text: string): boolean {
    return text.startsWith(this.token) && Number(text.slice(this.token.length)) <= this.#last;
  }
}

/** A pk as the server has it: a number stays a number in what is sent. */
export type NamedPk = string | number | bigint;

const NONE: ReadonlyMap<string, NamedPk> = new Map();

type Form = FormData | URLSearchParams;

function isForm(value: object): value is Form {
  const kind = Object.prototype.toString.call(value);
  return kind === "[object FormData]" || kind === "[object URLSearchParams]";
}

/**
 * A value with other texts: a copy of it and of the containers and forms that it holds, where any text is another one.
 * Containers that hold each other keep doing so. Bytes, files and streams hold no texts.
 */
function withTexts(root: unknown, replace: (text: string) => NamedPk): unknown {
  let isOther = false;
  const copies = new Map<unknown, unknown>();
  const unfilled: [from: object, to: object][] = [];
  const textOf = (text: string) => {
    const other = replace(text);
    isOther ||= other !== text;
    return other;
  };
  const copy = (value: unknown): unknown => {
    if (typeof value === "string") return textOf(value);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    if (!copies.has(value)) copies.set(value, copyOf(value));
    return copies.get(value);
  };
  const copyOf = (value: object): object => {
    if (isForm(value)) {
      const form = value instanceof URLSearchParams ? new URLSearchParams() : new FormData();
      for (const [name, one] of value) {
        (form as FormData).append(name, typeof one === "string" ? `${textOf(one)}` : one);
      }
      return form;
    }
    if (!Array.isArray(value) && Object.keys(value).length === 0) return value;
    const made = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
    unfilled.push([value, made]);
    return made;
  };
  const result = copy(root);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    for (const [name, member] of Object.entries(next[0])) define(next[1], name, copy(member));
  }
  return isOther ? result : root;
}

/**
 * Which temporary names of what was shown the server has replaced: the two have the same form.
 *
 * @param ids The names that the call was given.
 * @param shown What remained of the value that was shown.
 * @param result What remained of the reply.
 */
export function namesGiven(ids: readonly string[], shown: unknown, result: unknown): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const stack: [shown: unknown, result: unknown][] = [[shown, result]];
  while (stack.length > 0 && names.size < ids.length) {
    const [one, two] = stack.pop()!;
    if (typeof one === "string") {
      if (ids.includes(one) && typeof two === "string" && two !== "" && two !== one) names.set(one, two);
    } else if (typeof one === "object" && one !== null && typeof two === "object" && two !== null) {
      for (const [name, member] of Object.entries(one)) {
        if (Object.hasOwn(two, name)) stack.push([member, (two as Record<string, unknown>)[name]]);
      }
    }
  }
  return names;
}
