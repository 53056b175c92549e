import { button, element, setAttribute, setItems, setText } from "./_dom.ts";
import { counted, number } from "./_text.ts";

/** So many rows are shown at first, and more each time somebody asks. */
const STEP = 100;
/** So many rows a page up or down is. */
const PAGE = 10;

/** One column. */
export interface Column<T> {
  readonly name: string;
  text(item: T): string;
  /** What the cell is marked with, for its colour. */
  mark?(item: T): string;
}

/** How a grid works. */
export interface GridOptions<T> {
  readonly label: string;
  /** What one row is called: `"record"`. */
  readonly noun: string;
  readonly columns: readonly Column<T>[];
  idOf(item: T): string | number;
  select(item: T): void;
  /** The pointer or the focus is on a row; `undefined`: it has left. */
  point?(item: T | undefined): void;
  /** Somebody wants to see more rows. */
  more(): void;
}

/** A table of which one row can be chosen: by a click, or by arrow keys and Enter. */
export class Grid<T> {
  readonly element: HTMLElement;
  /** So many rows are to be shown at most. */
  most: number = STEP;
  /** The id of the row that is chosen. */
  chosen: string | number | undefined = undefined;
  readonly #options: GridOptions<T>;
  readonly #table: HTMLElement;
  readonly #body: HTMLElement;
  readonly #more: HTMLButtonElement;
  readonly #empty: HTMLElement;
  readonly #items = new WeakMap<Element, T>();

  constructor(options: GridOptions<T>) {
    this.#options = options;
    const heads = options.columns.map(({ name }) => element("th", { scope: "col" }, name));
    this.#body = element("tbody");
    this.#table = element(
      "table",
      { role: "grid", "aria-label": options.label },
      element("thead", {}, element("tr", {}, ...heads)),
      this.#body,
    );
    this.#more = button({ class: "more" }, () => {
      this.most += STEP;
      options.more();
    });
    this.#empty = element("p", { class: "none" });
    this.element = element("div", { class: "grid" }, this.#table, this.#empty, this.#more);
    this.#body.addEventListener("click", ({ target }) => this.#choose(rowOf(target)));
    this.#body.addEventListener("keydown", (event) => this.#move(event));
    for (const type of ["pointerover", "focusin"]) {
      this.#body.addEventListener(type, ({ target }) => options.point?.(this.#items.get(rowOf(target)!)));
    }
    for (const type of ["pointerleave", "focusout"]) {
      this.#body.addEventListener(type, () => options.point?.(undefined));
    }
  }

  /** Back to the first rows. */
  reset(): void {
    this.most = STEP;
    this.chosen = undefined;
  }

  /**
   * Shows rows.
   *
   * @param items Those that are shown.
   * @param count How many there are in all.
   */
  show(items: readonly T[], count: number): void {
    const { columns, idOf, noun } = this.#options;
    setItems(this.#body, items, idOf, (item) => {
      const row = element("tr", {}, ...columns.map(() => element("td")));
      this.#items.set(row, item);
      return row;
    }, (row, item) => {
      this.#items.set(row, item);
      columns.forEach(({ text, mark }, at) => {
        const cell = row.children[at]!;
        setText(cell, text(item));
        if (mark !== undefined) setAttribute(cell, "class", mark(item));
      });
      setAttribute(row, "aria-selected", String(idOf(item) === this.chosen));
    });
    const rows = [...this.#body.children] as HTMLElement[];
    // One of them is in the order of Tab: the one that has the focus, or is chosen, or the first.
    const root = this.#body.getRootNode() as ShadowRoot;
    const stop = rows.find((row) => row === root.activeElement) ??
      rows.find((row) => row.getAttribute("aria-selected") === "true") ?? rows[0];
    for (const row of rows) setAttribute(row, "tabindex", row === stop ? "0" : "-1");
    setAttribute(this.#table, "aria-rowcount", String(count + 1));
    this.#table.hidden = count === 0;
    this.#empty.hidden = count > 0;
    setText(this.#empty, `No ${noun}s.`);
    const hidden = count - rows.length;
    this.#more.hidden = hidden <= 0;
    setText(this.#more, `${number(Math.min(STEP, hidden))} more of ${counted(hidden, noun)}`);
  }

  /** Puts the focus on the row that is chosen, or on the first. */
  focus(): void {
    (this.#body.querySelector<HTMLElement>("[tabindex='0']") ?? this.#more).focus();
  }

  #choose(row: HTMLElement | undefined): void {
    const item = row && this.#items.get(row);
    if (item === undefined) return;
    row!.focus();
    this.chosen = this.#options.idOf(item);
    this.#options.select(item);
  }

  #move(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    if (row === undefined) return;
    const rows = [...this.#body.children] as HTMLElement[];
    const at = rows.indexOf(row);
    const to: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: rows.length - 1,
    };
    const next = to[event.key];
    if (event.key === "Enter" || event.key === " ") this.#choose(row);
    else if (next === undefined) return;
    else {
      for (const other of rows) setAttribute(other, "tabindex", "-1");
      const reached = rows[Math.max(0, Math.min(rows.length - 1, next))]!;
      setAttribute(reached, "tabindex", "0");
      reached.focus();
    }
    event.preventDefault();
  }
}

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  return (target as Element | null)?.closest<HTMLElement>("tbody > tr") ?? undefined;
}
