import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  batch,
  cacheControl,
  conditional,
  ConflictError,
  Controller,
  Entity,
  followRedirects,
  ifMatch,
  latest,
  resource,
  RestEndpoint,
  TimeoutError,
} from "@rejoin/data";
import type { Step } from "@rejoin/data/extend";
import { FakeClock, flush } from "../support/clock.ts";
import { type FaultServer, startFaultServer } from "../support/fault_server.ts";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What is slow, and for how long: each of them is within the deadline by itself. */
const STEPS = ["getRequestInit", "getHeaders", "fetchResponse", "parseResponse", "process"] as const;

function slowEndpoint(server: FaultServer, ms: number, own: object = {}) {
  return new RestEndpoint({
    urlPrefix: server.origin,
    path: "/json",
    deadline: 150,
    async getRequestInit(body?: unknown) {
      await pause(ms);
      return RestEndpoint.prototype.getRequestInit.call(this, body);
    },
    async getHeaders(headers: Record<string, string>) {
      await pause(ms);
      return headers;
    },
    async fetchResponse(url: string, init: RequestInit) {
      await pause(ms / 4);
      return await RestEndpoint.prototype.fetchResponse(url, init);
    },
    async parseResponse(response: Response) {
      await pause(ms / 4);
      return await RestEndpoint.prototype.parseResponse.call(this, response);
    },
    async process(value: unknown) {
      await pause(ms);
      return value;
    },
    ...own,
  });
}

Deno.test("13.C4 one deadline is over all that a call waits for, by itself and in a controller", async () => {
  await using server = await startFaultServer();
  using controller = new Controller();
  for (const method of ["GET", "POST"]) {
    const slow = slowEndpoint(server, 80, { method });
    for (const call of [() => slow(), () => controller.fetch(slow)]) {
      const error = await assertRejects(call, TimeoutError);
      assertEquals([error.deadline, error.method], [150, method]);
    }
    assertEquals(await slowEndpoint(server, 1, { method, deadline: 5_000 })(), { ok: true });
  }
  await server.settled();
});

Deno.test("13.C4 whichever step is the last that is waited for, the deadline ends the call, and leaves nothing behind", async () => {
  await using server = await startFaultServer();
  for (const step of STEPS) {
    const clock = new FakeClock();
    using _ = clock.install();
    const plain = slowEndpoint(server, 0) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const inherited = plain[step]!;
    let isReached = false;
    const held = Promise.withResolvers<void>();
    const own = {
      async [step](this: unknown, ...args: unknown[]) {
        isReached = true;
        await held.promise;
        return await inherited.apply(this, args);
      },
    };
    const endpoint = new RestEndpoint({ urlPrefix: server.origin, path: "/json", deadline: 1_000 }).extend(
      own as object,
    );
    server.clear();
    const call = endpoint().then(() => "fulfilled", (error: unknown) => error);
    await clock.tickAsync(999);
    while (!isReached) await flush();
    await clock.tickAsync(1);
    assertInstanceOf(await call, TimeoutError, step);
    assertEquals(clock.pending, 0, step);
    // What comes late sends nothing.
    const sent = server.requests.length;
    held.resolve();
    await pause(5);
    assertEquals(server.requests.length, step === "getRequestInit" || step === "getHeaders" ? 0 : sent, step);
  }
  await server.settled();
});

Deno.test("13.C4 the deadline of a batch is over the making of its items, too", async () => {
  await using server = await startFaultServer({
    fallback: async (request) => {
      await pause(80);
      return Response.json(new URL(request.url).searchParams.get("ids")!.split(",").map((id) => ({ id })));
    },
  });
  using controller = new Controller();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    deadline: 150,
    getMany: batch({ param: "ids", separator: "," }),
    async process(value: unknown) {
      await pause(120);
      return value;
    },
  });
  const all = await Promise.allSettled(["1", "2"].map((id) => controller.fetch(getFilm, { id })));
  for (const result of all) assertInstanceOf(result.status === "rejected" && result.reason, TimeoutError);
  await server.settled();
});

Deno.test("13.C4 a conflict is told within the deadline, also where what the server has cannot be read in time", async () => {
  let isSlow = false;
  let reads = 0;
  await using server = await startFaultServer({
    fallback: async (request) => {
      if (request.method !== "GET") {
        await pause(20);
        return new Response("no", { status: 412 });
      }
      if (reads++ > 0 && isSlow) await pause(1_500);
      const headers = { etag: '"1"' };
      return Response.json({ id: "5", title: "theirs" }, { headers });
    },
  });
  for (isSlow of [false, true]) {
    const { get, partialUpdate } = resource({
      urlPrefix: server.origin,
      path: "/films/:id",
      schema: Film,
      use: [ifMatch()],
      deadline: isSlow ? 400 : 20_000,
    });
    reads = 0;
    using controller = new Controller();
    await controller.fetch(get, { id: "5" });
    const start = performance.now();
    const error = await assertRejects(
      () => controller.fetch(partialUpdate, { id: "5" }, { title: "mine" }),
      ConflictError,
    );
    assert(performance.now() - start < 1_400);
    assertEquals(error.mine, { title: "mine" });
    assertEquals(error.theirs, isSlow ? undefined : { id: "5", title: "theirs" });
  }
  await server.settled();
});

Deno.test("13.C4 an unchanged answer that has to be read again is read within the same deadline", async () => {
  await using server = await startFaultServer({
    fallback: (request) =>
      request.headers.has("if-none-match")
        ? new Response(null, { status: 304 })
        : Response.json({ id: "5", title: "x" }, { headers: { etag: '"1"' } }),
  });
  let isSlow = false;
  const get = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    schema: Film,
    use: [conditional()],
    deadline: 300,
    async process(value: unknown) {
      if (isSlow) await pause(1_500);
      return value;
    },
  });
  using controller = new Controller();
  await controller.fetch(get, { id: "5" });
  controller.set(Film, { id: "5" }, { id: "5", title: "changed" });
  isSlow = true;
  const start = performance.now();
  await assertRejects(() => controller.fetch(get, { id: "5" }), TimeoutError);
  assert(performance.now() - start < 1_400);
  assertEquals(server.requests.length, 2);
});

/** Goes on whatever happens: tries again what has failed, twice. */
const stubborn: Step = async (call, next) => {
  for (let times = 0;; times++) {
    try {
      return await next(call);
    } catch (error) {
      if (times === 2) throw error;
    }
  }
};

const USES: { readonly [name: string]: readonly Step[] } = {
  "conditional()": [conditional()],
  "ifMatch()": [ifMatch()],
  "cacheControl()": [cacheControl()],
  "followRedirects()": [followRedirects()],
  "all of them": [conditional(), ifMatch(), cacheControl(), followRedirects()],
  "all of them, the other way round": [followRedirects(), cacheControl(), ifMatch(), conditional()],
  "a step that tries again, outside": [stubborn, followRedirects(), conditional()],
  "a step that tries again, inside": [conditional(), followRedirects(), stubborn],
};

for (const [name, use] of Object.entries(USES)) {
  Deno.test(`14.5 one deadline is over all that a call waits for with ${name}`, async () => {
    await using server = await startFaultServer();
    for (const held of [...STEPS, "the end of a redirect"] as const) {
      const clock = new FakeClock();
      using _ = clock.install();
      using controller = new Controller();
      const isHop = held === "the end of a redirect";
      if (isHop && !name.includes("all") && !name.includes("edirect") && !name.includes("step")) continue;
      const base = new RestEndpoint({
        urlPrefix: server.origin,
        path: "/redirect",
        searchParams: {} as { path?: string },
        use: isHop ? use : [...use, followRedirects()],
        deadline: 1_000,
      });
      const inherited = (base as unknown as Record<string, (...args: unknown[]) => unknown>)[held];
      const door = Promise.withResolvers<void>();
      let isReached = false;
      const own = {
        async [held](this: unknown, ...args: unknown[]) {
          isReached = true;
          await door.promise;
          return await inherited!.apply(this, args);
        },
      };
      const get = isHop ? base : base.extend(own as object);
      const params = { path: isHop ? "/hang" : "/json" };
      for (const call of [() => get(params), () => controller.fetch(get, params)]) {
        server.clear();
        isReached = false;
        const outcome = call().then(() => "fulfilled", (error: unknown) => error);
        await clock.tickAsync(999);
        while (isHop ? server.requests.length < 2 : !isReached) await pause(1);
        await clock.tickAsync(1);
        const error = await outcome;
        assertInstanceOf(error, TimeoutError, `${held}: ${error}`);
        assertEquals(error.deadline, 1_000, held);
      }
      const sent = server.requests.length;
      door.resolve();
      await pause(5);
      assertEquals(server.requests.length, sent, `${held}: nothing is sent late`);
      assertEquals(clock.pending, 0, held);
    }
    await server.settled();
  });
}

Deno.test("14.5 a step that never goes on, or never comes back, is under the deadline, and sends nothing late", async () => {
  await using server = await startFaultServer();
  for (const when of ["before", "after"] as const) {
    const clock = new FakeClock();
    using _ = clock.install();
    const door = Promise.withResolvers<void>();
    const slow: Step = async (call, next) => {
      if (when === "before") await door.promise;
      const reply = await next(call);
      await door.promise;
      return reply;
    };
    for (const use of [[slow], [conditional(), slow, ifMatch()], [slow, followRedirects()]]) {
      server.clear();
      const get = new RestEndpoint({ urlPrefix: server.origin, path: "/json", deadline: 1_000, use });
      const outcome = get().then(() => "fulfilled", (error: unknown) => error);
      while (when === "after" && server.requests.length === 0) await pause(1);
      await clock.tickAsync(1_000);
      assertInstanceOf(await outcome, TimeoutError, when);
      assertEquals(clock.pending, 0);
    }
    const sent = server.requests.length;
    door.resolve();
    await pause(5);
    assertEquals(server.requests.length, sent);
  }
  await server.settled();
});

Deno.test("14.5 what has waited in the line of its scope has its whole deadline, and all of its steps have that one", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const door = Promise.withResolvers<void>();
  let sent = 0;
  const save = new RestEndpoint({
    urlPrefix: "https://x.test",
    path: "/films",
    method: "PATCH",
    deadline: 1_000,
    use: [ifMatch(), followRedirects()],
    scope: latest(() => "films"),
    async getHeaders(headers: Record<string, string>) {
      if (++sent > 1) await door.promise;
      return headers;
    },
    fetchResponse: () => new Promise(() => {}),
  });
  using controller = new Controller();
  const outcomes = [1, 2, 3].map((size) =>
    controller.fetch(save, { size }).then(() => 0, (error: Error) => error.name)
  );
  await clock.tickAsync(1_000);
  assertEquals([await outcomes[0], sent], ["TimeoutError", 2]);
  await clock.tickAsync(999);
  assertEquals(controller.store.sequence.size, 2);
  await clock.tickAsync(1);
  assertEquals(await Promise.all(outcomes), ["TimeoutError", "TimeoutError", "TimeoutError"]);
  assertEquals([clock.pending, controller.store.sequence.size], [0, 0]);
});
