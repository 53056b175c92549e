import type { Controller } from "../controller/controller.ts";
import { redactedInAll } from "../parts/secrets/redacted_by.ts";
import type { Desk, Tab } from "./_desk.ts";
import { button, element, setAttribute, setItems, setText } from "./_dom.ts";
import { Grid } from "./_grid.ts";
import type { Moment } from "./_ledger.ts";
import { nameOf } from "./_name_of.ts";
import { titleOf } from "./_neighbours.ts";
import { differences } from "./_requests_tab.ts";
import { counted, cut, keyText, timeText } from "./_text.ts";

/** So many changes of one commit are spelled out. */
const MOST_CHANGES = 40;

/** The commits, back and forth. Nothing is written by looking. */
export class TimeTab implements Tab {
  readonly name = "Time";
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #slider: HTMLInputElement;
  readonly #back: HTMLButtonElement;
  readonly #forth: HTMLButtonElement;
  readonly #now: HTMLButtonElement;
  readonly #onPage: HTMLButtonElement;
  readonly #title = element("p", { class: "words", role: "status" });
  readonly #changes = element("ul", { class: "changes" });
  readonly #grid: Grid<Moment>;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#slider = element("input", { type: "range", min: "0", step: "1", "aria-label": "Moment" });
    this.#slider.addEventListener("input", () => this.#go(Number(this.#slider.value)));
    this.#back = button(labelled("One commit back"), () => this.#step(-1), "◀");
    this.#forth = button(labelled("One commit on"), () => this.#step(1), "▶");
    this.#now = button(labelled("Back to now"), () => desk.lookAt(undefined), "Now");
    this.#onPage = button({}, () => desk.showOnPage(!desk.isOnPage), "Show on the page");
    this.#grid = new Grid({
      label: "Commits, the newest first",
      noun: "commit",
      columns: [
        { name: "At", text: ({ at }) => timeText(at) },
        { name: "What", text: ({ type, subject }) => subject === "" ? type : `${type} ${cut(keyText(subject), 80)}` },
        { name: "Changed", text: (moment) => summaryOf(desk.controller, moment) },
      ],
      idOf: ({ id }) => id,
      select: ({ id }) => this.#go(this.#indexOf(id)),
      more: () => desk.show(),
    });
    this.element = element(
      "div",
      { class: "time" },
      element("div", { class: "line" }, this.#back, this.#slider, this.#forth, this.#now, this.#onPage),
      this.#title,
      this.#changes,
      this.#grid.element,
    );
  }

  show(): void {
    const { ledger: { moments }, past, isOnPage, refusal } = this.#desk;
    const last = moments.length - 1;
    const at = past === undefined ? last : this.#indexOf(past.id);
    setAttribute(this.#slider, "max", String(Math.max(0, last)));
    if (this.#slider.value !== String(at)) this.#slider.value = String(Math.max(0, at));
    this.#slider.disabled = last < 1 || isOnPage;
    this.#back.disabled = at < 1 || isOnPage;
    this.#forth.disabled = at >= last || isOnPage;
    this.#now.disabled = past === undefined;
    this.#onPage.disabled = past === undefined || (refusal !== "" && !isOnPage);
    setAttribute(this.#onPage, "aria-pressed", String(isOnPage));
    setAttribute(this.#onPage, "title", refusal || "What is in flight is given up, and nothing is sent meanwhile");
    const moment = moments[at];
    const title = moment === undefined
      ? past === undefined ? "Nothing has happened yet." : "This moment is not kept any more."
      : this.#titleOf(moment, last - at);
    setText(this.#title, title);
    setAttribute(this.#slider, "aria-valuetext", title);
    setItems(
      this.#changes,
      moment === undefined ? [] : changesOf(this.#desk.controller, moment),
      ({ id }) => id,
      () => element("li"),
      (item, { text }) => setText(item, text),
    );
    this.#grid.chosen = moment?.id;
    this.#grid.show(moments.toReversed().slice(0, this.#grid.most), moments.length);
  }

  #titleOf({ at, type, subject }: Moment, ago: number): string {
    const { past, isOnPage } = this.#desk;
    const what = `${timeText(at)}, ${type} ${keyText(subject)}`.trim();
    if (past === undefined) return `Now. The last commit was at ${what}.`;
    const where = isOnPage ? "The page shows this moment; nothing is sent or stored meanwhile." : "The page shows now.";
    return `${ago === 0 ? "The last commit" : `${counted(ago, "commit")} ago`}: ${what}. ${where}`;
  }

  #indexOf(id: number): number {
    return this.#desk.ledger.moments.findIndex((moment) => moment.id === id);
  }

  #step(by: number): void {
    const { ledger: { moments }, past } = this.#desk;
    this.#go((past === undefined ? moments.length - 1 : this.#indexOf(past.id)) + by);
  }

  #go(at: number): void {
    const { isOnPage, ledger: { moments } } = this.#desk;
    // The page shows one moment: it has to be left first.
    if (!isOnPage) this.#desk.lookAt(at >= moments.length - 1 ? undefined : moments[Math.max(0, at)]?.id);
  }
}

function labelled(title: string): { readonly [name: string]: string } {
  return { "aria-label": title, title };
}

/** `+Film 5, Film 6 and 3 more · 1 answer`. */
function summaryOf(controller: Controller, { patch: { reset, records, endpoints }, shown }: Moment): string {
  const parts: string[] = [];
  if (reset) parts.push("everything went");
  if (records.length > 0) {
    const named = records.slice(0, 3).map(({ key, pk, before, after }) =>
      `${before === undefined ? "+" : after === undefined ? "−" : ""}${cut(nameOf(controller, key), 30)} ${
        cut(nameOf(controller, pk), 30)
      }`
    );
    parts.push(named.join(", ") + (records.length > 3 ? ` and ${records.length - 3} more` : ""));
  }
  if (endpoints.length > 0) parts.push(counted(endpoints.length, "answer"));
  if (shown.length > 0) parts.push(`${counted(shown.length, "record")} shown by pending mutations`);
  return parts.join(" · ");
}

/** Each change of a commit in words. */
function changesOf(
  controller: Controller,
  { patch: { records, endpoints }, shown }: Moment,
): { readonly id: string; readonly text: string }[] {
  const secrets = redactedInAll(controller.store);
  const title = (key: string, pk: string) => titleOf(controller, { kind: "record", key, pk });
  const texts = [
    ...records.slice(0, MOST_CHANGES).map(({ key, pk, before, after }) => {
      if (after === undefined) return `${title(key, pk)}: gone`;
      return `${title(key, pk)}: ${before === undefined ? "new" : differences(before, after, secrets)}`;
    }),
    ...shown.slice(0, MOST_CHANGES).map(({ key, pk, record }) =>
      `${title(key, pk)}: ${record === undefined ? "shown as deleted" : "shown changed"} by a pending mutation`
    ),
    ...endpoints.slice(0, MOST_CHANGES).map(({ key }) => `answer of ${nameOf(controller, key)}`),
  ];
  const more = records.length + shown.length + endpoints.length - MOST_CHANGES;
  const all = more > 0 ? [...texts.slice(0, MOST_CHANGES), `and ${more} more`] : texts;
  return all.map((text, at) => ({ id: `${at} ${text}`, text: cut(text, 300) }));
}
