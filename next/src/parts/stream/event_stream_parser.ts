import { readData, type StreamListener } from "./stream_source.ts";

/** What a parser tells: whole events, whose id is the last one that the server has named, and when to reconnect. */
export type EventStreamHandler = Pick<StreamListener, "message" | "retryAfter">;

/**
 * Parses `text/event-stream` as the HTML standard says ("Interpreting an event stream"): lines end in CR, LF or both,
 * wherever chunks are cut; an event that the end of the stream cuts off is dropped, with its id.
 */
export class EventStreamParser {
  readonly #handler: EventStreamHandler;
  readonly #decoder = new TextDecoder();
  /** Pieces of a line that has not ended. A long one is put together once. */
  #pieces: string[] = [];
  /** The last chunk ended in CR: an LF at the start of the next one belongs to it. */
  #endedInCr = false;
  #type = "";
  #data: string[] = [];
  #id: string | undefined;

  constructor(handler: EventStreamHandler, lastEventId: string | undefined) {
    this.#handler = handler;
    this.#id = lastEventId;
  }

  /** Takes a chunk, however it is cut. */
  write(chunk: Uint8Array): void {
    let text = this.#decoder.decode(chunk, { stream: true });
    if (text === "") return;
    if (this.#endedInCr && text.startsWith("\n")) text = text.slice(1);
    this.#endedInCr = text.endsWith("\r");
    let from = 0;
    for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
      this.#pieces.push(text.slice(from, index));
      from = index + end.length;
      const line = this.#pieces.join("");
      this.#pieces = [];
      this.#line(line);
    }
    if (from < text.length) this.#pieces.push(text.slice(from));
  }

  #line(line: string): void {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    // A comment: servers send them to show that they are there.
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    switch (field) {
      case "event":
        this.#type = value;
        break;
      case "data":
        this.#data.push(value);
        break;
      case "id":
        if (!value.includes("\0")) this.#id = value;
        break;
      case "retry":
        if (/^\d+$/.test(value)) this.#handler.retryAfter(Number(value));
    }
  }

  #dispatch(): void {
    const [type, data] = [this.#type, this.#data];
    this.#type = "";
    this.#data = [];
    // Ids without data move the place where the stream is resumed, too.
    if (data.length === 0) return this.#handler.message({ type: "", data: undefined, id: this.#id });
    this.#handler.message({ type: type || "message", data: readData(data.join("\n")), id: this.#id });
  }
}
