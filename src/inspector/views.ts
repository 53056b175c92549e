import { type ComponentChild, h } from "../deps/preact.ts";
import type { Controller } from "../controller/controller.ts";
import { redactedNames, withoutMembers } from "../parts/state.ts";
import type { Value } from "../plain/value.ts";
import type { Answer } from "../store/answers.ts";
import type { Commit } from "../store/commit.ts";
import { shown } from "../store/layers.ts";
import type { Row, Table, Watcher } from "../store/row.ts";
import { now } from "../store/store.ts";
import type { Ledger, Run } from "./ledger.ts";

/** What the developer has chosen in the panel. */
export interface Choice {
  tab: Tab;
  table: string | undefined;
  pk: string | undefined;
  key: string | undefined;
  /** The text of the form: answers whose keys start with it are shown. */
  prefix: string;
  /** The most rows that are shown. */
  most: number;
}
export const TABS = ["Records", "Answers", "Changes", "Pending"] as const;
export type Tab = typeof TABS[number];

/** The arguments of each view. */
export interface View {
  readonly controller: Controller;
  readonly ledger: Ledger;
  readonly choice: Choice;
  /** The names of members whose values are hidden. */
  readonly secrets: ReadonlySet<string>;
  /** Changes the choice and draws again. */
  choose(choice: Partial<Choice>): void;
  /** Outlines an element of the page; without one, removes the outline. */
  light(place?: Element): void;
}
/** The names of secret members, from the classes and from the options. */
export const secretsOf = ({ store }: Controller, redact: readonly string[]): ReadonlySet<string> =>
  new Set([...redactedNames(store), ...redact]);

const button = (text: string, onClick: () => void, props: object = {}): ComponentChild =>
  h("button", { type: "button", onClick, ...props }, text);
const table = (caption: string, head: readonly string[], rows: readonly ComponentChild[]): ComponentChild =>
  h(
    "table",
    { "aria-label": caption },
    h("thead", null, h("tr", null, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", null, rows),
  );
const cells = (...texts: readonly ComponentChild[]): ComponentChild =>
  h("tr", null, texts.map((text) => h("td", null, text)));

/** How long data are fresh, as text. */
function freshness(expiresAt: number): string {
  const left = Math.ceil((expiresAt - now()) / 1000);
  return left > 0 ? left === Infinity ? "fresh for ever" : `fresh ${left} s` : "stale";
}
function json({ secrets }: View, value: unknown): string {
  try {
    return JSON.stringify(
      withoutMembers(value, secrets),
      (_, one: unknown) => typeof one == "bigint" ? `${one}n` : one,
      1,
    ) ?? "undefined";
  } catch (error) {
    return `${error}`;
  }
}
const more = ({ choice: { most }, choose }: View, count: number): ComponentChild =>
  count > most ? button(`${count - most} more`, () => choose({ most: most + 100 })) : null;

/** The tables, and the records of the chosen table. */
export function records(view: View): ComponentChild {
  const { controller: { store }, choice: { table: chosen, pk, most }, choose } = view;
  const tables = [...store.tables.values()].filter(({ rows }) => rows.size).sort(byKey);
  const rows = [...store.tables.get(chosen ?? "")?.rows.entries() ?? []],
    row = store.tables.get(chosen ?? "")?.rows.get(pk ?? "");
  return [
    h(
      "nav",
      { "aria-label": "Tables" },
      tables.map(({ key, rows }) =>
        button(`${key} ${rows.size}`, () => choose({ table: key, pk: undefined, most: 100 }), {
          "aria-pressed": `${key === chosen}`,
        })
      ),
    ),
    chosen !== undefined && table(
      chosen,
      ["pk", "state", "pending"],
      rows.slice(0, most).map(([name, one]) =>
        cells(
          button(name, () => choose({ pk: name === pk ? undefined : name }), { "aria-expanded": `${name === pk}` }),
          stateOfRow(one),
          one.layers ? `${one.layers.length}` : "",
        )
      ),
    ),
    more(view, rows.length),
    row && h("pre", { tabIndex: 0, "aria-label": `${chosen} ${pk}` }, json(view, shown(row))),
  ];
}
const byKey = (one: Table, other: Table): number => one.key < other.key ? -1 : 1;
const stateOfRow = ({ rec, expiresAt }: Row): string =>
  rec ? freshness(expiresAt) : rec === null ? "deleted" : "unknown";

/** The answers, and a form that expires or invalidates those whose keys start with a text. */
export function answers(view: View): ComponentChild {
  const { controller, choice: { key: chosen, prefix, most }, choose } = view, { store } = controller;
  const all = [...store.answers()].filter(({ key }) => key.startsWith(prefix)),
    answer = all.find(({ key }) => key === chosen);
  const testKey = (key: string): boolean => key.startsWith(prefix);
  return [
    h(
      "form",
      { onSubmit: (event: Event) => event.preventDefault() },
      h(
        "label",
        null,
        "Keys that begin with ",
        h("input", {
          value: prefix,
          onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => choose({ prefix: currentTarget.value }),
        }),
      ),
      button("Expire", () => controller.expireAll({ testKey })),
      button("Invalidate", () => controller.invalidateAll({ testKey })),
    ),
    table(
      "Answers",
      ["key", "state", "readers", ""],
      all.slice(0, most).map((one) =>
        cells(
          button(one.key, () => choose({ key: one.key === chosen ? undefined : one.key }), {
            "aria-expanded": `${one.key === chosen}`,
          }),
          stateOfAnswer(one, store.freshUntil(one)),
          `${countReaders(one)}`,
          button("Expire", () =>
            store.write([], {}, (commit: Commit) => store.expire((other) => other === one, commit)), {
            "aria-label": `Expire ${one.key}`,
          }),
        )
      ),
    ),
    more(view, all.length),
    answer && h("pre", { tabIndex: 0, "aria-label": answer.key }, json(view, answer.kept)),
  ];
}
const countReaders = ({ watcher }: Pick<Watcher, "watcher">): number => watcher ? 1 + countReaders(watcher) : 0;
function stateOfAnswer({ has, isInvalid, error, flight }: Answer, freshUntil: number): string {
  const state = error !== undefined
    ? `${(error as Value)?.name ?? error}`
    : isInvalid
    ? "invalid"
    : freshness(freshUntil);
  return `${has || error !== undefined || freshUntil ? state : "not asked"}${flight ? ", in flight" : ""}`;
}

/** The last commits, each with the components that ran after it. */
export function changes({ ledger, light }: View): ComponentChild {
  const runText = ({ name, count, place }: Run): ComponentChild =>
    button(`${name}${count > 1 ? ` × ${count}` : ""}`, () => place?.scrollIntoView({ block: "center" }), {
      onPointerEnter: () => light(place),
      onPointerLeave: () => light(),
      onFocus: () => light(place),
      onBlur: () => light(),
    });
  return table(
    "Changes",
    ["time", "what", "records", "ran"],
    ledger.changes.map(({ id, time, subject, records, runs }) =>
      h(
        "tr",
        { key: id },
        h("td", null, time.toLocaleTimeString()),
        h("td", null, subject),
        h("td", null, records.slice(0, 5).join(", ") + (records.length > 5 ? ` … ${records.length}` : "")),
        h("td", null, [...runs.values()].map(runText)),
      )
    ),
  );
}

/** The requests in flight, with the optimistic patches of mutations. */
export function pending(view: View): ComponentChild {
  const { flights } = view.controller;
  return table(
    "Pending",
    ["request", "shows"],
    Array.from(flights, ({ answer, endpoint, layer }) =>
      cells(
        answer?.key ?? endpoint.name,
        Array.from(layer?.patches ?? [], ([{ table, pk, rec }, patch]) =>
          h("div", null, `${table.key} ${pk}: ${patchText(view, rec, patch)}`)),
      )),
  );
}
function patchText(view: View, rec: Value, patch: Value): string {
  if (patch === null) return "deleted";
  if (typeof patch == "function") return "the list changes";
  return Object.keys(patch).map((name) =>
    view.secrets.has(name)
      ? `${name}: (redacted)`
      : `${name}: ${json(view, rec?.[name] ?? null)} → ${json(view, patch[name])}`
  ).join(", ");
}
