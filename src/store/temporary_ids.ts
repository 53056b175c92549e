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
   * @param more Names that are about to be replaced.
   */
  unnamedIn(value: unknown, more?: ReadonlyMap<string, NamedPk>): ReadonlySet<string> {
    if (!this.isUsed) return NO_NAMES;
    const found = new Set<string>();
    this.#eachIn(value, (id) => {
      if (!this.#pks.has(id) && !more?.has(id)) found.add(id);
    });
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
    let isNamed = false;
    this.#eachIn(value, (id) => isNamed ||= this.#pks.has(id) || more.has(id));
    return isNamed ? copyWith(value, (text) => more.get(text) ?? this.#pks.get(text) ?? text) as T : value;
  }

  /** A name that was given once: also when the record that it named is gone, it is nobody else's. */
  #isOurs(text: string): boolean {
    return text.startsWith(this.token) && Number(text.slice(this.token.length)) <= this.#last;
  }

  #eachIn(value: unknown, visit: (id: string) => void): void {
    if (!this.isUsed) return;
    const seen = new Set<unknown>();
    const stack: unknown[] = [value];
    while (stack.length > 0) {
      const next = stack.pop();
      if (typeof next === "string") {
        if (this.#isOurs(next)) visit(next);
      } else if (typeof next === "object" && next !== null && !seen.has(next)) {
        seen.add(next);
        for (const part of partsOf(next)) stack.push(part);
      }
    }
  }
}

/** A pk as the server has it: a number stays a number in what is sent. */
export type NamedPk = string | number | bigint;

const NONE: ReadonlyMap<string, NamedPk> = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();

type Form = FormData | URLSearchParams;

function isForm(value: object): value is Form {
  const kind = Object.prototype.toString.call(value);
  return kind === "[object FormData]" || kind === "[object URLSearchParams]";
}

/** What a value holds that could be a name. Bytes, files and streams hold none. */
function partsOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isForm(value)) return [...value.values()];
  return ArrayBuffer.isView(value) ? [] : Object.values(value);
}

/** A copy of a container and what it holds, with other texts. Containers that hold each other keep doing so. */
function copyWith(root: unknown, replace: (text: string) => NamedPk): unknown {
  const copies = new Map<object, object>();
  const unfilled: [from: object, to: object][] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === "string") return replace(value);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    let made: object;
    if (isForm(value)) made = copyForm(value, replace);
    else {
      if (!Array.isArray(value) && Object.keys(value).length === 0) return value;
      made = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
      unfilled.push([value, made]);
    }
    copies.set(value, made);
    return made;
  };
  const result = copy(root);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    const [from, to] = next;
    for (const [name, member] of Object.entries(from)) {
      define(to, name, copy(member));
    }
  }
  return result;
}

function copyForm(form: Form, replace: (text: string) => NamedPk): Form {
  const made = form instanceof URLSearchParams ? new URLSearchParams() : new FormData();
  for (const [name, value] of form) {
    (made as FormData).append(name, typeof value === "string" ? String(replace(value)) : value);
  }
  return made;
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
