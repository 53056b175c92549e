import type { StepData } from "../parts/recording/plain_json.ts";

/** The text of plain data, however deep it is: `JSON.stringify` ends at some thousand levels. */
export function jsonText(root: StepData): string {
  try {
    return JSON.stringify(root);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const parts: string[] = [];
  const stack: { readonly members: Iterator<readonly [string, StepData]>; readonly end: string; isFirst: boolean }[] =
    [];
  const write = (value: StepData) => {
    if (typeof value !== "object" || value === null) return void parts.push(JSON.stringify(value));
    const isArray = Array.isArray(value);
    parts.push(isArray ? "[" : "{");
    const members = Object.entries(value)[Symbol.iterator]() as Iterator<readonly [string, StepData]>;
    stack.push({ members, end: isArray ? "]" : "}", isFirst: true });
  };
  write(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const next = frame.members.next();
    if (next.done) {
      parts.push(frame.end);
      stack.pop();
      continue;
    }
    const [name, value] = next.value;
    if (!frame.isFirst) parts.push(",");
    frame.isFirst = false;
    if (frame.end === "}") parts.push(JSON.stringify(name), ":");
    write(value);
  }
  return parts.join("");
}
