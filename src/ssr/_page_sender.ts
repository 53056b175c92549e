import type { PageRun } from "./_page_run.ts";
import { RegionHtml } from "./_region_html.ts";
import type { StateWriter } from "./_state_writer.ts";
import { swapEnd, swapPiece, swapScript } from "./_swap_script.ts";

/** Writes a page part by part: what is there, then what has taken its place, each with its data. */
export class PageSender {
  readonly #run: PageRun;
  readonly #document: (html: string) => string;
  readonly #state: StateWriter;
  readonly #nonce: string;
  /** Nobody who writes a text for the page knows it. */
  readonly #mark = `${[...crypto.getRandomValues(new Uint32Array(2))].join("x")}:`;
  readonly #html = new RegionHtml(this.#mark);
  /** The end of the document, as long as there is something to come before it. */
  #end = "";
  #hasMarks = false;

  constructor(run: PageRun, document: (html: string) => string, state: StateWriter, nonce: string) {
    this.#run = run;
    this.#document = document;
    this.#state = state;
    this.#nonce = nonce;
  }

  /** The document, with what is there. */
  first(isLast: boolean): string {
    const { regions } = this.#run;
    this.#hasMarks = !isLast;
    this.#html.take(regions);
    const whole = this.#document(isLast ? regions.plainHtml : this.#html.send(regions.page.key));
    const at = [...whole.matchAll(/<\/body>/gi)].at(-1)?.index ?? -1;
    this.#end = at < 0 ? "" : whole.slice(at);
    const start = at < 0 ? whole : whole.slice(0, at);
    return isLast ? start : start + swapScript(this.#nonce) + this.#state.next();
  }

  /** What the last rendering has brought; the empty text where that is nothing which could be shown. */
  next(): string {
    const { all } = this.#run.regions;
    return this.#changes((key) => all.get(key)?.isSettled === true);
  }

  /** All that is left, and the end of the document. */
  last(): string {
    const { late } = this.#run.regions;
    if (!this.#hasMarks) return this.#state.next(late) + this.#end;
    return this.#changes(() => true) + this.#state.next(late) + swapEnd(this.#mark, this.#nonce) + this.#end;
  }

  #changes(maySend: (key: string) => boolean): string {
    const { regions } = this.#run;
    this.#html.take(regions);
    const pieces = [...this.#html.changed(regions.page.key, maySend)].map((key) =>
      swapPiece(this.#html.sendContent(key), this.#mark, key, this.#nonce)
    );
    // The data before what shows it: what has been cut off then lacks nothing.
    return pieces.length === 0 ? "" : this.#state.next() + pieces.join("");
  }
}
