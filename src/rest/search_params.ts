import { type Problem, said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import { sortNames } from "../schemas/sort_names.ts";
import type { Owner } from "./origin.ts";
import { type Params, plainText } from "./path_template.ts";

/**
 * The search of a URL, without the question mark. The encoding is the one that Rails, PHP and `qs` read, made injective:
 * parameters that differ in more than how their leaves are typed never give the same text.
 *
 * | value | text (brackets are percent-encoded) |
 * |---|---|
 * | `{ q: "a b", n: 5, on: true, at: new Date(0) }` | `at=1970-01-01T00:00:00.000Z&n=5&on=true&q=a%20b` |
 * | `{ tag: ["a", "b"] }` | `tag[]=a&tag[]=b` |
 * | `{ where: { author: 5 } }` | `where[author]=5` |
 * | `{ sort: [{ by: "title" }, "id"] }` | `sort[0][by]=title&sort[1]=id` (arrays that hold more than leaves) |
 * | `undefined`, also in an array | left out |
 * | `null` | `q` (without `=`) |
 * | `""` | `q=` |
 * | `[]` | `q[]` (without `=`) |
 * | `{}` | `q{}` (without `=`) |
 *
 * Names are sorted, arrays keep their order. A leaf is its text: `5` and `"5"` are the same.
 *
 * @param search The parameters; only own members count.
 * @param owner Who asks, for errors.
 * @param names Those of them that count; the array is sorted. Defaults to all.
 * @returns The text; `""` when nothing is to be said.
 * @throws {UrlError} If a name or value cannot be told from another one: a name with brackets, a `Map`, `NaN`, a cycle.
 */
export function encodeSearch(
  search: Params,
  owner: Owner & { readonly path: string },
  names: string[] = Object.keys(search),
): string {
  let text = "";
  for (const name of sortNames(names)) {
    const value = search[name];
    const plain = plainText(value);
    if (plain !== undefined && plainText(name) !== undefined) {
      text += text === "" ? `${name}=${plain}` : `&${name}=${plain}`;
      continue;
    }
    const parts: string[] = [];
    if (value !== undefined) new Writer(owner, name, parts).writeAll(value);
    for (const part of parts) text += text === "" ? part : `&${part}`;
  }
  return text;
}

class Writer {
  readonly #owner: Owner & { readonly path: string };
  readonly #parameter: string;
  readonly #parts: string[];
  readonly #above: object[] = [];

  constructor(owner: Owner & { readonly path: string }, parameter: string, parts: string[]) {
    this.#owner = owner;
    this.#parameter = parameter;
    this.#parts = parts;
  }

  /** The parameter itself. */
  writeAll(value: unknown): void {
    this.#write(this.#name(this.#parameter), value);
  }

  #write(name: string, given: unknown): void {
    const value = this.#plain(given);
    if (value === null) this.#parts.push(name);
    else if (typeof value !== "object") this.#parts.push(`${name}=${this.#encode(value as string, said(527))}`);
    else {
      if (this.#above.includes(value)) throw this.#fail(given, said(520));
      this.#above.push(value);
      if (Array.isArray(value)) this.#array(name, value);
      else this.#object(name, value as Params);
      this.#above.pop();
    }
  }

  #array(name: string, value: readonly unknown[]): void {
    const items = value.filter((item) => item !== undefined).map((item) => this.#plain(item));
    if (items.length === 0) this.#parts.push(`${name}%5B%5D`);
    else if (items.every(isLeaf)) { for (const item of items) this.#write(`${name}%5B%5D`, item); }
    else items.forEach((item, index) => this.#write(`${name}%5B${index}%5D`, item));
  }

  #object(name: string, value: Params): void {
    const names = Object.keys(value).filter((member) => value[member] !== undefined).sort();
    if (names.length === 0) this.#parts.push(`${name}%7B%7D`);
    else if (
      names.every((_, index) => names.includes(String(index))) &&
      !names.every((member) => isLeaf(this.#plain(value[member])))
    ) throw this.#fail(value, said(521));
    for (const member of names) {
      if (member === "") throw this.#fail(value, said(522));
      this.#write(`${name}%5B${this.#name(member)}%5D`, value[member]);
    }
  }

  /** A leaf as text, `null`, an array, or an object of members. */
  #plain(value: unknown): unknown {
    switch (typeof value) {
      case "string":
        return value;
      case "number":
        if (!Number.isFinite(value)) throw this.#fail(value, said(523, { value }));
        return String(value);
      case "boolean":
      case "bigint":
        return String(value);
      case "object":
        return value === null || Array.isArray(value) ? value : this.#unwrap(value);
      default:
        throw this.#fail(value, said(524, { value }));
    }
  }

  #unwrap(value: object): unknown {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") {
      const json: unknown = value instanceof Date && Number.isNaN(value.getTime()) ? undefined : toJSON.call(value, "");
      if (json === undefined || json === value) throw this.#fail(value, said(525));
      return this.#plain(json);
    }
    const prototype = Object.getPrototypeOf(value);
    const isPlain = prototype === null || prototype === Object.prototype;
    if (!isPlain && (Object.keys(value).length === 0 || ArrayBuffer.isView(value))) {
      throw this.#fail(value, said(526, { value }));
    }
    return value;
  }

  #name(name: string): string {
    if (/[[\]]|\{\}$/.test(name)) throw this.#fail(name, said(528));
    if (name === "") throw this.#fail(name, said(529));
    return this.#encode(name, said(530));
  }

  #encode(text: string, problem: Problem): string {
    try {
      return encodeURIComponent(text);
    } catch {
      throw this.#fail(text, problem);
    }
  }

  #fail(value: unknown, reason: Problem): UrlError {
    return new UrlError(reason, {
      path: this.#owner.path,
      endpoint: this.#owner.name,
      parameter: this.#parameter,
      value,
    });
  }
}

function isLeaf(value: unknown): boolean {
  return typeof value !== "object";
}
