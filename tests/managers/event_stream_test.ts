import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { eventStreamSource, type StreamMessage } from "@rejoin/data";
import type { StreamListener } from "@rejoin/data/extend";
import { flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

/** What a source tells of a stream that comes in these chunks. */
async function told(chunks: readonly (string | Uint8Array<ArrayBuffer>)[], lastEventId?: string) {
  const messages: StreamMessage[] = [];
  const retries: number[] = [];
  const closed: unknown[] = [];
  const asked: unknown[] = [];
  const listener: StreamListener = {
    lastEventId,
    open: () => {},
    alive: () => {},
    message: (message) => messages.push(message),
    retryAfter: (ms) => retries.push(ms),
    close: (reason, isFinal = false) => closed.push([(reason as Error).message, isFinal]),
  };
  const encoder = new TextEncoder();
  const source = eventStreamSource(({ headers }) => {
    asked.push(headers);
    return Promise.resolve(
      ReadableStream.from(chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk)),
    );
  });
  source(listener);
  await flush();
  return { messages, retries, closed, asked };
}

const texts = async (...chunks: string[]) => (await told(chunks)).messages.map(({ data }) => data);

Deno.test("an event has type, data and the last id that was named", async () => {
  const { messages, closed } = await told([
    'event: film\nid: 7\ndata: {"id":"1"}\n\n',
    "data: plain\n\n",
    "event: film\nid\ndata: 5\n\n",
  ]);
  assertEquals(messages, [
    { type: "film", data: { id: "1" }, id: "7" },
    { type: "message", data: "plain", id: "7" },
    { type: "film", data: 5, id: "" },
  ]);
  assertEquals(closed, [["The event stream ended", false]]);
});

Deno.test("lines end in LF, CR or CRLF, data may have many, and one space after the colon does not count", async () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    assertEquals(await texts(`data: a${end}data:b${end}data${end}data:  c${end}${end}`), ["a\nb\n\n c"]);
  }
});

Deno.test("comments, unknown fields, a byte order mark and ids with NUL are passed over", async () => {
  const { messages } = await told(["\ufeffdata: 1\n\n", ": still here\nfoo: bar\nid: a\0b\ndata: 2\n\n", "\n\n\n"]);
  assertEquals(messages.filter(({ type }) => type !== ""), [
    { type: "message", data: 1, id: undefined },
    { type: "message", data: 2, id: undefined },
  ]);
});

Deno.test("retry is a number of ms, or nothing", async () => {
  const { retries } = await told(["retry: 250\nretry: soon\nretry:\nretry: 1e3\nretry: -1\n\n"]);
  assertEquals(retries, [250]);
});

Deno.test("an event that the end cuts off is dropped, with its id", async () => {
  const { messages } = await told(["id: 1\ndata: whole\n\n", "id: 2\ndata: hal"]);
  assertEquals(messages, [{ type: "message", data: "whole", id: "1" }]);
});

Deno.test("it is asked to go on from the last id, if a header can hold that", async () => {
  const ids = [undefined, "", "42", "å", "a\nb"];
  const asked = await Promise.all(ids.map(async (id) => (await told([], id)).asked[0]));
  assertEquals(asked, [
    { Accept: "text/event-stream" },
    { Accept: "text/event-stream" },
    { Accept: "text/event-stream", "Last-Event-ID": "42" },
    { Accept: "text/event-stream" },
    { Accept: "text/event-stream" },
  ]);
});

const line = fc.constantFrom(
  ...[
    "data: Größe 🎬",
    "data: 1",
    "data",
    "data: ",
    "event: film",
    "event: __proto__",
    "id: 5",
    "id: ü",
    "id",
    ": hello",
  ],
  ...["retry: 10", "", "", "", "data: \u2028", "nonsense", "data : x"],
);

Deno.test("wherever a stream is cut into chunks, and whatever ends its lines, it says the same", async () => {
  await check(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom("\n", "\r", "\r\n"),
      fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 30 }),
      async (lines, end, cuts) => {
        const bytes = new TextEncoder().encode(lines.map((text) => text + end).join(""));
        const chunks: Uint8Array<ArrayBuffer>[] = [];
        let from = 0;
        for (const cut of cuts) chunks.push(bytes.slice(from, from += cut));
        chunks.push(bytes.slice(from));
        const whole = await told([lines.map((text) => `${text}\n`).join("")]);
        assertEquals(await told(chunks), whole);
      },
    ),
    { name: "event_stream", runs: runs(1_000, 100_000) },
  );
});
