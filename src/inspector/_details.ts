import { reasonOf } from "../errors/reason.ts";
import { explain, type Explanation } from "../parts/explain/explain.ts";
import { redactedInAll } from "../parts/secrets/redacted_by.ts";
import { REDACTED } from "../parts/secrets/redact_text.ts";
import type { Desk } from "./_desk.ts";
import { button, element, setItems, setText } from "./_dom.ts";
import { idOf, neighboursOf, type Thing, type Things, titleOf } from "./_neighbours.ts";
import { answersOf, recordInWords } from "./_records.ts";
import { cut, textOf, timeText } from "./_text.ts";

/** So many members of a record are shown. */
const MOST_MEMBERS = 60;

/** One member, or one fact. */
interface Fact {
  readonly name: string;
  readonly text: string;
}

/** One record, list or answer: why it is as it is, what it holds, what it refers to, and who holds it. */
export class Details {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #title = element("bdi");
  readonly #words = element("p", { class: "words" });
  readonly #facts = element("dl", { class: "facts" });
  readonly #graph: HTMLElement;
  readonly #above = element("ul", { "aria-label": "Held by" });
  readonly #center = element("bdi", { class: "center" });
  readonly #below = element("ul", { "aria-label": "Refers to" });

  /** @param close Is called when somebody wants back to the table. */
  constructor(desk: Desk, close: () => void) {
    this.#desk = desk;
    this.#graph = element(
      "div",
      { class: "graph", role: "group", "aria-label": "Graph" },
      element("div", {}, element("h4", {}, "Held by"), this.#above),
      element("div", {}, this.#center),
      element("div", {}, element("h4", {}, "Refers to"), this.#below),
    );
    this.element = element(
      "section",
      { class: "details", tabindex: "-1", "aria-label": "Details" },
      element(
        "header",
        {},
        element("h3", {}, this.#title),
        button({ class: "back", "aria-label": "Close the details" }, close, "×"),
      ),
      this.#words,
      this.#graph,
      this.#facts,
    );
  }

  focus(): void {
    this.element.focus();
  }

  show(thing: Thing | undefined): void {
    this.element.hidden = thing === undefined;
    if (thing === undefined) return;
    const { kind, key, pk } = thing;
    const { past, controller } = this.#desk;
    const title = titleOf(controller, thing);
    setText(this.#title, title);
    setText(this.#center, title);
    const secrets = redactedInAll(controller.store);
    this.#graph.hidden = kind === "answer" || past !== undefined;
    if (past !== undefined) {
      const { entities, endpoints } = past.state;
      const value = kind === "answer" ? endpoints[key] : entities[key]?.[pk];
      setText(this.#words, `As it was at ${timeText(past.at)}${value === undefined ? ": not here." : "."}`);
      return this.#showFacts(membersOf(value, secrets));
    }
    if (kind === "answer") return this.#showAnswer(key);
    const table = controller.store.tables.byKey.get(key);
    const slot = table?.slots.get(pk);
    if (table === undefined || slot === undefined) {
      this.#graph.hidden = true;
      setText(this.#words, "It is not here any more.");
      return this.#showFacts([]);
    }
    setText(this.#words, recordInWords(controller, table, pk));
    this.#showFacts(membersOf(slot.rec, secrets));
    const { above, below } = neighboursOf(controller, table, slot);
    this.#showThings(this.#above, above);
    this.#showThings(this.#below, below);
  }

  #showAnswer(key: string): void {
    const note = [...answersOf(this.#desk.controller)].find(({ id }) => id === key);
    if (note === undefined) {
      setText(this.#words, "Nothing is known of it.");
      return this.#showFacts([]);
    }
    const { view, entry } = note;
    const secrets = redactedInAll(this.#desk.controller.store);
    const result = { name: "result", text: textOf(entry?.result, 400, secrets) };
    if (view === undefined) {
      setText(this.#words, "It is kept, and nobody has read it yet: which endpoint it is of is not known.");
      return this.#showFacts([result]);
    }
    const { endpoint, args } = view;
    let found: Explanation;
    try {
      found = explain(this.#desk.controller, endpoint, ...args as never[]);
    } catch (reason) {
      // Code of the app: a key, a schema.
      setText(this.#words, `It cannot be explained: ${reasonOf(reason)}`);
      return this.#showFacts([result]);
    }
    setText(this.#words, `${found.text}.`);
    const { text: _, because, gap, error, fetchedAt, expiresAt, endpoint: name, ...plain } = found;
    this.#showFacts([
      { name: "endpoint", text: name },
      { name: "arguments", text: textOf(args, 400, secrets) },
      ...Object.entries(plain).filter(([name]) => name !== "key").map(([name, value]) => ({
        name,
        text: String(value),
      })),
      { name: "fetched", text: fetchedAt === undefined ? "never" : timeText(fetchedAt) },
      {
        name: "fresh until",
        text: expiresAt === null ? "for ever" : expiresAt === 0 ? "no more" : timeText(expiresAt),
      },
      ...because === undefined ? [] : [{ name: "because of", text: `${because.type} ${because.name ?? ""}`.trim() }],
      ...gap === undefined ? [] : [{ name: "gap", text: textOf(gap, 400) }],
      ...error === undefined ? [] : [{ name: "error", text: `${error.name}: ${error.message}` }],
      result,
    ]);
  }

  #showFacts(facts: readonly Fact[]): void {
    setItems(this.#facts, facts, ({ name }) => name, ({ name }) => {
      return element("div", {}, element("dt", {}, cut(name, 80)), element("dd"));
    }, (item, { text }) => setText(item.lastElementChild!, text));
  }

  #showThings(list: HTMLElement, { things, more }: Things): void {
    const items: readonly (Thing | string)[] = more > 0 ? [...things, `and ${more} more`] : things;
    setItems(list, items, (item) => typeof item === "string" ? item : idOf(item), (item) => {
      if (typeof item === "string") return element("li", {}, item);
      const title = titleOf(this.#desk.controller, item);
      const made = thingButton(this.#desk, item, { class: `thing ${item.kind}`, title: cut(title, 400) });
      if (item.by !== "") made.append(element("small", {}, `${item.by} `));
      made.append(element("bdi", {}, cut(title, 60)));
      return element("li", {}, made);
    });
  }
}

/** A button that opens something, and shows where it stands on the page while it is pointed at. */
export function thingButton(desk: Desk, thing: Thing, attributes: { readonly [name: string]: string }): HTMLElement {
  const made = button(attributes, () => desk.open(thing));
  for (const type of ["pointerenter", "focus"]) made.addEventListener(type, () => desk.point(thing));
  for (const type of ["pointerleave", "blur"]) made.addEventListener(type, () => desk.point(undefined));
  return made;
}

/** The members of a record, or a value as a whole. */
function membersOf(value: unknown, secrets: ReadonlySet<string>): Fact[] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ name: "value", text: textOf(value, 1_000, secrets) }];
  }
  const names = Object.keys(value);
  const facts = names.slice(0, MOST_MEMBERS).map((name) => ({ name, text: memberOf(value, name, secrets) }));
  if (names.length > MOST_MEMBERS) facts.push({ name: "…", text: `${names.length - MOST_MEMBERS} more members` });
  return facts;
}

function memberOf(value: object, name: string, secrets: ReadonlySet<string>): string {
  if (secrets.has(name)) return REDACTED;
  try {
    return textOf((value as Record<string, unknown>)[name], 400, secrets);
  } catch {
    return "?";
  }
}
