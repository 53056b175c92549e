import { Details } from "./_details.ts";
import type { Desk, Tab } from "./_desk.ts";
import { button, element, setAttribute, setItems, setText } from "./_dom.ts";
import { Grid } from "./_grid.ts";
import { nameOf } from "./_name_of.ts";
import { kindOf, type Thing } from "./_neighbours.ts";
import { answerLines, type Line, type Lines, pastLines, recordLines, tablesOf } from "./_records.ts";
import { counted, cut, number } from "./_text.ts";

/** The list of all answers stands among the tables. */
const ANSWERS = "Answers";

/** What is in the list of tables: `key` is `undefined` for the answers. */
interface Shelf {
  readonly key: string | undefined;
  readonly count: number;
  readonly isList: boolean;
}

/** Tables of records with their freshness, answers, and one of them in detail. */
export class StoreTab implements Tab {
  readonly name = "Store";
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #shelves = element("ul", { class: "shelves" });
  readonly #filter: HTMLInputElement;
  readonly #grid: Grid<Line>;
  readonly #details: Details;
  /** Which table is shown; `undefined`: the answers. */
  #key: string | undefined;
  #isChosen = false;
  #chosen: Thing | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#filter = element("input", { type: "search", placeholder: "Filter", "aria-label": "Filter" });
    this.#filter.addEventListener("input", () => this.#again());
    this.#details = new Details(desk, () => {
      this.#choose(undefined);
      this.#grid.focus();
    });
    this.#grid = new Grid({
      label: "Records",
      noun: "record",
      columns: [
        { name: "Key", text: ({ name }) => cut(name, 120) },
        { name: "State", text: ({ freshness }) => freshness, mark: ({ freshness }) => `mark ${freshness}` },
        { name: "Age", text: ({ age }) => age },
        { name: "Expires", text: ({ expires }) => expires },
        { name: "What", text: ({ about }) => about },
      ],
      idOf: ({ id }) => id,
      select: ({ id }) => {
        this.#choose(this.#thingOf(id));
        this.#details.focus();
      },
      point: (line) => desk.point(line && this.#thingOf(line.id)),
      more: () => desk.show(),
    });
    this.element = element(
      "div",
      { class: "store" },
      element("nav", { "aria-label": "Tables" }, this.#shelves),
      element("section", { class: "rows", "aria-label": "Rows" }, this.#filter, this.#grid.element),
      this.#details.element,
    );
  }

  /** Opens a record, a list or an answer. */
  open(thing: Thing): void {
    this.#key = thing.kind === "answer" ? undefined : thing.key;
    this.#isChosen = true;
    this.#filter.value = "";
    this.#grid.reset();
    this.#choose(thing);
    this.#details.focus();
  }

  show(): void {
    const shelves = this.#shelvesOf();
    // The largest table of records is what most people want to see.
    if (!this.#isChosen) {
      const records = shelves.filter(({ key, isList }) => key !== undefined && !isList);
      this.#key = records.sort((a, b) => b.count - a.count)[0]?.key;
    }
    setItems(this.#shelves, shelves, ({ key }) => key ?? "\0", ({ key }) => {
      const choose = () => {
        this.#key = key;
        this.#isChosen = true;
        this.#chosen = undefined;
        this.#again();
      };
      return element("li", {}, button({}, choose, element("bdi"), element("span", { class: "count" })));
    }, (item, { key, count }) => {
      const made = item.firstElementChild!;
      setText(made.children[0]!, key === undefined ? ANSWERS : nameOf(this.#desk.controller, key));
      setText(made.children[1]!, number(count));
      const noun = key === undefined ? "answer" : "record";
      setAttribute(made, "aria-label", `${key ?? ANSWERS}, ${counted(count, noun)}`);
      setAttribute(made, "aria-current", key === this.#key ? "true" : false);
    });
    const { lines, count } = this.#linesOf();
    this.#grid.chosen = this.#chosen === undefined ? undefined : idOf(this.#chosen);
    this.#grid.show(lines, count);
    setAttribute(this.element, "class", this.#chosen === undefined ? "store" : "store has-details");
    this.#details.show(this.#chosen);
  }

  #choose(thing: Thing | undefined): void {
    this.#chosen = thing;
    this.#desk.show();
  }

  #again(): void {
    this.#grid.reset();
    this.#desk.show();
  }

  #shelvesOf(): Shelf[] {
    const { controller, past } = this.#desk;
    if (past !== undefined) {
      const { entities, endpoints } = past.state;
      const shelves: Shelf[] = Object.entries(entities).map(([key, records]) => {
        return { key, count: Object.keys(records).length, isList: kindOf(controller, key) === "list" };
      });
      return [...shelves, { key: undefined, count: Object.keys(endpoints).length, isList: false }];
    }
    return [...tablesOf(controller), { key: undefined, count: answerLines(controller, "", 0).count, isList: false }];
  }

  #linesOf(): Lines {
    const { controller, past } = this.#desk;
    const wanted = this.#filter.value.trim();
    const { most } = this.#grid;
    if (past !== undefined) {
      const { entities, endpoints } = past.state;
      return pastLines(controller, this.#key === undefined ? endpoints : entities[this.#key] ?? {}, wanted, most);
    }
    if (this.#key === undefined) return answerLines(controller, wanted, most);
    return recordLines(controller, this.#key, wanted, most);
  }

  #thingOf(id: string): Thing {
    if (this.#key === undefined) return { kind: "answer", key: id, pk: "", by: "" };
    return { kind: kindOf(this.#desk.controller, this.#key), key: this.#key, pk: id, by: "" };
  }
}

function idOf({ kind, key, pk }: Thing): string {
  return kind === "answer" ? key : pk;
}
