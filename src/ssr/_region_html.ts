import type { Regions } from "./_regions.ts";

/** What was rendered of one region: text, and the keys of the regions in it, by turns. */
type Parts = readonly string[];

/** What a rendering of a page consists of, region by region, and what of it was sent. */
export class RegionHtml {
  /** By key, what stands in the document, with the keys of what is in it. */
  readonly #sent = new Map<string, string>();
  readonly #mark: string;
  #parts = new Map<string, Parts>();

  /** @param mark What the comments begin with that stand around regions in the document. */
  constructor(mark: string) {
    this.#mark = mark;
  }

  /**
   * Takes a rendering.
   *
   * @param regions Of which page.
   */
  take({ html, page, pattern }: Regions): void {
    const parts = new Map<string, string[]>();
    const open: string[][] = [];
    let inner: string[] = [];
    parts.set(page.key, inner);
    // Text, key, "(" or ")", by turns.
    const pieces = html.split(pattern);
    for (let at = 0; at < pieces.length; at += 3) {
      inner.push(pieces[at]!);
      const [key, sign] = [pieces[at + 1], pieces[at + 2]];
      if (sign === "(") {
        inner.push(key!);
        open.push(inner);
        parts.set(key!, inner = []);
      } else if (sign === ")") inner = open.pop()!;
    }
    this.#parts = parts;
  }

  /** The whole of a region, with marks around it and what is in it. From now on it counts as sent. */
  send(key: string): string {
    return `<!--${this.#mark}${key}-->${this.sendContent(key)}<!--/${this.#mark}${key}-->`;
  }

  /** The same without marks around it. */
  sendContent(key: string): string {
    const parts = this.#parts.get(key)!;
    this.#sent.set(key, parts.join("\0"));
    return parts.map((part, at) => at % 2 === 0 ? part : this.send(part)).join("");
  }

  /** The keys of regions that are not in the document as they were rendered, the outermost ones; of those that may be sent. */
  *changed(key: string, maySend: (key: string) => boolean): Generator<string> {
    const parts = this.#parts.get(key)!;
    if (this.#sent.get(key) === parts.join("\0")) {
      for (let at = 1; at < parts.length; at += 2) yield* this.changed(parts[at]!, maySend);
    } else if (maySend(key)) yield key;
  }
}
