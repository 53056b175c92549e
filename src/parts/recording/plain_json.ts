import { define } from "../../normalize/record.ts";
import { tagOf } from "../../errors/kind_of.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { describeError } from "../state/state.ts";

/** Data that JSON can carry. */
export type StepData = string | number | boolean | null | readonly StepData[] | { readonly [name: string]: StepData };

/** The one member of an object that stands for what JSON has no form for. */
const MARK = "~rejoin";
/** What {@linkcode fromPlain} gives as it was. */
const REVIVED: ReadonlySet<unknown> = new Set(["number", "bigint", "undefined", "date", "url"]);

/** How values become plain. */
export interface PlainOptions {
  /** What is kept in place of a member; called with its name and its value, also for items, whose names are numbers. */
  readonly redact?: ((name: string, value: unknown) => unknown) | undefined;
  /** The pk of an object that the store has made; `undefined` for any other. */
  readonly pkOf?: ((value: object) => string | undefined) | undefined;
  /** Hears of what data cannot be read from again: a `Map`, an instance of a class, a function, what contains itself. */
  readonly lost?: ((what: string) => void) | undefined;
}

type Container = unknown[] | Record<string, unknown>;

/**
 * A copy that JSON can carry. What contains itself is cut where it does.
 *
 * @param root Any value.
 * @param options What is left out.
 */
export function toPlain(root: unknown, options: PlainOptions = {}): StepData {
  const { redact = keep } = options;
  const frames: { readonly from: object; readonly members: Iterator<readonly [string, unknown]>; to: Container }[] = [];
  const above = new Set<object>();
  const open = (from: object): unknown => {
    if (above.has(from)) return mark("omitted", "what contains it");
    const to: Container = Array.isArray(from) ? [] : {};
    // By spreading, a hole is an item without a value, as it reads.
    const members = Object.entries(Array.isArray(from) ? [...from] : from)[Symbol.iterator]();
    // What only looks like our mark is no mark.
    const whole = Object.hasOwn(from, MARK) ? mark("object", to) : to;
    above.add(from);
    frames.push({ from, members, to });
    return whole;
  };
  const encodeKnown = (value: () => unknown) => {
    const known = unlessItThrows(() => plainOf(value(), options, open));
    const [kind, what] = ((known as { readonly [MARK]?: Content } | null)?.[MARK]) ?? [];
    if (kind !== undefined && kind !== "object" && !REVIVED.has(kind)) {
      options.lost?.(String(kind === "omitted" ? what : kind));
    }
    return known;
  };
  const plain = encodeKnown(() => root);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const next = frame.members.next();
    if (next.done) {
      above.delete(frame.from);
      frames.pop();
      continue;
    }
    const [name, value] = next.value;
    define(frame.to as Record<string, unknown>, name, encodeKnown(() => redact(name, value)));
  }
  return plain as StepData;
}

/** A getter, a proxy, a `toJSON` or `redact` itself may throw: that must not end what is recorded, nor keep the value. */
function unlessItThrows(encode: () => unknown): unknown {
  try {
    return encode();
  } catch {
    return mark("omitted", "what throws when it is read");
  }
}

function mark(...content: readonly unknown[]): Record<string, unknown> {
  return { [MARK]: content };
}

function keep(_name: string, value: unknown): unknown {
  return value;
}

/** What stands for a value; `open` looks into an array or members. */
function plainOf(
  value: unknown,
  { redact = keep, pkOf, lost }: PlainOptions,
  open: (from: object) => unknown,
): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Object.is(value, -0)) return mark("number", "-0");
      return Number.isFinite(value) ? value : mark("number", String(value));
    case "bigint":
      return mark("bigint", String(value));
    case "undefined":
      return mark("undefined");
    case "function":
    case "symbol":
      return mark("omitted", typeof value);
  }
  if (value === null) return null;
  const object = value as object;
  if (Array.isArray(object)) return open(object);
  const pk = pkOf?.(object);
  if (pk !== undefined) return mark("pk", pk);
  const tag = tagOf(object);
  switch (tag) {
    case "Date": {
      const time = (object as Date).getTime();
      return mark("date", Number.isNaN(time) ? null : time);
    }
    case "Error":
    case "DOMException": {
      const details = Object.entries(describeError(object)).map((
        [name, detail],
      ) => [name, textOf(redact(name, detail))]);
      return mark("error", Object.fromEntries(details), RejoinError.is(object));
    }
    case "URL":
      return mark("url", String(object));
    case "URLSearchParams":
      return mark("search", [...object as URLSearchParams].map(([name, text]) => [name, String(redact(name, text))]));
    case "FormData":
      return mark("form", [...object as FormData].map(([name, part]) => [name, partOf(redact(name, part))]));
    case "Blob":
    case "File":
    case "ArrayBuffer":
      return mark("bytes", tag);
  }
  // Some runtimes give bytes a toJSON that spells them out.
  if (ArrayBuffer.isView(object)) return mark("omitted", tag);
  const { toJSON } = object as { readonly toJSON?: unknown };
  const json: unknown = typeof toJSON === "function" ? toJSON.call(object) : object;
  if (json === object && tag !== "Object") return mark("omitted", tag);
  // Of any realm: the prototype of plain objects is the last one.
  const above: unknown = Object.getPrototypeOf(object);
  const isPlain = above === null || Object.getPrototypeOf(above) === null;
  if (json !== object || !isPlain) lost?.(String((object.constructor as { name?: unknown } | undefined)?.name ?? tag));
  return json === object ? open(object) : plainOf(json, { redact }, open);
}

function textOf(detail: unknown): unknown {
  return typeof detail === "number" && Number.isFinite(detail) ? detail : String(detail);
}

function partOf(part: unknown): unknown {
  return part instanceof File ? { name: part.name, type: part.type } : String(part);
}

/** What stands behind our mark: its kind, and what it is made of. */
type Content = readonly unknown[];

/**
 * The value that {@linkcode toPlain} was given, as far as it could be kept. What was left out is `undefined`.
 *
 * @param root What it gave.
 * @param revive Makes values of their kinds. Default: numbers, dates and addresses, which data may have.
 */
export function fromPlain(root: StepData, revive: (content: Content) => unknown = reviveData): unknown {
  const unfilled: [from: object, to: Container][] = [];
  const decode = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const content = Object.hasOwn(value, MARK) ? (value as { readonly [MARK]: Content })[MARK] : undefined;
    if (content !== undefined && content[0] !== "object") return revive(content);
    const from = content === undefined ? value : content[1] as object;
    const to: Container = Array.isArray(from) ? [] : {};
    unfilled.push([from, to]);
    return to;
  };
  const result = decode(root);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    const [from, to] = next;
    for (const [name, value] of Object.entries(from)) define(to as Record<string, unknown>, name, decode(value));
  }
  return result;
}

function reviveData([kind, content]: Content): unknown {
  switch (kind) {
    case "number":
      return Number(content);
    case "bigint":
      return BigInt(content as string);
    case "date":
      return new Date(typeof content === "number" ? content : NaN);
    case "url":
      return new URL(content as string);
  }
  return undefined;
}

/** The same with what a call may be given, and may end with. */
export function fromCall(root: StepData): unknown {
  return fromPlain(root, ([kind, content, more]) => {
    switch (kind) {
      case "search":
        return new URLSearchParams(content as string[][]);
      case "form":
        return formOf(
          content as readonly (readonly [string, string | { readonly name: string; readonly type: string }])[],
        );
      case "bytes":
        return content === "ArrayBuffer" ? new ArrayBuffer(0) : new Blob();
      case "pk":
        return content;
      case "error": {
        const { name, message, status } = content as { readonly [name: string]: unknown };
        const error = more === true ? new RejoinError(String(message)) : new Error(String(message));
        return Object.assign(error, typeof name === "string" && { name }, status !== undefined && { status });
      }
    }
    return reviveData([kind, content]);
  });
}

function formOf(parts: readonly (readonly [string, string | { readonly name: string; readonly type: string }])[]) {
  const form = new FormData();
  for (const [name, part] of parts) {
    if (typeof part === "string") form.append(name, part);
    else form.append(name, new File([], part.name, { type: part.type }));
  }
  return form;
}
