import type { StepData } from "../parts/recording/plain_json.ts";

/** The text of plain data, however deep it is: `JSON.stringify` ends at some thousand levels. */
export function jsonText(root: StepData): string {
  try {
    return JSON.stringify(root);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const parts: string[] = [];
  /** What is left to be written, the last first: texts as they are, and values. */
  const left: ({ readonly text: string } | { readonly value: StepData })[] = [{ value: root }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ("text" in next) {
      parts.push(next.text);
      continue;
    }
    const { value } = next;
    if (typeof value !== "object" || value === null) {
      parts.push(JSON.stringify(value));
      continue;
    }
    const isArray = Array.isArray(value);
    parts.push(isArray ? "[" : "{");
    left.push({ text: isArray ? "]" : "}" });
    const members = Object.entries(value as Readonly<Record<string, StepData>>);
    for (let at = members.length - 1; at >= 0; at--) {
      const [name, member] = members[at]!;
      left.push({ value: member }, { text: (at > 0 ? "," : "") + (isArray ? "" : `${JSON.stringify(name)}:`) });
    }
  }
  return parts.join("");
}
