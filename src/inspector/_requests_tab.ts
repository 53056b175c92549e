import { clock } from "../deps/clock.ts";
import type { Desk, Tab } from "./_desk.ts";
import { thingButton } from "./_details.ts";
import { element, setAttribute, setItems, setText } from "./_dom.ts";
import { Grid } from "./_grid.ts";
import type { RequestNote, ShownRecord } from "./_ledger.ts";
import { titleOf } from "./_neighbours.ts";
import { redactedInAll } from "../parts/secrets/redacted_by.ts";
import { REDACTED } from "../parts/secrets/redact_text.ts";
import { counted, cut, keyText, textOf, timeText, tookText } from "./_text.ts";

/** So many requests are in the strip. */
const MOST_IN_STRIP = 30;

const WORDS: { readonly [K in RequestNote["state"]]: string } = {
  waiting: "waits",
  pending: "pending",
  done: "done",
  failed: "failed",
  ended: "given up",
};

/** What became of a request, in words. */
function outcomeOf({ state, isRolledBack, hasLayer, error }: RequestNote): string {
  const words = [WORDS[state]];
  if (isRolledBack) words.push("what it showed fell back");
  else if (hasLayer && (state === "pending" || state === "waiting")) words.push("shows its change already");
  if (error !== "") words.push(error);
  return words.join(" · ");
}

function markOf({ state, isRolledBack, hasLayer }: RequestNote): string {
  return `mark ${isRolledBack ? "rolled-back" : hasLayer && state === "pending" ? "layer" : state}`;
}

function tookOf({ took, startedAt }: RequestNote): string {
  return tookText(took ?? clock.monotonic() - startedAt);
}

/** The last requests side by side, the newest at the right. */
export class Strip {
  readonly element: HTMLElement = element("ol", { class: "strip", "aria-label": "Requests, the newest last" });
  #newest = 0;

  show({ ledger }: Desk): void {
    ledger.refresh();
    const notes = ledger.requests.slice(-MOST_IN_STRIP);
    setItems(this.element, notes, ({ id }) => id, () => {
      return element("li", {}, element("bdi"), element("span", { class: "took" }));
    }, (item, note) => {
      setAttribute(item, "class", markOf(note));
      setAttribute(item, "title", outcomeOf(note));
      setText(item.children[0]!, cut(keyText(note.key), 48));
      setText(item.children[1]!, `${tookOf(note)}, ${WORDS[note.state]}${note.isRolledBack ? ", fell back" : ""}`);
    });
    const newest = notes.at(-1)?.id ?? 0;
    if (newest !== this.#newest) this.element.scrollLeft = this.element.scrollWidth;
    this.#newest = newest;
  }
}

/** The requests, and what pending mutations show. */
export class RequestsTab implements Tab {
  readonly name = "Requests";
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #layers = element("ul", { class: "layers" });
  readonly #layersTitle = element("h3");
  readonly #grid: Grid<RequestNote>;
  readonly #about = element("p", { class: "words" });

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#grid = new Grid({
      label: "Requests",
      noun: "request",
      columns: [
        { name: "Request", text: ({ key }) => keyText(key) },
        { name: "State", text: outcomeOf, mark: markOf },
        { name: "Took", text: tookOf },
        { name: "At", text: ({ at }) => timeText(at) },
      ],
      idOf: ({ id }) => id,
      select: () => this.show(),
      point: (note) => desk.point(note && { kind: "answer", key: note.key, pk: "", by: "" }),
      more: () => this.show(),
    });
    this.element = element(
      "div",
      { class: "requests" },
      element("section", {}, this.#layersTitle, this.#layers),
      this.#about,
      this.#grid.element,
    );
  }

  show(): void {
    const { ledger, controller: { store } } = this.#desk;
    ledger.refresh();
    const { requests } = ledger;
    this.#grid.show(requests.toReversed().slice(0, this.#grid.most), requests.length);
    const chosen = requests.find(({ id }) => id === this.#grid.chosen);
    this.#about.hidden = chosen === undefined;
    setText(this.#about, chosen === undefined ? "" : `${chosen.name}: ${outcomeOf(chosen)}`);
    setText(
      this.#layersTitle,
      store.layers.length === 0 ? "No pending layers" : `${counted(store.layers.length, "pending layer")} shown over:`,
    );
    setItems(this.#layers, ledger.shown, ({ key, pk }) => `${key}\0${pk}`, ({ key, pk }) => {
      const made = thingButton(this.#desk, { kind: "record", key, pk, by: "" }, { class: "thing" });
      return element("li", {}, made);
    }, (item, shown) => setText(item.firstElementChild!, this.#textOf(shown)));
  }

  /** `Film 5: { rating: 4 → 5 }`. */
  #textOf({ key, pk, record }: ShownRecord): string {
    const { store } = this.#desk.controller;
    const slot = store.tables.byKey.get(key)?.slots.get(pk);
    const base = slot && store.baseOf(slot);
    const title = titleOf(this.#desk.controller, { kind: "record", key, pk });
    if (record === undefined) return `${title}: deleted`;
    return base === undefined ? `${title}: new` : `${title}: ${differences(base, record, redactedInAll(store))}`;
  }
}

/** What is different in a record: `rating: 4 → 5`. */
export function differences(
  before: { readonly [member: string]: unknown },
  after: { readonly [member: string]: unknown },
  secrets: ReadonlySet<string>,
): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !Object.is(before[name], after[name]));
  const text = (members: typeof before, name: string) =>
    secrets.has(name) ? REDACTED : textOf(members[name], 40, secrets);
  const changes = names.slice(0, 5).map((name) => `${name}: ${text(before, name)} → ${text(after, name)}`);
  if (names.length > 5) changes.push(`${names.length - 5} more`);
  return changes.join(", ") || "the same";
}
