import type { Controller } from "../controller/controller.ts";
import { type ComponentChild, h, render } from "../deps/preact.ts";
import { Ledger } from "./ledger.ts";
import { answers, changes, type Choice, pending, records, secretsOf, type Tab, TABS, type View } from "./views.ts";

/** The least ms between two drawings, so that a busy store does not make the page slow. */
const REST = 250;
const VIEWS = { Records: records, Answers: answers, Changes: changes, Pending: pending };

/** The panel in the page. It draws everything from the choice and the store, and keeps no state in components. */
export class Panel {
  readonly #host: HTMLElement = document.createElement("rejoin-inspector");
  readonly #root: ShadowRoot = this.#host.attachShadow({ mode: "open" });
  readonly #controller: Controller;
  readonly #redact: readonly string[];
  readonly #ledger: Ledger;
  #isOpen: boolean;
  #choice: Choice = { tab: "Records", table: undefined, pk: undefined, key: undefined, prefix: "", most: 100 };
  #lit: Element | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;

  constructor(
    controller: Controller,
    { open = false, redact = [] }: {
      readonly open?: boolean | undefined;
      readonly redact?: readonly string[] | undefined;
    },
  ) {
    this.#controller = controller;
    this.#redact = redact;
    this.#isOpen = open;
    const { defaultView } = document, sheet = defaultView && new defaultView.CSSStyleSheet();
    if (sheet) {
      sheet.replaceSync(STYLE);
      this.#root.adoptedStyleSheets = [sheet];
    }
    this.#ledger = new Ledger(controller, () => this.#drawSoon(), () => this.remove());
    document.body.append(this.#host);
    this.#draw();
  }
  remove(): void {
    clearTimeout(this.#timer);
    this.#ledger.stop();
    render(null, this.#root);
    this.#host.remove();
  }

  #drawSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw(), REST);
  }
  #draw(): void {
    clearTimeout(this.#timer);
    this.#isDue = false;
    render(this.#isOpen ? this.#panel() : this.#opener(), this.#root);
    // It draws each second, because data become stale without a change in the store.
    if (this.#isOpen) this.#timer = setTimeout(() => this.#draw(), 1000);
  }
  #open(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#lit = undefined;
    this.#draw();
    this.#root.querySelector<HTMLElement>(isOpen ? "[aria-pressed=true]" : ".opener")?.focus();
  }
  #opener(): ComponentChild {
    return h("button", { type: "button", class: "opener", onClick: () => this.#open(true) }, "Rejoin");
  }
  #panel(): ComponentChild {
    const choose = (choice: Partial<Choice>): void => {
      this.#choice = { ...this.#choice, ...choice };
      this.#draw();
    };
    const view: View = {
      controller: this.#controller,
      ledger: this.#ledger,
      choice: this.#choice,
      secrets: secretsOf(this.#controller, this.#redact),
      choose,
      light: (place) => {
        this.#lit = place;
        this.#draw();
      },
    };
    const tab = (name: Tab) =>
      h("button", {
        type: "button",
        onClick: () => choose({ tab: name }),
        "aria-pressed": `${name === this.#choice.tab}`,
      }, name);
    return h(
      "section",
      {
        class: "panel",
        "aria-label": "Rejoin",
        onKeyDown: ({ key }: KeyboardEvent) => key === "Escape" && this.#open(false),
      },
      h(
        "header",
        null,
        TABS.map(tab),
        h("button", { type: "button", class: "close", "aria-label": "Close", onClick: () => this.#open(false) }, "×"),
      ),
      h("main", { key: this.#choice.tab }, VIEWS[this.#choice.tab](view)),
      this.#box(),
    );
  }
  /** An outline around the element of the run that is pointed at. */
  #box(): ComponentChild {
    const box = this.#lit?.isConnected && this.#lit.getBoundingClientRect();
    if (!box) return null;
    const { left, top, width, height } = box;
    return h("div", {
      class: "light",
      style: { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` },
    });
  }
}

/** The shadow root adopts this sheet, because a strict Content-Security-Policy forbids style elements. */
export const STYLE = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; font: 12px/1.4 system-ui, sans-serif; }
.panel, .opener { color: light-dark(#1c2330, #e7eaf0); background: light-dark(#fff, #171b23); }
.panel { position: fixed; inset: auto 0 0 0; z-index: 2147483646; display: flex; flex-direction: column;
  height: min(33vh, 420px); border-top: 2px solid light-dark(#1552c8, #8ab4ff); }
header, nav, form { display: flex; flex-wrap: wrap; gap: 4px; padding: 4px 8px; align-items: center; }
header { border-bottom: 1px solid light-dark(#d8dde6, #333b4a); flex-wrap: nowrap; overflow-x: auto; }
header .close { margin-left: auto; }
main { overflow: auto; flex: 1; }
button, input { color: inherit; background: light-dark(#f3f5f8, #1f2530); border: 1px solid light-dark(#8a94a6, #5b6577);
  border-radius: 4px; padding: 2px 7px; min-height: 24px; }
button { cursor: pointer; text-align: start; overflow-wrap: anywhere; }
button[aria-pressed="true"], button[aria-expanded="true"] { color: light-dark(#fff, #171b23);
  background: light-dark(#1552c8, #8ab4ff); }
:focus-visible { outline: 2px solid light-dark(#1552c8, #8ab4ff); outline-offset: 1px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 2px 8px; overflow-wrap: anywhere; }
th { font-weight: 600; }
tbody tr { border-top: 1px solid light-dark(#e4e8ee, #2a313d); }
pre { margin: 4px 8px; white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
.opener { position: fixed; right: 12px; bottom: 12px; z-index: 2147483646; }
.light { position: fixed; z-index: 2147483645; pointer-events: none; border: 2px solid light-dark(#8a2294, #eb9bf2); }
`;
