/** Streams over real connections: what breaks is opened again, and what was said meanwhile is not lost. */
import { assert, assertEquals } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  eventStreamSource,
  RestEndpoint,
  stateOf,
  StreamManager,
  type StreamManagerOptions,
  webSocketSource,
} from "@rejoin/data";
import type { StreamSource } from "@rejoin/data/extend";
import { FakeClock } from "../support/clock.ts";
import { StreamServer, until } from "../support/stream_server.ts";
import { uncaught } from "../support/uncaught.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** Sources to one server, and a message as each of them has it. */
const KINDS = {
  "server-sent events": {
    source: (host: string): StreamSource => {
      const events = new RestEndpoint({
        urlPrefix: `http://${host}`,
        path: "/events",
        content: "stream",
        deadline: Infinity,
        retry: 0,
        getHeaders: (headers: Record<string, string>) => ({ ...headers, "Access-Token": "secret" }),
      });
      return eventStreamSource(({ headers, signal }) => events.extend({ signal, requestInit: { headers } })());
    },
    film: (id: string, title: string) => `id: ${id}\nevent: film\ndata: ${JSON.stringify({ id, title })}\n\n`,
    resumesAt: ({ headers }: { headers: Readonly<Record<string, unknown>> }) => headers["last-event-id"],
  },
  "a WebSocket": {
    source: (host: string): StreamSource => webSocketSource((id) => `ws://${host}/socket?after=${id ?? ""}`),
    film: (id: string, title: string) => JSON.stringify({ type: "film", id, data: { id, title } }),
    resumesAt: ({ path }: { path: string }) => path.split("after=")[1] || undefined,
  },
} as const;

for (const [name, kind] of Object.entries(KINDS)) {
  const start = async (options: Partial<StreamManagerOptions> = {}) => {
    const clock = new FakeClock();
    const restore = clock.install();
    const server = await new StreamServer().start();
    let opened = 0;
    const manager = new StreamManager({
      source: kind.source(server.host),
      messages: { film: Film },
      onOpen: () => opened++,
      ...options,
    });
    const controller = new Controller({ managers: [manager] });
    await until(() => server.clients.length === 1 && opened === 1);
    const shows = (id: string, title: string) => until(() => controller.get(Film, id)?.title === title);
    return {
      clock,
      server,
      controller,
      shows,
      /** Waits for the break to be noticed, lets the wait pass, and waits for the next connection. */
      reconnected: async () => {
        const before = opened;
        await until(() => clock.pending > 0);
        clock.tick(30_000);
        await until(() => opened === before + 1);
      },
      [Symbol.asyncDispose]: async () => {
        controller.cleanup();
        assertEquals(clock.pending, 0, "no timer remains");
        await until(() => server.clients.every(({ isGone }) => isGone));
        await server.stop();
        restore();
      },
    };
  };

  Deno.test(`${name} of a real server is written into the store, and closed with the controller`, async () => {
    await using stream = await start();
    const { server } = stream;
    server.last.send(kind.film("1", "Alien"));
    server.last.send(kind.film("2", "Brazil 🎬"));
    await stream.shows("1", "Alien");
    await stream.shows("2", "Brazil 🎬");
    if (name === "server-sent events") {
      assertEquals([server.last.headers.accept, server.last.headers["access-token"]], ["text/event-stream", "secret"]);
    }
  });

  for (const breaks of ["cut", "end"] as const) {
    Deno.test(`${name} goes on where it was after the server ${breaks}s it in the midst of a message`, async () => {
      await using stream = await start();
      const { server } = stream;
      server.last.send(kind.film("1", "Alien"));
      await stream.shows("1", "Alien");
      server.last.sendHalf(kind.film("2", "Brazil"));
      server.last[breaks]();
      await stream.reconnected();
      assertEquals(server.clients.length, 2);
      assertEquals(kind.resumesAt(server.last), "1", "the half message is asked for again");
      server.last.send(kind.film("2", "Brazil"));
      await stream.shows("2", "Brazil");
    });
  }

  Deno.test(`${name} comes back when the server was away for a while`, async () => {
    await using stream = await start();
    const { server, clock, controller } = stream;
    server.last.send(kind.film("1", "Alien"));
    await stream.shows("1", "Alien");
    await server.stop();
    // The break, and three attempts that find nobody.
    for (let attempt = 0; attempt < 3; attempt++) {
      await until(() => clock.pending > 0);
      clock.tick(30_000);
    }
    await until(() => clock.pending > 0);
    await server.start();
    const before = server.clients.length;
    while (server.clients.length === before) {
      clock.tick(30_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assertEquals(kind.resumesAt(server.last), "1");
    server.last.send(kind.film("1", "Aliens"));
    await stream.shows("1", "Aliens");
    assert(controller.get(Film, "1") instanceof Film);
  });

  Deno.test(`${name} that is stopped in the midst of a message leaves nothing behind`, async () => {
    await using stream = await start();
    const { server, controller } = stream;
    server.last.sendHalf(kind.film("1", "Alien"));
    controller.cleanup();
    await until(() => server.last.isGone);
    assertEquals(controller.get(Film, "1"), undefined);
  });

  Deno.test(`${name} that is stopped while it connects leaves nothing behind`, async () => {
    await using server = await new StreamServer().start();
    const controller = new Controller({ managers: [new StreamManager({ source: kind.source(server.host) })] });
    controller.cleanup();
    await until(() => server.clients.every(({ isGone }) => isGone));
  });
}

Deno.test("an event stream that the server refuses is not asked for again, one that it cannot serve is", async () => {
  for (const [status, isFinal] of [[401, true], [404, true], [204, true], [429, false], [503, false]] as const) {
    const clock = new FakeClock();
    using _ = clock.install();
    await using server = await new StreamServer().start();
    server.refusal = status;
    const refused: unknown[] = [];
    const events = new RestEndpoint({
      urlPrefix: `http://${server.host}`,
      path: "/events",
      deadline: Infinity,
      retry: 0,
      parseResponse: (response: Response) => Promise.resolve(response.body),
      process: (body: ReadableStream<Uint8Array> | null) => body,
    });
    const controller = new Controller({
      managers: [
        new StreamManager({
          source: eventStreamSource(({ headers, signal }) => events.extend({ signal, requestInit: { headers } })()),
          onRefused: (error) => refused.push(error),
          openTimeout: Infinity,
        }),
      ],
    });
    while (refused.length === 0 && server.refused < 3) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      clock.tick(1_000);
    }
    assertEquals([refused.length, server.refused], isFinal ? [1, 1] : [0, 3], String(status));
    controller.cleanup();
    assertEquals(clock.pending, 0);
  }
});

Deno.test("a WebSocket is told what is subscribed to, also after a break", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  await using server = await new StreamServer().start();
  const getFilm = new Endpoint((id: string) => Promise.resolve({ id }), { name: "getFilm", schema: Film });
  const controller = new Controller({
    managers: [
      new StreamManager({
        source: webSocketSource(`ws://${server.host}/socket`),
        messages: { film: Film },
        subscribe: ({ args }) => JSON.stringify({ follow: args[0] }),
      }),
    ],
  });
  controller.subscribe(getFilm, "7");
  await until(() => server.clients.length === 1 && server.last.heard.length === 1);
  server.last.cut();
  // The wait for an opening ends with it; what is pending then is the wait for the next attempt.
  while (server.clients.length === 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    clock.tick(1_000);
  }
  await until(() => server.last.heard.length === 1);
  assertEquals(server.clients.map(({ heard }) => heard), [['{"follow":"7"}'], ['{"follow":"7"}']]);
  controller.cleanup();
  await until(() => server.last.isGone);
});

for (const [name, kind] of Object.entries(KINDS)) {
  Deno.test(`13.C5 ${name} that brings something malformed goes on, and ends no process`, async () => {
    await using server = await new StreamServer().start();
    const reported: unknown[] = [];
    const errors = await uncaught(async () => {
      using controller = new Controller({
        managers: [
          new StreamManager({
            source: kind.source(server.host),
            messages: { film: Film },
            onError: (error) => reported.push(error.message),
          }),
        ],
      });
      await until(() => server.clients.length === 1);
      server.last.send(name === "a WebSocket" ? '{"type":"film","data":"{"}' : "event: film\ndata: {\n\n");
      server.last.send(kind.film("1", "Alien"));
      await until(() => controller.get(Film, "1")?.title === "Alien");
    });
    assertEquals([errors.length, reported.length, server.clients.length], [0, 1, 1]);
    assert(String(reported[0]).startsWith('Cannot handle a message "film" of a stream'), String(reported[0]));
    await until(() => server.last.isGone);
  });
}

Deno.test("13.C5 a text that the app's own reading of a WebSocket refuses is reported, and the next one is read", async () => {
  await using server = await new StreamServer().start();
  const reported: unknown[][] = [];
  const errors = await uncaught(async () => {
    using controller = new Controller({
      managers: [
        new StreamManager({
          source: webSocketSource(`ws://${server.host}/socket`, {
            read: (raw) => ({ type: "film", data: JSON.parse(raw as string) }),
          }),
          messages: { film: Film },
          onError: (error, message) => reported.push([error.message, error.cause instanceof SyntaxError, message]),
        }),
      ],
    });
    await until(() => server.clients.length === 1);
    server.last.send('{"id":');
    server.last.send('{"id":"1","title":"Alien"}');
    await until(() => controller.get(Film, "1")?.title === "Alien");
  });
  assertEquals([errors.length, reported.length], [0, 1]);
  const [message, isSyntax, raw] = reported[0]!;
  assert(String(message).startsWith("Cannot handle a message of a stream: "));
  assertEquals([isSyntax, raw], [true, '{"id":']);
  await until(() => server.last.isGone);
});

Deno.test("13.C5 what a WebSocket says may be any JSON: what is no message is reported, and the process goes on", async () => {
  await using server = await new StreamServer().start();
  const parse = (raw: unknown) => JSON.parse(raw as string);
  const hostile = new Proxy({} as never, {
    get() {
      throw new Error("hostile");
    },
  });
  const readers = {
    "our own": {},
    "the app's": { read: parse },
    "one of hostile objects": { read: (raw: unknown) => (raw as string).includes("Alien") ? parse(raw) : hostile },
  };
  const texts = [
    "null",
    "5",
    '"x"',
    "[]",
    '{"type":{"toString":1}}',
    '{"type":"film","id":{"toString":1},"data":null}',
  ];
  for (const [whose, options] of Object.entries(readers)) {
    const reported: unknown[] = [];
    const errors = await uncaught(async () => {
      using controller = new Controller({
        managers: [
          new StreamManager({
            source: webSocketSource(`ws://${server.host}/socket`, options),
            messages: { film: Film },
            onError: (error) => reported.push(error.message),
          }),
        ],
      });
      const { length } = server.clients;
      await until(() => server.clients.length > length);
      for (const text of texts) server.last.send(text);
      server.last.send('{"type":"film","data":{"id":"1","title":"Alien"}}');
      await until(() => controller.get(Film, "1")?.title === "Alien");
    });
    assertEquals([errors, reported.length], [[], whose === "our own" ? 1 : 6], whose);
    for (const text of reported) assert(String(text).startsWith("Cannot handle a message "), whose);
  }
});

Deno.test("13.C5 what an app opens server-sent events with and what can be none is refused once, and not tried for ever", async () => {
  await using server = await new StreamServer().start();
  const unnamed = new RestEndpoint({ urlPrefix: `http://${server.host}`, path: "/events/:id", content: "stream" });
  const address = `http://${server.host}/events`;
  const wrong: Record<string, () => Promise<unknown>> = {
    "a Response": () => fetch(address),
    nothing: () => Promise.resolve(undefined),
    "a path that lacks a parameter": () => unnamed({} as { id: string }),
  };
  for (const [what, open] of Object.entries(wrong)) {
    const clock = new FakeClock();
    using _ = clock.install();
    let opened = 0;
    const refused: unknown[] = [];
    const source = eventStreamSource(() => (opened++, open() as Promise<ReadableStream<Uint8Array>>));
    using controller = new Controller({
      managers: [new StreamManager({ source, onRefused: (error) => refused.push(error) })],
    });
    while (refused.length === 0 && opened < 4) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      clock.tick(1_000);
    }
    assertEquals([refused.length, opened, clock.pending, stateOf(controller).lastReset], [1, 1, 0, 0], what);
  }
  await server.stop();
});

Deno.test("13.B6 a WebSocket is closed by a reset, and what is opened then asks with what the next person has", async () => {
  await using server = await new StreamServer().start();
  let who = "ann";
  using controller = new Controller({
    managers: [
      new StreamManager({
        source: webSocketSource(() => `ws://${server.host}/socket?${who}`),
        messages: { film: Film },
        minDelay: 10,
      }),
    ],
  });
  await until(() => server.clients.length === 1);
  const ann = server.last;
  ann.send('{"type":"film","id":"5","data":{"id":"1","title":"for Ann"}}');
  await until(() => controller.get(Film, "1")?.title === "for Ann");
  who = "bob";
  controller.resetEntireStore();
  ann.send('{"type":"film","id":"6","data":{"id":"1","title":"for Ann"}}');
  await until(() => server.clients.length === 2);
  await until(() => ann.isGone);
  assertEquals([controller.get(Film, "1"), server.last.path], [undefined, "/socket?bob"]);
  server.last.send('{"type":"film","data":{"id":"1","title":"for Bob"}}');
  await until(() => controller.get(Film, "1")?.title === "for Bob");
});

Deno.test("13.C5 server-sent events that are answered 204 are not asked for again, whoever reads the answer", async () => {
  await using server = await new StreamServer().start();
  server.refusal = 204;
  const { source } = KINDS["server-sent events"];
  const byHand: StreamSource = eventStreamSource(async ({ headers, signal }) =>
    (await fetch(`http://${server.host}/events`, { headers, signal })).body
  );
  for (const each of [source(server.host), byHand]) {
    const clock = new FakeClock();
    using _ = clock.install();
    server.refused = 0;
    const refused: unknown[] = [];
    using controller = new Controller({
      managers: [new StreamManager({ source: each, onRefused: (error) => refused.push(error) })],
    });
    while (refused.length === 0 && server.refused < 3) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      clock.tick(1_000);
    }
    assertEquals([refused.length, server.refused, clock.pending], [1, 1, 0]);
    assertEquals(stateOf(controller).lastReset, 0);
  }
});
