import { said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import { sortNames } from "../schemas/sort_names.ts";
import { encodeLeaf } from "./encode_leaf.ts";
import type { Owner } from "./origin.ts";
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
 * @param names Those of them that count. Defaults to all.
 * @returns The text; `""` when nothing is to be said.
 * @throws {UrlError} If a name or value cannot be told from another one: a name with brackets, a `Map`, `NaN`, a cycle.
 */
export function encodeSearch(
  search: Params,
  owner: Owner & { readonly path: string },
  names: string[] = namesOf(search),
): string {
  let text = "";
  for (const name of sortNames(names)) {
    const value = search[name];
    const leaf = encodeLeaf(value);
    // Most are like this, and each read of an answer by endpoint and arguments makes a key.
    const isPlain = leaf !== undefined && name !== "" && encodeLeaf(name) === name;
    const part = isPlain ? `${name}=${leaf}` : encodeParameter(name, value, owner);
    text += text === "" ? part : `&${part}`;
  }
  return text;
}

function encodeParameter(parameter: string, value: unknown, owner: Owner & { readonly path: string }): string {
  const parts: string[] = [];
  const above: unknown[] = [];
  const refuse = (code: number, value: unknown): UrlError =>
    new UrlError(said(code, { value, parameter }), { path: owner.path, endpoint: owner.name, parameter, value });

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

  const write = (name: string, given: unknown): void => {
    const value = plain(given);
    if (value === null) return void parts.push(name);
    if (typeof value !== "object") {
      const text = encodeLeaf(value);
      if (text === undefined) throw refuse(520, value);
      return void parts.push(`${name}=${text}`);
    }
    if (above.includes(value)) throw refuse(520, given);
    above.push(value);
    if (Array.isArray(value)) writeItems(name, value.filter((item) => item !== undefined).map(plain));
    else writeMembers(name, value as Params);
    above.pop();
  };

  const writeItems = (name: string, items: readonly unknown[]): void => {
    const isFlat = items.every(isLeaf);
    if (items.length === 0) parts.push(`${name}%5B%5D`);
    items.forEach((item, index) => write(`${name}%5B${isFlat ? "" : index}%5D`, item));
  };

  const writeMembers = (name: string, members: Params): void => {
    const names = sortNames(namesOf(members));
    if (names.length === 0) parts.push(`${name}%7B%7D`);
    else if (
      names.every((_, at) => names.includes(`${at}`)) && !names.every((member) => isLeaf(plain(members[member])))
    ) {
      throw refuse(520, members);
    }
    for (const member of names) write(`${name}%5B${encodeName(member)}%5D`, members[member]);
  };

  write(encodeName(parameter), value);
  return parts.join("&");
}

function namesOf(members: Params): string[] {
  return Object.keys(members).filter((name) => members[name] !== undefined);
}

function isLeaf(value: unknown): boolean {
  return typeof value !== "object";
}
