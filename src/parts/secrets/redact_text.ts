import { REDACTED } from "./without_members.ts";

/**
 * A text that names a request, without the values of some members: of its arguments as JSON, and of its search
 * parameters.
 *
 * @param text What `endpoint.key()` gave.
 * @param names Which members.
 */
export function redactText(text: string, names: ReadonlySet<string>): string {
  for (const name of names) {
    const [json, search] = [JSON.stringify(name), encodeURIComponent(name)].map((one) =>
      one.replaceAll(/[^\w"]/g, "\\$&")
    );
    text = text
      .replaceAll(new RegExp(`(${json}:)("(?:[^"\\\\]|\\\\.)*"|[^,}\\]]*)`, "g"), `$1"${REDACTED}"`)
      .replaceAll(new RegExp(`([?&]${search}=)[^&# ]*`, "g"), `$1${REDACTED}`);
  }
  return text;
}
