import { clock } from "../deps/clock.ts";
import { mountedComponent, watchRenders } from "../preact/mounted.ts";
import { boxOf, element, setItems, setText } from "./_dom.ts";
import type { Place } from "./_places.ts";

/** So many outlines are drawn at once, and looked for among so many components that ran. */
const MOST_DRAWN = 150;
const MOST_LOOKED_AT = 1_000;
/** How long components are gathered, how long an outline is seen, and how often lit places are looked for, in ms. */
const GATHER = 50;
const SEEN = 900;
const FOLLOW = 120;

interface Outline {
  readonly id: number;
  readonly name: string;
  readonly box: DOMRect;
  readonly until: number;
}

/** Draws over the page: outlines of components as they run, and places that light up. It takes no pointer. */
export class Boxes {
  readonly element: HTMLElement;
  readonly #outlines: HTMLElement;
  readonly #lit: HTMLElement;
  readonly #ran: (count: number) => void;
  #gathered = new Map<object, number>();
  #drawn: Outline[] = [];
  #lastId = 0;
  #stopWatching: (() => void) | undefined;
  #stopTimer: (() => void) | undefined;
  #stopFollowing: (() => void) | undefined;
  #places: readonly Place[] = [];

  /** @param ran Is told how many components ran. */
  constructor(ran: (count: number) => void) {
    this.#ran = ran;
    this.#outlines = element("div");
    this.#lit = element("div");
    this.element = element("div", { class: "over", "aria-hidden": "true" }, this.#outlines, this.#lit);
  }

  /** Whether components are outlined as they run. */
  get isOutlining(): boolean {
    return this.#stopWatching !== undefined;
  }

  /** Begins to outline components, or ends it. */
  outline(isOn: boolean): void {
    if (isOn === this.isOutlining) return;
    this.#stopWatching?.();
    this.#stopWatching = isOn ? watchRenders((component) => this.#gather(component)) : undefined;
    if (!isOn) this.#clear();
  }

  /** Lights places up, and follows them while the page scrolls. */
  light(places: readonly Place[]): void {
    this.#places = places;
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#lightAgain();
  }

  /** Nothing of it goes on. */
  stop(): void {
    this.outline(false);
    this.light([]);
  }

  #lightAgain(): void {
    const boxes = this.#places.flatMap(({ name, nodes }, id) => {
      const box = boxOf(nodes);
      return box === undefined ? [] : [{ id, name, box }];
    });
    setItems(this.#lit, boxes, ({ id }) => id, () => boxElement("lit"), draw);
    if (this.#places.length > 0) this.#stopFollowing = clock.setTimeout(() => this.#lightAgain(), FOLLOW);
  }

  #gather(component: object): void {
    if (this.#gathered.size === 0) this.#showIn(GATHER);
    this.#gathered.set(component, (this.#gathered.get(component) ?? 0) + 1);
  }

  #showIn(ms: number): void {
    this.#stopTimer?.();
    this.#stopTimer = clock.setTimeout(() => this.#show(), ms);
  }

  #show(): void {
    this.#stopTimer = undefined;
    const now = clock.monotonic();
    const gathered = this.#gathered;
    this.#gathered = new Map();
    this.#drawn = this.#drawn.filter(({ until }) => until > now);
    let looked = 0;
    for (const [ran, times] of gathered) {
      if (this.#drawn.length >= MOST_DRAWN || looked++ >= MOST_LOOKED_AT) break;
      const component = mountedComponent(ran);
      const box = component && boxOf(component.nodes());
      if (box === undefined || !isSeen(box)) continue;
      const name = times === 1 ? component!.name : `${component!.name} ×${times}`;
      this.#drawn.push({ id: ++this.#lastId, name, box, until: now + SEEN });
    }
    if (gathered.size > 0) this.#ran(gathered.size);
    setItems(this.#outlines, this.#drawn, ({ id }) => id, () => boxElement("ran"), draw);
    if (this.#drawn.length > 0) this.#showIn(SEEN / 4);
  }

  #clear(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#gathered.clear();
    this.#drawn = [];
    setItems(this.#outlines, this.#drawn, ({ id }) => id, () => boxElement("ran"));
  }
}

function boxElement(kind: string): HTMLElement {
  return element("div", { class: `box ${kind}` }, element("span"));
}

/** By the object model: a strict policy forbids the attribute. */
function draw(made: HTMLElement, { name, box }: { readonly name: string; readonly box: DOMRect }): void {
  const { style } = made;
  style.transform = `translate(${box.left}px, ${box.top}px)`;
  style.width = `${box.width}px`;
  style.height = `${box.height}px`;
  setText(made.firstElementChild!, name);
}

function isSeen({ left, top, right, bottom }: DOMRect): boolean {
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
