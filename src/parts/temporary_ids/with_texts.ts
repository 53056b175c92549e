import { tagOf } from "../../errors/kind_of.ts";
import { define } from "../../normalize/record.ts";

/** A pk as the server has it: a number stays a number in what is sent. */
export type NamedPk = string | number | bigint;

/**
 * A value with other texts: a copy of it and of the containers and forms that it holds, where any text is another one.
 * Containers that hold each other keep doing so. Bytes, files and streams hold no texts.
 */
export function withTexts(root: unknown, replace: (text: string) => NamedPk): unknown {
  let isOther = false;
  const copies = new Map<object, object>();
  const unfilled: [from: object, to: object][] = [];
  const textOf = (text: string) => {
    const other = replace(text);
    isOther ||= other !== text;
    return other;
  };
  const copy = (value: unknown): unknown => {
    if (typeof value === "string") return textOf(value);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    if (!copies.has(value)) copies.set(value, copyOf(value));
    return copies.get(value);
  };
  const copyOf = (value: object): object => {
    if (/^(?:FormData|URLSearchParams)$/.test(tagOf(value))) {
      const form = value instanceof URLSearchParams ? new URLSearchParams() : new FormData();
      for (const [name, one] of value as FormData) {
        (form as FormData).append(name, typeof one === "string" ? `${textOf(one)}` : one);
      }
      return form;
    }
    if (!Array.isArray(value) && Object.keys(value).length === 0) return value;
    const made = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
    unfilled.push([value, made]);
    return made;
  };
  const result = copy(root);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    for (const [name, member] of Object.entries(next[0])) define(next[1], name, copy(member));
  }
  return isOther ? result : root;
}
