import type { Answer } from "../store/answers.ts";

/** A part of the page that may wait by itself: what one `AsyncBoundary` holds, or what is in none. */
export class Region {
  /** What its components have thrown to wait for. */
  readonly waits: PromiseLike<unknown>[] = [];
  /** What they have read. */
  readonly reads: Answer[] = [];
  /** It shows its fallback, in place of what waits. */
  isFallback = false;
  /** How many regions are right in it. */
  inner = 0;
  /** @param key Names it in all renderings, as far as what is around it is rendered alike. */
  constructor(readonly key: string, readonly around: Region | undefined) {}

  /** What will change it. */
  get awaited(): PromiseLike<unknown>[] {
    return [...this.waits, ...this.reads.flatMap(({ flight }) => flight?.promise ?? [])];
  }
}

/** The regions of one rendering, and what it wrote. */
export class Regions {
  /** What was rendered, with marks where regions begin and end. */
  html = "";
  readonly page: Region = new Region("0", undefined);
  readonly all: Map<string, Region> = new Map([["0", this.page]]);
  /** What components threw that is no promise. */
  readonly thrown: Set<unknown> = new Set();
  /** What is rendered just now. */
  current: Region = this.page;
  /** @param token Nothing that is rendered has it. */
  constructor(readonly token: string) {}

  open(): Region {
    const { current } = this, region = new Region(`${current.key}.${current.inner++}`, current);
    this.all.set(region.key, region);
    return region;
  }
  /** Takes back what a region has noted since it had so much: what that came out of is not on the page. */
  giveUp(region: Region, waits: number, reads: number, inner: number): void {
    region.waits.length = waits;
    region.reads.length = reads;
    for (; region.inner > inner; region.inner--) {
      const key = `${region.key}.${region.inner - 1}`;
      for (const name of this.all.keys()) if (name === key || name.startsWith(`${key}.`)) this.all.delete(name);
    }
    this.current = region;
  }
  mark({ key }: Region, isEnd: boolean): string {
    return `${this.token}${key}${isEnd ? ")" : "("}`;
  }
  /** What will change the page. */
  get awaited(): PromiseLike<unknown>[] {
    return [...this.all.values()].flatMap(({ awaited }) => awaited);
  }
  /** By region, what was rendered in it: text, and the keys of the regions in it, by turns. */
  get parts(): Map<string, string[]> {
    const parts = new Map<string, string[]>(), open: string[][] = [];
    let inner: string[] = [];
    parts.set("0", inner);
    const [first = "", ...pieces] = this.html.split(this.#marks);
    inner.push(first);
    for (let at = 0; at < pieces.length; at += 3) {
      const key = pieces[at]!;
      if (pieces[at + 1] === "(") {
        inner.push(key);
        open.push(inner);
        parts.set(key, inner = []);
      } else inner = open.pop()!;
      inner.push(pieces[at + 2]!);
    }
    return parts;
  }
  /** What was rendered, without marks. */
  get plainHtml(): string {
    return this.html.replace(this.#marks, "");
  }
  get #marks(): RegExp {
    return new RegExp(`${this.token}([\\d.]+)([()])`, "g");
  }
}
