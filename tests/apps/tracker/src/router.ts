import { signal } from "@preact/signals";
import type { IssueFilter } from "./api.ts";

/** The part of the address after `#`. */
export const path = signal(location.hash.slice(1) || "/");
addEventListener("hashchange", () => path.value = location.hash.slice(1) || "/");

export function go(to: string, { replace = false } = {}): void {
  if (replace) location.replace(`#${to}`);
  else location.hash = to;
  // Set at once, because `hashchange` comes later, and a page might fetch a deleted issue until then.
  path.value = to;
}

/** The filter of the list in an address. Equal addresses give the same object. */
export function filterOf(path: string): IssueFilter {
  const search = new URLSearchParams(path.split("?")[1] ?? "state=open");
  const { page, ...rest } = Object.fromEntries(search) as Record<string, string>;
  return { ...rest, page: Number(page ?? 1) };
}

export function addressOf(filter: IssueFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return `/?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
