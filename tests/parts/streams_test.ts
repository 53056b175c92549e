/**
 * Streams over real connections: broken ones are opened again, messages are edits, and a wrong message ends nothing.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  Controller,
  Entity,
  eventStreamSource,
  RejoinError,
  resource,
  RestEndpoint,
  schema,
  type StreamListener,
  StreamManager,
  type StreamManagerOptions,
  type StreamSource,
  webSocketSource,
} from "@rejoin/data";
import { serve } from "../support/api.ts";
import { StreamServer, until } from "../support/stream_server.ts";

class Film extends Entity {
  id = "";
  title = "";
  year: number | undefined = undefined;
  static key = "Film";
}

/** A source of server-sent events. */
function eventsOf(urlPrefix: string, more: object = {}): StreamSource {
  const options = { urlPrefix, path: "/events", content: "stream", deadline: Infinity, retry: 0, ...more } as const;
  const events = new RestEndpoint(options);
  return eventStreamSource(({ headers, signal }) => events.extend({ signal, requestInit: { headers } })());
}
/** The sources, with a message in the format of each. */
const KINDS = {
  "server-sent events": {
    source: (host: string) =>
      eventsOf(`http://${host}`, { getHeaders: (headers: object) => ({ ...headers, "access-token": "secret" }) }),
    film: (id: string, title: string) => `id: ${id}\nevent: film\ndata: ${JSON.stringify({ id, title })}\n\n`,
    resumesAt: ({ headers }: { headers: Readonly<Record<string, unknown>> }) => headers["last-event-id"],
  },
  "a WebSocket": {
    source: (host: string): StreamSource => webSocketSource((id) => `ws://${host}/socket?after=${id ?? ""}`),
    film: (id: string, title: string) => JSON.stringify({ type: "film", id, data: { id, title } }),
    resumesAt: ({ path }: { path: string }) => path.split("after=")[1] || undefined,
  },
} as const;

async function start(kind: (typeof KINDS)[keyof typeof KINDS], options: Partial<StreamManagerOptions> = {}) {
  const server = await new StreamServer().start();
  const opened: boolean[] = [], refused: unknown[] = [];
  const manager = new StreamManager({
    source: kind.source(server.host),
    messages: { film: Film },
    minDelay: 2,
    onOpen: (_, isAgain) => void opened.push(isAgain),
    onRefused: (error) => void refused.push(error),
    ...options,
  });
  const controller = new Controller({ use: [manager] });
  await until(() => server.clients.length > 0 && opened.length > 0);
  return {
    server,
    controller,
    opened,
    refused,
    shows: (id: string, title: string | undefined) => until(() => controller.get(Film, id)?.title === title),
    [Symbol.asyncDispose]: async () => {
      controller.cleanup();
      await until(() => server.clients.every(({ isGone }) => isGone));
      await server.stop();
    },
  };
}

for (const [name, kind] of Object.entries(KINDS)) {
  Deno.test(`${name} of a real server is written into the store, and closed with the controller`, async () => {
    await using stream = await start(kind);
    stream.server.last.send(kind.film("1", "Alien"));
    stream.server.last.send(kind.film("2", "Brazil 🎬"));
    await stream.shows("1", "Alien");
    await stream.shows("2", "Brazil 🎬");
    if (name === "a WebSocket") return;
    const { accept, "access-token": token } = stream.server.last.headers;
    assertEquals([accept, token], ["text/event-stream", "secret"]);
  });

  for (const breaks of ["cut", "end"] as const) {
    Deno.test(`${name} goes on where it was after the server ${breaks}s it in the midst of a message`, async () => {
      await using stream = await start(kind);
      const { server, opened } = stream;
      server.last.send(kind.film("1", "Alien"));
      await stream.shows("1", "Alien");
      server.last.sendHalf(kind.film("2", "Brazil"));
      server.last[breaks]();
      await until(() => opened.length === 2);
      assertEquals([opened, kind.resumesAt(server.last)], [[false, true], "1"]);
      server.last.send(kind.film("2", "Brazil"));
      await stream.shows("2", "Brazil");
    });
  }

  Deno.test(`${name}: a server that is down is tried again until it is back`, async () => {
    await using stream = await start(kind, { maxDelay: 5 });
    await stream.server.stop();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await stream.server.start();
    await until(() => stream.opened.length === 2);
  });

  Deno.test(`${name}: rule 13: a reset opens a new connection from the beginning, as the next person's`, async () => {
    await using stream = await start(kind);
    const { server, opened, controller } = stream, [first] = server.clients;
    server.last.send(kind.film("1", "Alien"));
    await stream.shows("1", "Alien");
    controller.resetEntireStore();
    await until(() => opened.length === 2 && first!.isGone);
    assertEquals([kind.resumesAt(server.last), controller.get(Film, "1")], [undefined, undefined]);
  });

  Deno.test(`${name}: silence for maxSilence is a break; one that does not open is given up`, async () => {
    await using stream = await start(kind, { maxSilence: 200 });
    await until(() => stream.opened.length > 1);
  });
}

Deno.test("a refusal ends the attempts, and a reset begins them again", async () => {
  for (const status of [401, 403, 404]) {
    await using stream = await start(KINDS["server-sent events"]);
    const { server, refused } = stream;
    server.refusal = status;
    server.last.end();
    await until(() => refused.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(server.refused, 1);
    server.refusal = undefined;
    stream.controller.resetEntireStore();
    await until(() => stream.opened.length === 2);
  }
});

Deno.test("429, 500 and 503 pass by themselves", async () => {
  for (const status of [429, 500, 503]) {
    await using stream = await start(KINDS["server-sent events"]);
    stream.server.refusal = status;
    stream.server.last.end();
    await until(() => stream.server.refused > 1);
    stream.server.refusal = undefined;
    await until(() => stream.opened.length === 2);
    assertEquals(stream.refused, []);
  }
});

Deno.test("subscribe and unsubscribe: the server is asked for what components show, also after a break", async () => {
  await using stream = await start(KINDS["a WebSocket"], {
    subscribe: ({ endpoint, args }) => endpoint.name === "Film.get" ? `join ${args[0].id}` : undefined,
    unsubscribe: ({ args }) => `leave ${args[0].id}`,
  });
  const { server, controller, opened } = stream;
  const { get, getList } = resource({ urlPrefix: "https://api.test", path: "/films/:id", schema: Film });
  const { subscribe, unsubscribe } = controller;
  for (const _ of [1, 2]) subscribe(get, { id: "1" });
  subscribe(getList);
  await until(() => server.last.heard.length === 1);
  server.last.cut();
  await until(() => opened.length === 2 && server.last.heard.length === 1);
  for (const _ of [1, 2]) unsubscribe(get, { id: "1" });
  await until(() => server.last.heard.length === 2);
  assertEquals(server.last.heard, ["join 1", "leave 1"]);
});

/** A manager whose source is controlled by the test. */
function fake(options: Partial<StreamManagerOptions> = {}) {
  let listener!: StreamListener;
  let closed = 0;
  const errors: RejoinError[] = [];
  const controller = new Controller({
    use: [
      new StreamManager({
        source: (given) => {
          listener = given;
          given.open();
          return { close: () => closed++ };
        },
        messages: { film: Film, films: [Film], gone: new schema.Invalidate(Film) },
        onError: (error) => void errors.push(error),
        ...options,
      }),
    ],
  });
  const say = (type: string, data?: unknown) => listener.message({ type, data });
  return { controller, say, errors, listener: () => listener, closed: () => closed };
}
const flush = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("rule 10: a message stays on top of a reply that was asked for before it", async () => {
  const gate = Promise.withResolvers<void>();
  await using api = serve(() => gate.promise.then(() => ({ id: "1", title: "old", year: 1979 })));
  const { get } = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  const { controller, say } = fake();
  const asked = controller.fetch(get, { id: "1" });
  say("film", { id: "1", title: "new" });
  gate.resolve();
  const { title, year } = await asked;
  assertEquals([title, year], ["new", 1979]);
  assert(controller.getResponse(get, { id: "1" }).expiresAt > Date.now(), "rule 12: a message makes no answer stale");
  controller.cleanup();
});

Deno.test("rule 13: what was deleted comes back by a whole record, not by a message with some members", () => {
  class Full extends Entity {
    id = "";
    title = "";
    static key = "Full";
  }
  const { controller, say } = fake({ messages: { full: Full, gone: new schema.Invalidate(Full) } });
  say("full", { id: "1", title: "a" });
  say("gone", { id: "1" });
  assertEquals(controller.get(Full, { id: "1" }), undefined);
  say("full", { id: "1" });
  assertEquals(controller.get(Full, { id: "1" }), undefined);
  say("full", { id: "1", title: "b" });
  assertEquals(controller.get(Full, { id: "1" })?.title, "b");
  controller.cleanup();
});

Deno.test("messages are schemas or functions; others go to onMessage; an id alone is none", async () => {
  const got: unknown[] = [];
  const { controller, say, errors, listener } = fake({
    messages: {
      films: [Film],
      count: (data: number, controller: Controller) => void got.push(data, controller instanceof Controller),
    },
    onMessage: ({ type }) => void got.push(type),
  });
  say("films", [{ id: "1", title: "a" }, { id: "2", title: "b" }]);
  say("count", 5);
  say("toString", 1);
  listener().message({ type: "", data: undefined, id: "7" });
  await flush();
  assertEquals([got, controller.get(Film, "2")?.title, errors], [[5, true, "toString"], "b", []]);
  controller.cleanup();
});

Deno.test("a message without data, without type or pk, of another form, or that a function refuses goes to onError alone", async () => {
  const { controller, say, errors, listener } = fake({
    messages: {
      film: Film,
      bad: () => {
        throw new Error("bad");
      },
      late: () => Promise.reject(new Error("late")),
    },
  });
  say("film");
  say("film", { title: "no id" });
  say("film", "text");
  say("bad", 1);
  say("late", 1);
  listener().message(null as never);
  listener().message({ data: 1 } as never);
  listener().malformed?.(new Error("torn"), "{");
  say("film", { id: "1", title: "good" });
  await flush();
  assertEquals(controller.get(Film, "1")?.title, "good");
  assert(errors.length >= 7, `${errors}`);
  assert(errors.every((error) => error instanceof RejoinError && error.cause));
  assertMatch(errors[0]!.message, /message "film" of a stream: .*no data/);
  controller.cleanup();
});

Deno.test("an onOpen that throws or rejects is logged, and ends nothing", async () => {
  const { error } = console, logged: unknown[] = [];
  console.error = (one: unknown) => void logged.push(one);
  try {
    for (
      const onOpen of [() => Promise.reject(new Error("no")), () => {
        throw new Error("no");
      }]
    ) {
      const { controller, say } = fake({ onOpen });
      await flush();
      say("film", { id: "1", title: "a" });
      assertEquals(controller.get(Film, "1")?.title, "a");
      controller.cleanup();
    }
    assertEquals(logged.map(String), ["Error: no", "Error: no"]);
  } finally {
    console.error = error;
  }
});

Deno.test("a source that throws is a refusal; after the controller has stopped nothing is heard, nor opened", async () => {
  const refused: unknown[] = [];
  const controller = new Controller({
    use: [
      new StreamManager({
        source: () => {
          throw new Error("no address");
        },
        onRefused: (error) => void refused.push(error),
      }),
    ],
  });
  assertEquals(refused.map(String), ["Error: no address"]);
  controller.cleanup();
  const { say, closed, controller: other } = fake();
  other.cleanup();
  say("film", { id: "1", title: "late" });
  other.resetEntireStore();
  await flush();
  assertEquals([other.get(Film, "1"), closed()], [undefined, 1]);
});

Deno.test("HTML in place of events brings no message, and the connection is tried again later and later", async () => {
  const html = "<!doctype html>\n\n<p>data: 1</p>\n\n\n", got: unknown[] = [];
  await using api = serve(() => new Response(html, { headers: { "content-type": "text/html" } }));
  const controller = new Controller({
    use: [
      new StreamManager({
        source: eventsOf(api.urlPrefix),
        onMessage: (message) => void got.push(message),
        minDelay: 1,
        maxDelay: 1e6,
      }),
    ],
  });
  await until(() => api.asked.length > 2);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert(api.asked.length < 40, "each failure doubles the longest wait");
  assertEquals(got, []);
  controller.cleanup();
});

/** The calls that a source makes for a stream of these chunks, or for what is no stream. */
async function told(given: readonly (string | Uint8Array<ArrayBuffer>)[] | string | null, lastEventId?: string) {
  const messages: unknown[] = [], retries: number[] = [], closed: [string, boolean][] = [], asked: object[] = [];
  const encoder = new TextEncoder();
  eventStreamSource(({ headers }) => {
    asked.push(headers);
    if (given === null || typeof given === "string") return Promise.resolve(given as null);
    const chunks = given.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk);
    return Promise.resolve(ReadableStream.from(chunks));
  })({
    lastEventId,
    open: () => {},
    alive: () => {},
    message: (message) => messages.push(message),
    retryAfter: (ms) => retries.push(ms),
    close: (reason, isFinal = false) => closed.push([(reason as Error).message, isFinal]),
  });
  await flush();
  return { messages, retries, closed, asked };
}

Deno.test("an event has type, data and the last id that was named; lines end in LF, CR or CRLF, wherever it is cut", async () => {
  const text =
    'event: film\nid: 7\ndata: {"id":"1"}\n\ndata: plain\n\nevent: film\nid\ndata: 5\n\ndata: a\ndata:b\ndata\ndata:  c\n\n';
  const right = [
    { type: "film", data: { id: "1" }, id: "7" },
    { type: "message", data: "plain", id: "7" },
    { type: "film", data: 5, id: "" },
    { type: "message", data: "a\nb\n\n c", id: "" },
  ];
  for (const end of ["\n", "\r", "\r\n"]) {
    const whole = text.replaceAll("\n", end);
    for (const size of [1, 3, 7, whole.length]) {
      const chunks = whole.match(new RegExp(`[^]{1,${size}}`, "g"))!;
      assertEquals((await told(chunks)).messages, right);
    }
  }
});

Deno.test("comments, unknown fields, a byte order mark and ids with NUL are passed over; a torn event is dropped", async () => {
  const { messages, closed } = await told([
    "\ufeffdata: 1\n\n",
    ": still here\nfoo: bar\nid: a\0b\ndata: 2\n\n",
    "id: 9\ndata: 3\n",
  ]);
  assertEquals(messages, [{ type: "message", data: 1, id: undefined }, { type: "message", data: 2, id: undefined }]);
  assertEquals(closed, [["The event stream ended", false]]);
  const emoji = new TextEncoder().encode("data: 🎬\n\n");
  assertEquals((await told([emoji.slice(0, 8), emoji.slice(8)])).messages, [{
    type: "message",
    data: "🎬",
    id: undefined,
  }]);
});

Deno.test("no stream at all, as `response.body` of a 204, is a refusal; what is no stream, too", async () => {
  for (const body of [null, "text"]) assertEquals((await told(body)).closed.map(([, isFinal]) => isFinal), [true]);
});

Deno.test("retry is digits only; Last-Event-ID is sent where a header can hold it", async () => {
  const { retries } = await told(["retry: 5000\nretry: 1.5\nretry: x\nretry: 0\n\n"]);
  assertEquals(retries, [5000, 0]);
  for (const [id, sent] of [["7", "7"], ["", undefined], ["é№", undefined], [undefined, undefined]] as const) {
    const { asked: [headers] } = await told([], id);
    assertEquals((headers as Record<string, string>)["Last-Event-ID"], sent);
  }
});

Deno.test("offline nothing is tried, and the connection is closed; online it is opened at once", async () => {
  let opened = 0, closed = 0;
  const source: StreamSource = (listener) => {
    opened++;
    listener.open();
    return { close: () => closed++ };
  };
  const controller = new Controller({ use: [new StreamManager({ source, minDelay: 1e6, maxDelay: 1e6 })] });
  const go = (onLine: boolean) => {
    Object.defineProperty(navigator, "onLine", { value: onLine, configurable: true });
    dispatchEvent(new Event(onLine ? "online" : "offline"));
  };
  try {
    go(false);
    assertEquals([opened, closed], [1, 1]);
    controller.resetEntireStore();
    assertEquals(opened, 1);
    go(true);
    assertEquals([opened, closed], [2, 1]);
    controller.cleanup();
    go(false);
    go(true);
    await flush();
    assertEquals([opened, closed], [2, 2]);
  } finally {
    Reflect.deleteProperty(navigator, "onLine");
  }
});
