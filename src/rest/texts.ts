import { kindOf } from "../errors/kind_of.ts";
import { reasonOf } from "../errors/reason.ts";
import { describe } from "../schemas/describe.ts";
import { httpUrl } from "./origin.ts";
import { dotsIn } from "./path_template.ts";

/** What the sentences are made with; each has some of it. */
interface Facts {
  /** The endpoint. */
  readonly name: string;
  /** The key of a class. */
  readonly entity: string;
  /** A parameter of a path; `undefined`: it is not one that is at fault. */
  readonly parameter: string | undefined;
  readonly path: string;
  readonly names: readonly string[];
  readonly prefix: string;
  // deno-lint-ignore no-explicit-any -- what an app gave, whatever it is
  readonly [fact: string]: any;
}

/** What endpoints and resources say. */
export const REST_TEXTS = {
  500: ({ name, value, names }: Facts) =>
    `Cannot call "${name}" with ${
      value === null ? "null" : JSON.stringify(value)
    }: parameters are an object, such as ` +
    `{ ${names.length > 0 ? names.join(", ") : "page"} }`,
  501: ({ entity, names }: Facts) =>
    `is a member of "${entity}", and not a parameter of the path: it would be sent in the URL. ${
      names.length > 0
        ? `Pass only ${names.join(", ")}`
        : "A parameter of a path begins with a colon, as in /articles/:id"
    }; if the server searches by it, extend the endpoint with searchParams`,
  503: ({ name, content }: Facts) =>
    `Cannot call "${name}": content is ${
      JSON.stringify(content)
    }; it may be "json", "text", "blob", "arrayBuffer" or "stream"`,
  504: ({ name, content }: Facts) =>
    `Cannot call "${name}": its schema needs JSON, and content is "${content}". Write schema: undefined, or a process ` +
    "that makes data of it",
  505: ({ endpoint, name }: Facts) =>
    `Cannot send "${endpoint}": its ${name} is a temporary id that was made before the page was loaded, or by ` +
    "another store. The server does not know it: look the record up in a list",
  506: ({ name, verb }: Facts) =>
    `Cannot use "${name}.${verb}": its list does not grow by itself. Make the endpoint with resource(), or give it ` +
    "a schema with a Collection",
  507: ({ name, members }: Facts) =>
    `Cannot extend "${name}": the resource has ${
      Object.keys(members).filter((member) => member !== "extend").join(", ")
    }. Make a new member by ` +
    `extend("${name}", options)`,
  508: ({ name, body, cause }: Facts) => {
    const why = cause === undefined ? `JSON has no form for ${kindOf(body)}` : reasonOf(cause);
    return `Cannot send the body of "${name}": ${why}. Send plain data, FormData, a Blob, a string or a stream`;
  },
  509: ({ name, path }: Facts) =>
    `Cannot use "${name}": text follows the last parameter of ${path}, so it does not say where the list is. ` +
    "Make a RestEndpoint with a path of its own",
  510: ({ name }: Facts) =>
    `Cannot use "${name}.getPage": nothing says which parameter names a page. Give the endpoint a ` +
    `paginationField, or use paginated(({ cursor, ...params }) => [params])`,
  511: ({ name, max }: Facts) => `Cannot batch "${name}": max is ${max}, and must be a whole number from 1`,
  512: ({ name, path }: Facts) =>
    `Cannot batch "${name}": text follows the last parameter of ${path}, so it does not give the URL of many. ` +
    'Write it: getMany: batch({ param: "ids", path: "/articles" })',
  513: ({ name, list }: Facts) =>
    `Cannot batch "${name}": expected an array of items, got ${kindOf(list)}. ` +
    "Say where they are in the answer: getMany: batch({ items: (answer) => answer.results })",
  514: () => "it is not in the answer to a request for many",
  515: ({ name, entity, reply, done }: Facts) =>
    done === "deleted"
      ? `Neither the reply of "${name}" nor its parameters name the "${entity}" that was deleted: lists are ` +
        "fetched again, the record stays. Give the endpoint a process() that returns an object with the pk"
      : (done === "changed"
        ? `Neither the reply of "${name}" nor what was sent names the "${entity}" that was changed: lists are `
        : `The reply of "${name}" names no "${entity}", it is ${describe(reply)}: lists are `) +
        "fetched again. Give the endpoint a process() that returns the record",
  518: ({ name, entity }: Facts) =>
    `"${name}" made a record, and the lists of "${entity}" stay as the server gave them: ` +
    "resource() in place of createResource() makes lists that grow by themselves, expireAll(getList) fetches them again",
  520: ({ value }: Facts) => whyNoSearch(value),
  521: ({ name, key }: Facts) =>
    `Cannot send "${name}": its idempotencyKey() made ${
      typeof key === "string" ? JSON.stringify(key) : typeof key
    }, which no header can hold. Return text in ASCII, such as the id of the order`,
  528: ({ value, parameter }: Facts) =>
    value === ""
      ? value === parameter ? 'has no name ("")' : 'has a member without a name ("")'
      : value.isWellFormed()
      ? "has brackets in a name: nest it, as in { filter: { author: 5 } } for filter[author]=5"
      : "has half of a surrogate pair in its name, which no URL can hold",
  531: ({ prefix }: Facts) =>
    prefix === ""
      ? "it would begin with //, and name a host: write the slash into the group"
      : `the path is absolute, so there can be no urlPrefix ("${prefix}")`,
  533: ({ parameter, value, path }: Facts) =>
    parameter === undefined
      ? `the segment "${value}" would leave it`
      : `is ${JSON.stringify(value)}, which would leave ${path}`,
  537: ({ parameter, value }: Facts) => whyNoSegment(parameter!, value),
  538: ({ given }: Facts) => `is missing, though "${given}" is given with it`,
  539: ({ parameter, value }: Facts) =>
    value === undefined
      ? whyNoSegment(parameter!, value)
      : 'must be an array of segments, such as ["docs", "readme.md"], and not empty',
  543: ({ path, cause }: Facts) => whyNoPath(path, cause),
  550: ({ subject, text }: Facts) => `${subject} ${whyNoUrl(text)}`,
  556: ({ origin }: Facts) =>
    origin === undefined || httpUrl(origin)
      ? "a parameter may not be part of the host: write the host in urlPrefix, which may be a getter"
      : `its host ${whyNoUrl(origin)}`,
  557: ({ value: url, page }: Facts) =>
    page === undefined
      ? `${JSON.stringify(url)} is relative, and there is no page here that it could be relative to: ` +
        'give the endpoint an absolute urlPrefix, such as "https://api.example.com"'
      : `${JSON.stringify(url)} ${whyNoUrl(url, page)}`,
};

const HALF_A_PAIR = "holds half of a surrogate pair, which no URL can hold";

function whyNoSegment(name: string, value: unknown): string {
  if (value === undefined) return `is missing: pass { ${name} }`;
  if (value === "") return "is empty, which would leave its segment out";
  if (typeof value === "string") return HALF_A_PAIR;
  if (typeof value === "number") return `is ${value}`;
  return `is ${kindOf(value)}: pass a string, a number, a bigint or a boolean`;
}

function whyNoSearch(value: unknown): string {
  if (typeof value === "string") return HALF_A_PAIR;
  if (typeof value === "number") return `is ${value}`;
  if (typeof value !== "object" || value === null) return `is ${kindOf(value)}`;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return "has no text (is it an invalid date?)";
  const prototype: unknown = Object.getPrototypeOf(value);
  if (![null, Object.prototype, Array.prototype].includes(prototype as null)) {
    return `is an instance of ${value.constructor?.name}: pass strings, numbers, dates, arrays or plain objects`;
  }
  return !Array.isArray(value) && "0" in value
    ? "has the names 0, 1, …, and could not be told from an array: pass an array"
    : "contains itself";
}

function whyNoPath(path: string, cause: unknown): string {
  if (typeof path !== "string") return "an endpoint needs a path, such as /articles/:id";
  if (cause !== undefined) return spellingHint(path) ?? reasonOf(cause);
  if (path.includes("#")) return "a fragment (#) is never sent to a server";
  return dotsIn(path.split("?", 1)[0]!) === undefined
    ? "a parameter may not be part of an encoded character: write %25 for a percent sign"
    : "a path has no segments . and ..";
}

function whyNoUrl(text: string, base?: string): string {
  if (typeof text !== "string") return "must be a string";
  // deno-lint-ignore no-control-regex -- as `checkPrefix` looks for them
  if (/[\x00-\x20\\?#]/.test(text) && base === undefined) {
    return "may not have spaces, backslashes, a search or a fragment";
  }
  let url: URL;
  try {
    url = new URL(text, base ?? "https://page.invalid");
  } catch {
    return "is no URL";
  }
  if (!/^https?:$/.test(url.protocol)) return `must be http or https, not ${url.protocol}`;
  return url.username + url.password === ""
    ? "must have a host after two slashes"
    : "may not hold credentials, which end up in logs: send them as a header, with getHeaders";
}

/** How to write a path of an older dialect. Text that is escaped is left alone. */
function spellingHint(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return "write scheme and host in urlPrefix; in a path a colon is \\\\:";
  const written = path
    .replace(/(?<!\\)(:\w+)\((?:\\.|[^()\\]|\([^()]*\))*\)/g, "$1")
    .replace(
      /(?<!\\)([/.]?)(:\w+|\{[^{}]*\})\?/g,
      (_, before: string, part: string) => part.startsWith("{") ? `${before}${part}` : `{${before}${part}}`,
    )
    .replace(/(?<!\\)(\/?):(\w+)\*/g, "{$1*$2}")
    .replace(/(?<!\\):(\w+)\+/g, "*$1");
  if (written === path) {
    return /[?+!()[\]]/.test(path) ? "the characters ? + ! ( ) [ ] are written with \\\\ before them" : undefined;
  }
  return `this is the spelling of an older path-to-regexp: write ${written}` +
    (path.includes("(") ? " (a parameter is any text of one segment; a pattern was never checked)" : "");
}
