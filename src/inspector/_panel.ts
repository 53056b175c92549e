import type { Controller, Part } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { TimeTravel } from "../managers/time_travel.ts";
import { History, historyOf } from "../parts/explain/history.ts";
import { lookOn } from "../parts/recording/look_on.ts";
import { Boxes } from "./_boxes.ts";
import type { Desk, Tab } from "./_desk.ts";
import { button, element, setAttribute, setText } from "./_dom.ts";
import { Ledger } from "./_ledger.ts";
import type { Thing } from "./_neighbours.ts";
import { stateAt } from "./_past.ts";
import { placesOf } from "./_places.ts";
import { RequestsTab, Strip } from "./_requests_tab.ts";
import { StoreTab } from "./_store_tab.ts";
import { STYLE } from "./_style.ts";
import { counted } from "./_text.ts";
import { TimeTab } from "./_time_tab.ts";

/** How often the panel is brought up to date at most, and how often ages are, in ms. */
const OFTEN = 120;
const SELDOM = 1_000;
/** What it takes is at most such a part of the time: of a tenth, the page keeps nine. */
const SHARE = 0.1;

/** How an inspector begins. */
export interface InspectOptions {
  /** The panel is open at once. Defaults to `false`: a button in the corner opens it. */
  readonly open?: boolean | undefined;
  /** Components of Preact are outlined as they run. Defaults to `false`: a switch in the panel does it. */
  readonly outlines?: boolean | undefined;
}

/** The panel of one controller, with all that it has begun. */
export class Panel implements Desk, Part {
  readonly controller: Controller;
  readonly ledger: Ledger;
  past: Desk["past"];
  readonly #host: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #panel: HTMLElement;
  readonly #strip = new Strip();
  readonly #store: StoreTab;
  readonly #tabs: readonly Tab[];
  readonly #heads: readonly HTMLButtonElement[];
  readonly #outlines: HTMLInputElement;
  readonly #ran = element("output", { class: "ran" });
  readonly #banner: HTMLElement;
  readonly #boxes = new Boxes((count) => setText(this.#ran, `${counted(count, "component")} ran`));
  readonly #travel: TimeTravel;
  readonly #leave: readonly (() => void)[];
  #stopLooking: (() => void) | undefined;
  #tab: Tab;
  #stopTimer: (() => void) | undefined;
  #isDue = false;
  /** How long it took the last time, in ms. */
  #took = 0;
  #isGone = false;

  constructor(controller: Controller, { open = false, outlines = false }: InspectOptions) {
    this.controller = controller;
    this.#travel = new TimeTravel(controller);
    this.ledger = new Ledger(controller, () => this.#soon());
    this.#store = new StoreTab(this);
    this.#tabs = [new RequestsTab(this), this.#store, new TimeTab(this)];
    this.#tab = this.#tabs[0]!;
    this.#heads = this.#tabs.map((tab, at) => {
      const attributes = { role: "tab", id: `tab${at}`, "aria-controls": `panel${at}` };
      return button(attributes, () => this.#turnTo(tab), tab.name);
    });
    const bodies = this.#tabs.map(({ element: body }, at) =>
      element("div", { role: "tabpanel", id: `panel${at}`, "aria-labelledby": `tab${at}`, class: "body" }, body)
    );
    this.#outlines = element("input", { type: "checkbox" });
    this.#outlines.addEventListener("change", () => this.#outline(this.#outlines.checked));
    const now = button({}, () => this.lookAt(undefined), "Now");
    this.#banner = element("p", { class: "banner" }, element("span"), now);
    const tabs = element("div", { role: "tablist", "aria-label": "Inspector" }, ...this.#heads);
    tabs.addEventListener("keydown", (event) => this.#moveTab(event));
    this.#panel = element(
      "section",
      { class: "panel", "aria-label": "Rejoin inspector" },
      element(
        "header",
        {},
        element("strong", {}, "Rejoin"),
        tabs,
        this.#ran,
        element("label", {}, this.#outlines, "Outlines"),
        button({ class: "close", "aria-label": "Close the inspector" }, () => this.#open(false), "×"),
      ),
      this.#strip.element,
      this.#banner,
      ...bodies,
    );
    this.#panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#open(false);
    });
    const dot = element("span", { class: "dot" });
    this.#button = button({ class: "opener" }, () => this.#open(true), dot, element("span"));
    this.#host = document.createElement("rejoin-inspector");
    const root = this.#host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#boxes.element, this.#button, this.#panel);
    // Beside the body: an app may render into it.
    document.documentElement.append(this.#host);
    const { store } = controller;
    this.#leave = [
      store.join(this as Part),
      store.join(this.ledger),
      ...historyOf(controller) === undefined ? [store.join(new History())] : [],
    ];
    this.#outline(outlines);
    this.#turnTo(this.#tab);
    this.#open(open, false);
  }

  get isOnPage(): boolean {
    return this.#travel.isAway;
  }

  get refusal(): string {
    const isTaken = !this.isOnPage && this.controller.store.parts.some((part) => (part as Part).perform !== undefined);
    return isTaken ? "The store is being recorded or replayed: stop that first" : "";
  }

  /** Nothing of it remains. */
  remove(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.showOnPage(false);
    for (const leave of this.#leave) leave();
    this.#stopTimer?.();
    this.#boxes.stop();
    this.#host.remove();
  }

  /** The controller stops. */
  cleanup(): void {
    this.remove();
  }

  lookAt(id: number | undefined): void {
    if (this.isOnPage) this.showOnPage(false);
    const { moments } = this.ledger;
    const index = id === undefined ? -1 : moments.findIndex((moment) => moment.id === id);
    const moment = moments[index];
    this.past = moment && { id: moment.id, at: moment.at, state: stateAt(this.controller, moments, index) };
    this.show();
  }

  showOnPage(isOn: boolean): void {
    if (isOn === this.isOnPage || (isOn && (this.past === undefined || this.refusal !== ""))) return;
    if (isOn) {
      this.ledger.rest(true);
      this.#stopLooking = lookOn(this.controller, { perform: (action, next) => this.#travel.handle(action, next) });
      this.#travel.show(this.past!.state);
    } else {
      // What is mounted asks again as soon as it is told: it must be let through by then.
      const { present } = this.#travel;
      this.#travel.settle(present);
      this.#stopLooking?.();
      this.ledger.rest(false);
      this.#travel.refresh();
    }
    if (!this.#isGone) this.show();
  }

  point(thing: Thing | undefined): void {
    this.#boxes.light(thing === undefined ? [] : placesOf(this.controller, thing, document));
  }

  open(thing: Thing): void {
    this.#boxes.light([]);
    this.#turnTo(this.#store);
    this.#store.open(thing);
  }

  show(): void {
    this.#isDue = false;
    const { inFlight, requests } = this.ledger;
    const failed = requests.filter(({ state }) => state === "failed").length;
    const words = ["Rejoin"];
    if (inFlight > 0) words.push(`${inFlight} in flight`);
    if (failed > 0) words.push(`${failed} failed`);
    if (this.past !== undefined) words.push("in the past");
    setText(this.#button.lastElementChild!, words.join(" · "));
    setAttribute(this.#button, "class", `opener ${inFlight > 0 ? "busy" : failed > 0 ? "failed" : ""}`.trim());
    if (this.#panel.hidden) return;
    this.#strip.show(this);
    this.#banner.hidden = this.past === undefined;
    const where = this.isOnPage ? "The page shows the past; nothing is sent or stored." : "You look at the past.";
    setText(this.#banner.firstElementChild!, where);
    this.#tab.show();
    // What was pointed at may be gone: nobody is told that the pointer has left it.
    if (this.#panel.querySelector(":is(tbody tr, .thing):is(:hover, :focus)") === null) this.#boxes.light([]);
  }

  /** Brings it up to date before long, however much happens. */
  #soon(): void {
    if (this.#isDue || this.#isGone) return;
    this.#isDue = true;
    this.#showIn(OFTEN);
  }

  #showIn(ms: number): void {
    this.#stopTimer?.();
    this.#stopTimer = clock.setTimeout(() => {
      this.#stopTimer = undefined;
      const startedAt = clock.monotonic();
      this.show();
      this.#took = clock.monotonic() - startedAt;
      if (!this.#panel.hidden || this.ledger.inFlight > 0) this.#showIn(SELDOM);
    }, Math.max(ms, this.#took / SHARE));
  }

  #open(isOpen: boolean, takesFocus = true): void {
    this.#panel.hidden = !isOpen;
    this.#button.hidden = isOpen;
    if (!isOpen) this.#boxes.light([]);
    this.show();
    if (isOpen) this.#showIn(SELDOM);
    if (takesFocus) (isOpen ? this.#heads[this.#tabs.indexOf(this.#tab)]! : this.#button).focus();
  }

  #outline(isOn: boolean): void {
    this.#outlines.checked = isOn;
    this.#boxes.outline(isOn);
    this.#ran.hidden = !isOn;
  }

  #turnTo(tab: Tab): void {
    this.#tab = tab;
    this.#tabs.forEach(({ element: body }, at) => {
      const isHere = this.#tabs[at] === tab;
      setAttribute(this.#heads[at]!, "aria-selected", String(isHere));
      setAttribute(this.#heads[at]!, "tabindex", isHere ? "0" : "-1");
      body.parentElement!.hidden = !isHere;
    });
    this.show();
  }

  #moveTab(event: KeyboardEvent): void {
    const at = this.#tabs.indexOf(this.#tab);
    const { length } = this.#tabs;
    const to: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % length,
      ArrowLeft: (at + length - 1) % length,
      Home: 0,
      End: length - 1,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#turnTo(this.#tabs[next]!);
    this.#heads[next]!.focus();
  }
}
