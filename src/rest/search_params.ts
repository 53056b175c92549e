import type { UrlError } from "../errors/url_error.ts";
import { encodeLeaf } from "./encode_leaf.ts";
import { type PathOwner, urlError } from "./origin.ts";
import type { Params } from "./path_template.ts";

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
 * @returns The text; `""` when nothing is to be said.
 * @throws {UrlError} If a name or value cannot be told from another one: a name with brackets, a `Map`, `NaN`, a cycle.
 */
export function encodeSearch(search: Params, owner: PathOwner): string {
  let text = "";
  for (const name of namesOf(search)) {
    const leaf = encodeLeaf(search[name]);
    // Most are like this, and each read of an answer by endpoint and arguments makes a key.
    const isPlain = leaf !== undefined && name !== "" && encodeLeaf(name) === name;
    text += (text && "&") + (isPlain ? `${name}=${leaf}` : encodeParameter(name, search[name], owner));
  }
  return text;
}

function encodeParameter(parameter: string, given: unknown, owner: PathOwner): string {
  const refuse = (code: number, value: unknown): UrlError => urlError(code, owner, { parameter, value });

  const encodeName = (name: string): string => {
    const text = encodeLeaf(name);
    if (!text || (text !== name && /[[\]]|\{\}$/.test(name))) throw refuse(528, name);
    return text;
  };

  /** A leaf, `null`, an array, or an object of members. */
  const plain = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function") {
      const json: unknown = value instanceof Date && Number.isNaN(value.getTime()) ? value : toJSON.call(value, "");
      if (json === undefined || json === value) throw refuse(520, value);
      return plain(json);
    }
    const isPlain = [null, Object.prototype].includes(Object.getPrototypeOf(value));
    if (!isPlain && (Object.keys(value).length === 0 || ArrayBuffer.isView(value))) throw refuse(520, value);
    return value;
  };

  const write = (name: string, given: unknown, above: readonly unknown[] = []): string => {
    const value = plain(given);
    if (value === null) return name;
    if (typeof value !== "object") {
      const text = encodeLeaf(value);
      if (text === undefined) throw refuse(520, value);
      return `${name}=${text}`;
    }
    if (above.includes(value)) throw refuse(520, given);
    const isArray = Array.isArray(value);
    const below = (isArray ? value.filter((item) => item !== undefined) : value) as Params;
    const names = isArray ? Object.keys(below) : namesOf(below);
    const isFlat = names.every((name) => typeof plain(below[name]) !== "object");
    // It could not be told from an array.
    if (!isArray && !isFlat && names.every((_, at) => names.includes(`${at}`))) throw refuse(520, below);
    const parts = names.map((member) =>
      write(`${name}%5B${!isArray ? encodeName(member) : isFlat ? "" : member}%5D`, below[member], [...above, value])
    );
    return parts.join("&") || name + (isArray ? "%5B%5D" : "%7B%7D");
  };

  return write(encodeName(parameter), given);
}

function namesOf(members: Params): string[] {
  return Object.keys(members).filter((name) => members[name] !== undefined).sort();
}
