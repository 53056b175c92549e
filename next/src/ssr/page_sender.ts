import type { Regions } from "./regions.ts";
import { swapEnd, swapPiece, swapScript } from "./swap_script.ts";

/** Writes a page part by part: what is there, then what has taken its place. */
export class PageSender {
  /** Begins the comments around regions. What visitors write does not know it. */
  readonly #mark = `${crypto.randomUUID()}:`;
  /** By key, what stands in the document, with the keys of what is in it. */
  readonly #sent = new Map<string, string>();
  #parts = new Map<string, string[]>();
  constructor(readonly nonce: string) {}

  /** All of a page, with marks around its regions. */
  first(regions: Regions): string {
    this.#parts = regions.parts;
    return this.#content("0");
  }
  /** Defines what puts the parts into place. */
  get script(): string {
    return swapScript(this.nonce);
  }
  /** What is not in the document as it was rendered; of what still waits only `isLast`. */
  changes(regions: Regions, isLast: boolean): string {
    this.#parts = regions.parts;
    const maySend = (key: string) => isLast || !regions.all.get(key)?.awaited.length;
    return Array.from(this.#changed("0", maySend), (key) => swapPiece(this.#content(key), this.#mark, key, this.nonce))
      .join("") + (isLast ? swapEnd(this.#mark, this.nonce) : "");
  }
  #content(key: string): string {
    const parts = this.#parts.get(key)!;
    this.#sent.set(key, parts.join("\0"));
    return parts.map((part, at) => at % 2 ? this.#marked(part) : part).join("");
  }
  #marked(key: string): string {
    return `<!--${this.#mark}${key}-->${this.#content(key)}<!--/${this.#mark}${key}-->`;
  }
  /** The outermost regions that are to be sent. What is outside of all stays as it is. */
  *#changed(key: string, maySend: (key: string) => boolean): Generator<string> {
    const parts = this.#parts.get(key)!, isSent = this.#sent.get(key) === parts.join("\0");
    if (isSent || key === "0") {
      for (let at = 1; at < parts.length; at += 2) {
        if (this.#sent.has(parts[at]!)) yield* this.#changed(parts[at]!, maySend);
      }
    } else if (maySend(key)) yield key;
  }
}
