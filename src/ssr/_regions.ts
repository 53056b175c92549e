/** A part of the page that may wait by itself: what an `AsyncBoundary` holds, or what is in none. */
export class Region {
  /** Names it among those of other renderings, too, as far as what is around it was rendered whole. */
  readonly key: string;
  /** What is around it; `undefined`: it is the whole page. */
  readonly around: Region | undefined;
  /** What the components in it have thrown to wait for. */
  readonly waits: PromiseLike<unknown>[] = [];
  /** Something is shown in it that a request in flight will change. */
  isChanging = false;
  /** It shows its fallback, in place of what waits. */
  isFallback = false;
  /** How many are in it. */
  inner = 0;
  /** Stands in the text before it. */
  readonly start: string;
  /** Stands in the text after it. */
  readonly end: string;
  /** Which of the boundaries it is that are to be hydrated; what stands in place of an error is made anew. */
  order = -1;

  constructor(around: Region | undefined, token: string) {
    this.around = around;
    this.key = around === undefined ? "0" : `${around.key}.${around.inner++}`;
    this.start = `${token}${this.key}(`;
    this.end = `${token}${this.key})`;
  }

  /** Nothing in it waits or will change, but what is in regions of its own. */
  get isSettled(): boolean {
    return this.waits.length === 0 && !this.isChanging;
  }

  /** Something in it waits, and it does not show that yet. */
  get mustFallBack(): boolean {
    return this.waits.length > 0 && !this.isFallback;
  }
}

/** The regions of one rendering of a page. */
export class Regions {
  /** What was rendered, with marks where regions begin and end. */
  html = "";
  /** What components wait for. */
  readonly waits: PromiseLike<unknown>[] = [];
  /** What will change what was rendered, whether somebody waits for it or not. */
  readonly flights: PromiseLike<unknown>[] = [];
  /** The whole page. */
  readonly page: Region;
  /** By key. */
  readonly all: Map<string, Region> = new Map();
  /** Of each boundary, in the order in which they are made, whether it shows its fallback: 1 or 0. */
  readonly late: number[] = [];
  /** What is rendered just now. */
  current: Region;
  readonly #token: string;

  /** @param token Nothing that is rendered has it. */
  constructor(token: string) {
    this.#token = token;
    this.page = this.current = new Region(undefined, token);
    this.all.set(this.page.key, this.page);
  }

  /** A boundary is made. */
  open(): Region {
    const region = new Region(this.current, this.#token);
    this.all.set(region.key, region);
    return region;
  }

  /** It is one that the browser hydrates. */
  count(region: Region): void {
    region.order = this.late.push(0) - 1;
  }

  enter(region: Region): void {
    this.current = region;
  }

  leave({ around }: Region): void {
    this.current = around!;
  }

  /** Its content is given up: what was opened in it is not on the page. */
  fallBack(region: Region): void {
    region.isFallback = true;
    region.inner = 0;
    if (region.order >= 0) {
      this.late.length = region.order + 1;
      this.late[region.order] = 1;
    }
    const inside = `${region.key}.`;
    for (const key of this.all.keys()) if (key.startsWith(inside)) this.all.delete(key);
  }

  /** Returns how to give up what is asked for in a region from now on: an error has taken the place of what waits there. */
  note(region: Region): () => void {
    const lists = [region.waits, this.waits, this.flights].map((list) => [list, list.length] as const);
    const { isChanging } = region;
    return () => {
      for (const [list, length] of lists) list.length = length;
      region.isChanging = isChanging;
    };
  }

  /** What a component renders; nothing where it throws a promise. */
  unlessItWaits<T>(render: () => T): T | null {
    try {
      return render();
    } catch (thrown) {
      if (!isThenable(thrown)) throw thrown;
      this.waits.push(thrown);
      this.current.waits.push(thrown);
      return null;
    }
  }

  /** A request in flight will change what is rendered just now. */
  change(flight: PromiseLike<unknown>): void {
    this.current.isChanging = true;
    this.flights.push(flight);
  }

  /** The marks in what was rendered: the key of a region, and whether it begins or ends. */
  get pattern(): RegExp {
    return new RegExp(`${this.#token}([\\d.]+)([()])`, "g");
  }

  /** What was rendered, without the marks. */
  get plainHtml(): string {
    return this.html.replace(this.pattern, "");
  }
}

function isThenable(thrown: unknown): thrown is PromiseLike<unknown> {
  return typeof (thrown as { readonly then?: unknown } | null | undefined)?.then === "function";
}
