import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { checkPrefix, urlError } from "../rest/origin.ts";
import { dotsIn, type Params, PathTemplate } from "../rest/path_template.ts";
import { encodeSearch } from "../rest/search_params.ts";
import type { Pk } from "../schemas/pk_types.ts";
import { pkText } from "../schemas/pk_text.ts";

/** What of a class says where its records are. */
export interface Rooted {
  /** The name of the class, for errors. */
  readonly name: string;
  readonly urlRoot: string;
  pk(value: unknown): Pk;
}

/** Where one record is, below `urlRoot`. */
export const RECORD_PATH = "/:pk";
const RECORD: PathTemplate = /* @__PURE__ */ new PathTemplate(RECORD_PATH, { name: "Resource" });

/**
 * The `urlRoot` of a class.
 *
 * @throws {SchemaError} If it has none.
 */
export function rootOf({ name, urlRoot }: { readonly name: string; readonly urlRoot: unknown }): string {
  if (typeof urlRoot === "string" && urlRoot !== "") return urlRoot;
  throw new SchemaError(said(800, { name }));
}

/** Where lists are, below `urlRoot` without the slash at its end. */
export function listPathOf(root: string): string {
  return root.endsWith("/") ? "/" : "";
}

/**
 * `static url` of a class: that of the record that parameters name.
 *
 * @throws {UrlError} If they name none, or no URL can hold its pk.
 */
export function recordUrl(this: Rooted, params: Params = {}): string {
  const name = `${this.name}.url`;
  const prefix = checkPrefix(rootOf(this), { name }, "urlRoot");
  // Only data: the `url` of an instance that was not sent asks for this very URL.
  const given: unknown = Object.getOwnPropertyDescriptor(params, "url")?.value;
  if (typeof given === "string" && isRecordBelow(prefix, given)) return given;
  const owner = { name, path: RECORD_PATH };
  let pk: Pk;
  try {
    pk = this.pk(params);
  } catch (cause) {
    throw urlError(801, owner, { parameter: "pk", cause });
  }
  if (pkText(pk, params) === undefined) throw urlError(802, owner, { parameter: "pk", given, prefix });
  return RECORD.fill(prefix, { pk }, { name });
}

/** Whether a URL is one that {@linkcode recordUrl} could have made: then it changes neither origin nor segments. */
function isRecordBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const segment = /^\/([\w\-.~!$&'()*+,;=:@%]+)\/?$/.exec(url.slice(prefix.length))?.[1];
  return segment !== undefined && dotsIn(segment) === undefined;
}

/**
 * `static listUrl` of a class: that of the list that parameters name.
 *
 * @throws {UrlError} If a value has no text that could be told from others.
 */
export function listUrl(this: Rooted, params: Params = {}): string {
  const name = `${this.name}.listUrl`;
  const root = rootOf(this);
  const path = checkPrefix(root, { name }, "urlRoot") + listPathOf(root);
  const search = encodeSearch(params, { name, path });
  return search === "" ? path : `${path}?${search}`;
}
