import { isPlain } from "../is_plain.ts";

/** Stands for a member that never leaves the process, where people look at what there is. */
export const REDACTED = "(redacted)";

/**
 * A text that names a request or a list, or tells of one, without the values of some members: of its arguments as JSON,
 * of its search parameters, and of its path.
 *
 * @param text What `endpoint.key()` gave, for instance.
 * @param names Which members.
 * @param args What the request was called with: values of these members are no part of a path either. Or a set of these.
 */
export function redactText(text: string, names: ReadonlySet<string>, args?: unknown): string {
  for (const name of names) {
    const json = `${JSON.stringify(name)}:`;
    // The arguments of a list are texts, some of them JSON themselves.
    if (text.includes(JSON.stringify(json).slice(1, -1))) {
      text = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (literal) => {
        try {
          return JSON.stringify(redactText(JSON.parse(literal), names));
        } catch {
          // It only looks like one.
          return literal;
        }
      });
    }
    for (let at = text.indexOf(json); at >= 0; at = text.indexOf(json, at + 1)) {
      const start = at + json.length;
      text = `${text.slice(0, start)}"${REDACTED}"${text.slice(endOfJson(text, start))}`;
    }
    const search = encodeURIComponent(name);
    if (!text.includes(search)) continue;
    // `token=`, and what an object or an array becomes: `token[]=`, `user[token][a]=`; brackets are escaped.
    const parameter = `[?&](?:[^&=#]*%5B)?${escaped(search)}(?:%5D)?(?:%5B[^&=#]*)?=`;
    text = text.replaceAll(new RegExp(`(${parameter})[^&# ]*`, "gi"), `$1${REDACTED}`);
  }
  if (names.size === 0 || !text.includes("/")) return text;
  const values: Iterable<string> = args instanceof Set ? args : secretTexts(args, names);
  for (const value of values) {
    text = text.replaceAll(new RegExp(`/${escaped(encodeURIComponent(value))}(?![^/?#,;" ])`, "g"), `/${REDACTED}`);
  }
  return text;
}

/** Where the JSON value ends that begins there. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      while (++at < text.length && text[at] !== '"') if (text[at] === "\\") at++;
    } else if (char === "{" || char === "[") depth++;
    else if (depth === 0 && (char === "," || char === "}" || char === "]")) return at;
    else if (char === "}" || char === "]") depth--;
  }
  return text.length;
}

function escaped(text: string): string {
  return text.replaceAll(/\W/g, "\\$&");
}

/** What stands in members of these names, at any depth. */
export function secretTexts(args: unknown, names: ReadonlySet<string>): Set<string> {
  const texts = new Set<string>();
  if (names.size === 0) return texts;
  // A set gives what is added while it is gone through.
  const values = new Set([args]);
  for (const value of values) {
    try {
      if (!isPlain(value)) continue;
      for (const [name, member] of Object.entries(value)) {
        if (typeof member === "object") values.add(member);
        else if (names.has(name) && member !== undefined && member !== "") texts.add(String(member));
      }
    } catch {
      // A getter or a proxy that throws: what cannot be read is in no text.
    }
  }
  return texts;
}
