import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  onCommit,
  RejoinError,
  schema,
  stateOf,
  StreamManager,
  type StreamManagerOptions,
  webSocketSource,
} from "@rejoin/data";
import type { StreamListener } from "@rejoin/data/extend";
import { FakeClock, flush } from "../support/clock.ts";
import { FakePage } from "../support/page.ts";
import { uncaught } from "../support/uncaught.ts";
import { Wire } from "../support/wire.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
const getFilm = new Endpoint((id: string) => Promise.resolve({ id, title: "asked" }), {
  name: "getFilm",
  schema: Film,
});

interface Connected extends StreamListener {
  readonly sent: string[];
  readonly at: number;
  isClosed: boolean;
}

/** Keeps what a method is called with, and calls nothing. */
function stub<K extends string>(object: { [name in K]: (...args: unknown[]) => void }, name: K) {
  const calls: unknown[][] = [];
  const method = object[name];
  object[name] = (...args: unknown[]) => void calls.push(args);
  return { calls, restore: () => object[name] = method };
}

/** A stream whose server is the test. */
function start(options: Partial<StreamManagerOptions> = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const page = new FakePage();
  const connections: Connected[] = [];
  const manager = new StreamManager({
    source: (listener) => {
      const connected: Connected = { ...listener, sent: [], at: clock.elapsed, isClosed: false };
      connections.push(connected);
      return {
        close: () => {
          connected.isClosed = true;
        },
        send: (text) => connected.sent.push(text),
      };
    },
    messages: { film: Film, removed: new schema.Invalidate(Film) },
    ...options,
  });
  const controller = new Controller({ managers: [manager] });
  return {
    clock,
    page,
    controller,
    connections,
    get last() {
      return connections.at(-1)!;
    },
    title: (id = "1") => controller.get(Film, id)?.title,
    [Symbol.dispose]: () => {
      controller.cleanup();
      const left = [clock.pending, page.listeners, connections.filter(({ isClosed }) => !isClosed).length];
      page[Symbol.dispose]();
      restore();
      // Those that the server closed itself are not closed again.
      assertEquals(left.slice(0, 2), [0, 0], "nothing remains");
    },
  };
}

Deno.test("messages become records, deletes, answers, or what a function makes of them, by type", () => {
  const others: unknown[] = [];
  using stream = start({
    messages: {
      film: Film,
      films: [Film],
      removed: new schema.Invalidate(Film),
      answer: (data: { id: string }, controller: Controller) => controller.setResponse(getFilm, data.id, data),
    },
    onMessage: (message) => others.push(message.type),
  });
  const { last, controller } = stream;
  last.open();
  last.message({ type: "film", data: { id: "1", title: "Alien" } });
  last.message({ type: "films", data: [{ id: "2", title: "Brazil" }, { id: "3", title: "Cube" }] });
  last.message({ type: "answer", data: { id: "4", title: "Dune" } });
  assertEquals(["1", "2", "3", "4"].map(stream.title), ["Alien", "Brazil", "Cube", "Dune"]);
  assertEquals(controller.getResponse(getFilm, "4").data?.title, "Dune");
  last.message({ type: "removed", data: { id: "1" } });
  last.message({ type: "removed", data: "2" });
  assertEquals(["1", "2", "3"].map(stream.title), [undefined, undefined, "Cube"]);
  for (const type of ["constructor", "__proto__", "toString", "other"]) last.message({ type, data: {} });
  assertEquals(others, ["constructor", "__proto__", "toString", "other"]);
});

Deno.test("13.C5 a message that does not fit is named, the next one is handled, and no process ends of it", async () => {
  const bad = [null, 5, "x", [], { title: "no id" }];
  const reported: unknown[][] = [];
  using stream = start({ onError: (...args) => reported.push(args) });
  const errors = await uncaught(() => {
    stream.last.open();
    for (const data of bad) stream.last.message({ type: "film", data, id: "7" });
    stream.last.message({ type: "film", data: { id: "1", title: "Alien" } });
  });
  assertEquals([errors, stream.title()], [[], "Alien"]);
  assertEquals(reported.map(([, message]) => (message as { data: unknown }).data), bad);
  for (const [error, , controller] of reported) {
    assert(error instanceof RejoinError && error.cause instanceof RejoinError && controller === stream.controller);
    assertStringIncludes(error.message, 'Cannot handle a message "film" with id "7" of a stream: Cannot normalize');
  }
});

Deno.test("13.C5 a message without data is named, where it was to be stored", () => {
  const reported: string[] = [];
  using stream = start({ onError: ({ message }) => reported.push(message), onMessage: () => {} });
  stream.last.open();
  for (const type of ["film", "other"]) stream.last.message({ type, data: undefined });
  assertEquals(reported, ['Cannot handle a message "film" of a stream: it has no data']);
});

Deno.test("13.C5 what handles a message may throw or reject, and is reported in the console where nothing else is said", async () => {
  const logged = stub(console, "error");
  using stream = start({
    messages: {
      throws: () => {
        throw new Error("thrown");
      },
      rejects: () => Promise.reject(new Error("rejected")),
    },
    onMessage: () => Promise.reject(new Error("unknown")),
  });
  const errors = await uncaught(async () => {
    stream.last.open();
    for (const type of ["throws", "rejects", "other"]) stream.last.message({ type, data: {} });
    await flush();
  });
  logged.restore();
  assertEquals(errors, []);
  assertEquals(logged.calls.map(([error]) => (error as Error).message), [
    'Cannot handle a message "throws" of a stream: thrown',
    'Cannot handle a message "rejects" of a stream: rejected',
    'Cannot handle a message "other" of a stream: unknown',
  ]);
});

Deno.test("13.B6 what the stream of one person says after a reset is not written, and the next one has a stream of his own", () => {
  using stream = start();
  const { clock, controller, connections } = stream;
  const [first] = connections;
  first!.open();
  first!.message({ type: "film", id: "7", data: { id: "1", title: "of the first" } });
  controller.resetEntireStore();
  first!.message({ type: "film", id: "8", data: { id: "1", title: "of the first" } });
  first!.close(new Error("gone"));
  assertEquals([stream.title(), first!.isClosed, connections.length], [undefined, true, 1]);
  clock.tick(1_000);
  assertEquals([connections.length, stream.last.lastEventId], [2, undefined]);
  stream.last.open();
  stream.last.message({ type: "film", data: { id: "1", title: "of the second" } });
  assertEquals(stream.title(), "of the second");
});

Deno.test("13.B6 what is shown is asked for again with the endpoint of the last one who shows it", () => {
  using stream = start({ subscribe: ({ endpoint, args }) => `${endpoint.name} ${args[0]}` });
  const { clock, controller } = stream;
  const [ann, bob] = ["ann", "bob"].map((name) => getFilm.extend({ name, key: () => "one key" }));
  stream.last.open();
  controller.subscribe(ann!, "1");
  // As a hook does whose endpoint has another token.
  controller.subscribe(bob!, "1");
  controller.unsubscribe(ann!, "1");
  controller.resetEntireStore();
  clock.tick(1_000);
  stream.last.open();
  assertEquals(stream.connections.map(({ sent }) => sent), [["ann 1"], ["bob 1"]]);
});

Deno.test("13.B6 a stream that was refused is tried again after a reset, with ever longer pauses where that is how a refusal is met", () => {
  using stream = start({ onRefused: (_, controller) => controller.resetEntireStore() });
  const { clock, connections } = stream;
  for (let second = 0; second < 120; second++) {
    if (!stream.last.isClosed) stream.last.close(new Error("401"), true);
    clock.tick(1_000);
  }
  assertEquals(connections.length > 3 && connections.length < 20, true, String(connections.length));
});

Deno.test("13.B6 a message that makes the app empty the store begins no endless loop, and leaves no place to go on from", () => {
  using stream = start({ messages: { bye: (_: unknown, controller) => controller.resetEntireStore() } });
  const { clock, connections } = stream;
  for (let second = 0; second < 20; second++) {
    stream.last.open();
    stream.last.message({ type: "bye", id: "7", data: null });
    clock.tick(1_000);
  }
  assertEquals(connections.length <= 21, true, String(connections.length));
  assertEquals(connections.map(({ lastEventId }) => lastEventId).filter((id) => id !== undefined), []);
});

Deno.test("a message is newer than what was asked for before it came, whenever the answer comes", async () => {
  const wire = new Wire();
  const slow = new Endpoint(wire.fn("slow"), { name: "slow", schema: Film });
  using stream = start();
  const answer = stream.controller.fetch(slow);
  stream.last.open();
  stream.last.message({ type: "film", data: { id: "1", title: "pushed" } });
  await wire.last.reply({ id: "1", title: "asked before" });
  await answer;
  assertEquals(stream.title(), "pushed");
});

Deno.test("reconnects wait at most 1 s · 2ⁿ, at most 30 s, by chance; a message makes the next wait short again", async () => {
  using stream = start();
  const { clock, connections } = stream;
  clock.draw(() => 0.999_999);
  const waits: number[] = [];
  const fail = async () => {
    const from = clock.elapsed;
    const { length } = connections;
    stream.last.close(new Error("down"));
    while (connections.length === length) await clock.tickAsync(100);
    waits.push(Math.round((clock.elapsed - from) / 1_000));
  };
  for (let i = 0; i < 7; i++) await fail();
  assertEquals(waits.splice(0), [1, 2, 4, 8, 16, 30, 30]);
  stream.last.open();
  await fail();
  assertEquals(waits.splice(0), [30], "that it opened alone says nothing");
  stream.last.open();
  stream.last.message({ type: "", data: undefined });
  await fail();
  assertEquals(waits.splice(0), [30], "nor do blank lines: a page in place of a stream has them");
  stream.last.open();
  stream.last.message({ type: "film", data: { id: "1" } });
  await fail();
  stream.last.open();
  await clock.tickAsync(30_000);
  await fail();
  assertEquals(waits.splice(0), [1, 1], "a message, or half a minute of standing, is a success");
  clock.draw(() => 0);
  stream.last.close(new Error("down"));
  const { length } = connections;
  await clock.tickAsync(0);
  assertEquals(connections.length, length + 1, "the jitter is full");
});

Deno.test("the delays can be set", async () => {
  using stream = start({ minDelay: 100, maxDelay: 300 });
  const { clock, connections } = stream;
  const times = async (count: number) => {
    for (let i = 0; i < count; i++) {
      stream.last.close(new Error("down"));
      await clock.tickAsync(1_000);
    }
    return connections.map(({ at }) => at % 1_000);
  };
  assertEquals(await times(3), [0, 50, 100, 150]);
});

Deno.test("what the server says of reconnecting is the first wait at most, half a second or more, within maxDelay", async () => {
  using stream = start({ maxDelay: 3_000 });
  const { clock } = stream;
  for (const [said, waits] of [[2_000, 1_000], [0, 250], [-1, 250], [NaN, 250], [60_000, 1_500]] as const) {
    stream.last.open();
    stream.last.message({ type: "film", data: { id: "1" } });
    stream.last.retryAfter(said);
    const from = clock.elapsed;
    stream.last.close(new Error("down"));
    await clock.tickAsync(waits - 1);
    assert(stream.last.at <= from, `${said}: too early`);
    await clock.tickAsync(1);
    assertEquals(stream.last.at, from + waits, `${said}`);
  }
});

Deno.test("a stream goes on from the last message that was handled, also through several breaks", async () => {
  using stream = start();
  const { clock, connections } = stream;
  stream.last.open();
  stream.last.message({ type: "film", data: { id: "1" }, id: "a" });
  stream.last.message({ type: "film", data: { id: "2" } });
  stream.last.close(new Error("cut"));
  await clock.tickAsync(1_000);
  stream.last.close(new Error("cut"));
  await clock.tickAsync(2_000);
  stream.last.open();
  stream.last.message({ type: "", data: undefined, id: "b" });
  stream.last.close(new Error("cut"));
  await clock.tickAsync(2_000);
  assertEquals(connections.map(({ lastEventId }) => lastEventId), [undefined, "a", "a", "b"]);
});

Deno.test("what a connection says after it was given up does not count", async () => {
  using stream = start();
  const { clock, connections } = stream;
  const [first] = connections;
  first!.open();
  first!.close(new Error("cut"));
  await clock.tickAsync(1_000);
  first!.message({ type: "film", data: { id: "1", title: "late" }, id: "late" });
  first!.close(new Error("again"));
  first!.close(new Error("final"), true);
  first!.retryAfter(9_999);
  first!.open();
  assertEquals([connections.length, stream.title(), first!.isClosed], [2, undefined, true]);
  stream.last.close(new Error("cut"));
  await clock.tickAsync(2_000);
  assertEquals([connections.length, stream.last.lastEventId], [3, undefined]);
});

Deno.test("without network nothing is tried, and at once when it is back", async () => {
  using stream = start();
  const { clock, connections, page } = stream;
  stream.last.open();
  page.goOffline();
  assertEquals([stream.last.isClosed, clock.pending], [true, 0]);
  await clock.tickAsync(100_000);
  assertEquals(connections.length, 1);
  page.goOnline();
  assertEquals(connections.length, 2);
  stream.last.close(new Error("down"));
  page.goOffline();
  page.goOnline();
  assertEquals(connections.length, 3, "no wait that began before");
  for (let i = 0; i < 4; i++) {
    stream.last.close(new Error("down"));
    await clock.tickAsync(30_000);
  }
  page.goOffline();
  page.goOnline();
  const { length } = connections;
  stream.last.close(new Error("down"));
  await clock.tickAsync(1_000);
  assertEquals(connections.length, length + 1, "the failures of another network do not count");
  stream.last.open();
  page.hide();
  page.show();
  assertEquals(connections.length, length + 1, "hidden pages keep their stream");
});

Deno.test("a stream that starts without network waits for it; one that closes when hidden comes back when seen", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  using page = new FakePage();
  page.goOffline();
  let connected = 0;
  let closed = 0;
  const source = () => {
    connected++;
    return { close: () => void closed++ };
  };
  using controller = new Controller({ managers: [new StreamManager({ source, closeWhenHidden: true })] });
  assertEquals(connected, 0);
  page.hide();
  page.goOnline();
  assertEquals(connected, 0, "hidden");
  page.show();
  assertEquals([connected, closed], [1, 0]);
  page.hide();
  assertEquals([connected, closed], [1, 1]);
  page.show();
  assertEquals([connected, closed], [2, 1]);
  controller.cleanup();
  assertEquals([closed, clock.pending], [2, 0]);
});

Deno.test("a server that refuses is not asked again, and the app learns why; without a handler it is logged", async () => {
  const refusals: unknown[] = [];
  using stream = start({ onRefused: (error) => refusals.push(error) });
  const reason = new Error("403");
  stream.last.close(reason, true);
  await stream.clock.tickAsync(100_000);
  stream.page.goOffline();
  stream.page.goOnline();
  assertEquals([refusals, stream.connections.length], [[reason], 1]);

  const logged = stub(console, "error");
  const errors = await uncaught(() => {
    using other = start();
    other.last.close(reason, true);
  });
  logged.restore();
  assertEquals([errors, logged.calls], [[], [[reason]]]);
});

Deno.test("a source that throws is a refusal", () => {
  const errors: unknown[] = [];
  using controller = new Controller({
    managers: [
      new StreamManager({ source: webSocketSource("no address at all"), onRefused: (error) => errors.push(error) }),
    ],
  });
  assertEquals(stateOf(controller).lastReset, 0);
  assertEquals(errors.length, 1);
  assert((errors[0] as Error).message.toLowerCase().includes("url"), String(errors[0]));
});

Deno.test("a source that ends its connection before it has given it away has it closed, and another is opened", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  let closed = 0;
  const controller = new Controller({
    managers: [
      new StreamManager({
        source: (listener) => {
          listener.open();
          listener.close(new Error("at once"));
          return { close: () => void closed++ };
        },
      }),
    ],
  });
  await clock.tickAsync(500);
  assertEquals(closed, 2);
  controller.cleanup();
  assertEquals([closed, clock.pending], [2, 0]);
});

Deno.test("a connection that does not open, or falls silent, is replaced", async () => {
  using stream = start({ openTimeout: 5_000, maxSilence: 10_000 });
  const { clock, connections } = stream;
  await clock.tickAsync(5_000);
  assertEquals([stream.last.isClosed, connections.length], [true, 1]);
  await clock.tickAsync(500);
  assertEquals(connections.length, 2);
  stream.last.open();
  for (let i = 0; i < 3; i++) {
    await clock.tickAsync(9_000);
    if (i % 2 === 0) stream.last.alive();
    else stream.last.message({ type: "film", data: { id: "1" } });
  }
  assertEquals(stream.last.isClosed, false);
  await clock.tickAsync(10_000);
  assertEquals(stream.last.isClosed, true);
});

Deno.test("onOpen tells whether there was a connection before", async () => {
  const opened: boolean[] = [];
  using stream = start({ onOpen: (_controller, isAgain) => opened.push(isAgain) });
  stream.last.close(new Error("never opened"));
  await stream.clock.tickAsync(1_000);
  stream.last.open();
  stream.last.open();
  stream.last.close(new Error("cut"));
  await stream.clock.tickAsync(2_000);
  stream.last.open();
  assertEquals(opened, [false, true]);
});

Deno.test("13.C5 an onOpen that rejects, since what it asks for fails, is logged, and ends no process", async () => {
  const logged = stub(console, "error");
  const failing = new Endpoint(() => Promise.reject(new Error("down")), { name: "failing" });
  using stream = start({ onOpen: (controller) => controller.fetch(failing) });
  const errors = await uncaught(async () => {
    stream.last.open();
    await flush();
  });
  logged.restore();
  assertEquals([errors, logged.calls.map(([error]) => (error as Error).message)], [[], ["down"]]);
});

Deno.test("subscriptions of the stream are told to the server once a key, and again after a reconnect", async () => {
  using stream = start({
    subscribe: ({ endpoint, args }) => endpoint.name === "getFilm" ? `+${args[0]}` : undefined,
    unsubscribe: ({ args }) => `-${args[0]}`,
  });
  const { controller, clock } = stream;
  const polled = new Endpoint(() => Promise.resolve(1), { name: "polled" });
  controller.subscribe(getFilm, "1");
  stream.last.open();
  controller.subscribe(getFilm, "2");
  controller.subscribe(getFilm, "2");
  controller.subscribe(polled);
  controller.unsubscribe(getFilm, "2");
  assertEquals(stream.last.sent, ["+1", "+2"]);
  controller.unsubscribe(getFilm, "2");
  controller.unsubscribe(getFilm, "2");
  assertEquals(stream.last.sent, ["+1", "+2", "-2"]);
  stream.last.close(new Error("cut"));
  controller.subscribe(getFilm, "3");
  await clock.tickAsync(1_000);
  stream.last.open();
  assertEquals(stream.last.sent, ["+1", "+3"]);
});

Deno.test("a subscribe or unsubscribe that throws is reported, and nobody is served by it", async () => {
  const seen: string[] = [];
  const throws = () => {
    throw new Error("no channel");
  };
  const errors = await uncaught(() => {
    using controller = new Controller({
      managers: [
        new StreamManager({ source: () => ({ close() {} }), subscribe: throws }),
        { middleware: () => () => (action) => void seen.push(action.type) },
      ],
    });
    controller.subscribe(getFilm, "1");
  });
  assertEquals([errors.map(String), seen], [["Error: no channel"], ["subscribe"]]);
});

Deno.test("a handler may stop the controller in the midst of a message", async () => {
  using stream = start({ onMessage: (_message, controller) => controller.cleanup() });
  stream.last.open();
  stream.last.message({ type: "bye", data: {} });
  assertEquals(stream.last.isClosed, true);
  await flush();
});

Deno.test("who is told that the store was emptied may stop the controller, and no stream is opened after that", async () => {
  using stream = start();
  const { controller, connections, clock } = stream;
  onCommit(controller, ({ reset }) => reset && controller.cleanup());
  controller.resetEntireStore();
  await clock.tickAsync(60_000);
  assertEquals(connections.map(({ isClosed }) => isClosed), [true]);
});
