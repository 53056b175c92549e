/** What could not be loaded is loaded when it can be: nobody has to press a button. */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, FocusManager, hookifyResource, resource, RestEndpoint } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useDLE, useFetch, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, Failed, Film, press } from "./_cinema.tsx";

/** The page of these tests, that may be hidden, and lose its network. */
class Page {
  hide(): void {
    this.#see("hidden");
  }
  show(): void {
    this.#see("visible");
  }
  focus(): void {
    globalThis.dispatchEvent(new Event("focus"));
  }
  goOffline(): void {
    this.#connect(false);
  }
  goOnline(): void {
    this.#connect(true);
  }
  [Symbol.dispose](): void {
    delete (document as { visibilityState?: string }).visibilityState;
    delete (navigator as { onLine?: boolean }).onLine;
  }
  #see(visibilityState: string): void {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    const { Event } = document.defaultView as unknown as typeof globalThis;
    document.dispatchEvent(new Event("visibilitychange"));
  }
  #connect(onLine: boolean): void {
    Object.defineProperty(navigator, "onLine", { value: onLine, configurable: true });
    globalThis.dispatchEvent(new Event(onLine ? "online" : "offline"));
  }
}

/** Servers that answer with a status of the test's choice, and may be away; an app, its page, its clock. */
function start(options: { managers?: ConstructorParameters<typeof Controller>[0] } = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const page = new Page();
  const controller = new Controller({ strict: true, ...options.managers });
  const requests: string[] = [];
  const state = { status: 503 };
  const serve = (port: number) =>
    Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      const id = pathname.split("/").at(-1)!;
      return Response.json(
        { id, title: `Film ${id}` },
        { status: pathname.startsWith("/health") ? 200 : state.status },
      );
    });
  let server = serve(0);
  const { port } = server.addr;
  const urlPrefix = `http://127.0.0.1:${port}`;
  const films = resource({ urlPrefix, path: "/films/:id", schema: Film });
  const health = new RestEndpoint({ urlPrefix, path: "/health/1" });
  const idle = () => controller.allSettled();
  return {
    clock,
    page,
    controller,
    requests,
    state,
    films,
    health,
    Title: ({ id }: { id: string }) => <p>{useSuspense(films.get, { id }).title}</p>,
    /** Lets what is on its way come, and be shown. */
    async shown() {
      await settled();
      await idle();
      await settled();
    },
    /** Lets time pass in small steps, with what comes of it. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 250) {
        clock.tick(250);
        await idle();
        await settled();
      }
    },
    async stop() {
      await server.shutdown();
    },
    restart() {
      server = serve(port);
    },
    [Symbol.asyncDispose]: async () => {
      await settled();
      assertEquals(clock.pending, 0, "nothing remains");
      controller.cleanup();
      page[Symbol.dispose]();
      restore();
      await server.shutdown();
    },
  };
}

Deno.test("13.C10 what could not be loaded is shown as soon as the server answers anything again, without a click", async () => {
  await using cinema = start();
  const { controller, health, state, Title } = cinema;
  await using app = mount(
    <App controller={controller}>
      <Title id="1" />
    </App>,
  );
  await cinema.shown();
  assert(app.text.startsWith("NetworkError"), app.text);
  state.status = 200;
  await controller.fetch(health);
  await cinema.pass(500);
  assertEquals([app.text, cinema.requests], ["Film 1", ["/films/1", "/health/1", "/films/1"]]);
});

Deno.test("13.C10 what could not be loaded is shown when the server is back, though nobody asks for anything", async () => {
  await using cinema = start();
  const { controller, state, Title } = cinema;
  await using app = mount(
    <App controller={controller}>
      <Title id="1" />
    </App>,
  );
  await cinema.shown();
  const button = app.find("button");
  await cinema.pass(5_000);
  assert(cinema.requests.length > 2);
  assert(app.find("button") === button, "what shows the error stays where it is");
  state.status = 200;
  await cinema.pass(8_000);
  assertEquals(app.text, "Film 1");
  const { length } = cinema.requests;
  await cinema.pass(60_000);
  assertEquals(cinema.requests.length, length, "and then it is quiet");
});

Deno.test("13.C10 a server that was not there at all is found when it is", async () => {
  await using cinema = start();
  const { controller, state, Title } = cinema;
  await cinema.stop();
  state.status = 200;
  await using app = mount(
    <App controller={controller}>
      <Title id="1" />
    </App>,
  );
  await cinema.shown();
  await cinema.pass(3_000);
  assert(app.text.startsWith("NetworkError"), app.text);
  cinema.restart();
  await cinema.pass(8_000);
  assertEquals(app.text, "Film 1");
});

Deno.test("13.C10 what failed is asked again when the page is looked at or the network is back, with and without a FocusManager", async () => {
  for (const comeBack of ["focus", "show", "goOnline"] as const) {
    for (const managers of [[], [new FocusManager()]]) {
      await using cinema = start({ managers: { managers } });
      const { controller, state, page, clock, Title } = cinema;
      if (comeBack === "show") page.hide();
      if (comeBack === "goOnline") page.goOffline();
      await using app = mount(
        <App controller={controller}>
          <Title id="1" />
        </App>,
      );
      await cinema.shown();
      assertEquals(cinema.requests.length, 1);
      if (comeBack !== "focus") {
        await cinema.pass(100_000);
        assertEquals(cinema.requests.length, 1, "nothing is tried meanwhile");
      } else clock.jump(1_000);
      state.status = 200;
      page[comeBack]();
      await cinema.pass(1_500);
      assertEquals([app.text, cinema.requests.length], ["Film 1", 2], comeBack);
    }
  }
});

Deno.test("13.C10 a refusal is not asked again by itself, and is healed by invalidation, by a stale mark, by a click", async () => {
  for (const heal of ["invalidate", "expireAll", "click", "setResponse"] as const) {
    await using cinema = start({ managers: { managers: [new FocusManager()] } });
    const { controller, state, page, films, health, Title } = cinema;
    state.status = 404;
    await using app = mount(
      <App controller={controller}>
        <Title id="1" />
      </App>,
    );
    await cinema.shown();
    await controller.fetch(health);
    await cinema.pass(70_000);
    page.focus();
    page.goOffline();
    page.goOnline();
    await cinema.pass(2_000);
    assertEquals(cinema.requests, ["/films/1", "/health/1"]);
    assert(app.text.startsWith("NetworkError"), app.text);
    state.status = 200;
    if (heal === "invalidate") controller.invalidate(films.get, { id: "1" });
    else if (heal === "expireAll") controller.expireAll(films.get);
    else if (heal === "click") press(app.find("button"));
    else controller.setResponse(films.get, { id: "1" }, { id: "1", title: "Film 1" });
    await cinema.shown();
    assertEquals([app.text, cinema.requests.length], ["Film 1", heal === "setResponse" ? 2 : 3], heal);
  }
});

Deno.test("13.C10 old data that is shown is asked for again when its origin is back, not as time passes, and not for another origin", async () => {
  await using cinema = start();
  await using other = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => Response.json(5));
  const { controller, state, films, health, Title } = cinema;
  const elsewhere = new RestEndpoint({ urlPrefix: `http://127.0.0.1:${other.addr.port}`, path: "/" });
  controller.setResponse(films.get, { id: "1" }, { id: "1", title: "Old" });
  await using app = mount(
    <App controller={controller}>
      <Title id="1" />
    </App>,
  );
  await settled();
  controller.expireAll(films.get);
  await cinema.shown();
  await cinema.pass(70_000);
  await controller.fetch(elsewhere);
  await cinema.pass(1_000);
  assertEquals([app.text, cinema.requests], ["Old", ["/films/1"]]);
  await controller.fetch(health);
  await cinema.pass(500);
  assertEquals(cinema.requests, ["/films/1", "/health/1", "/films/1"]);
  // It has failed again: from now on it is asked for by itself.
  state.status = 200;
  await cinema.pass(1_000);
  assertEquals([app.text, cinema.requests.length], ["Film 1", 4]);
});

/** Films that a test answers, each request with the time when it came; all that fails may pass. */
function theatre() {
  const clock = new FakeClock();
  const restore = clock.install();
  const page = new Page();
  const controller = new Controller();
  const asked: { id: string; at: number; fail: () => void; answer: () => void }[] = [];
  const soft = { errorPolicy: () => "soft" as const };
  const get = new Endpoint(
    ({ id }: { id: string }) =>
      new Promise((resolve, reject) =>
        asked.push({
          id,
          at: clock.elapsed,
          fail: () => reject(new Error(`down since ${asked.length}`)),
          answer: () => resolve({ id, title: `Film ${id}` }),
        })
      ),
    { name: "get", schema: Film, ...soft },
  );
  const ping = new Endpoint(() => Promise.resolve("pong"), { name: "ping" });
  return {
    clock,
    page,
    controller,
    asked,
    get,
    ping,
    Title: ({ id }: { id: string }) => <p>{(useSuspense(get, { id }) as Film).title}</p>,
    async pass(ms: number, step = 50) {
      for (let passed = 0; passed < ms; passed += step) {
        clock.tick(step);
        await settled();
      }
    },
    [Symbol.dispose]: () => {
      assertEquals(clock.pending, 0, "nothing remains");
      controller.cleanup();
      page[Symbol.dispose]();
      restore();
    },
  };
}

Deno.test("13.C10 waits double, from a second to a minute, each shorter by chance by up to a half", async () => {
  for (const [drawn, part] of [[0, 0.5], [0.999999, 1]] as const) {
    using cinema = theatre();
    const { controller, asked, clock, Title } = cinema;
    clock.draw(() => drawn);
    await using app = mount(
      <App controller={controller}>
        <Title id="1" />
      </App>,
    );
    await settled();
    for (let round = 0; round < 9; round++) {
      const { length } = asked;
      asked.at(-1)!.fail();
      await settled();
      while (asked.length === length) await cinema.pass(100, 100);
    }
    const waits = asked.slice(1).map(({ at }, before) => Math.round(at - asked[before]!.at));
    assertEquals(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000 * part));
    assert(app.text.startsWith("Error: down"), app.text);
  }
});

Deno.test("13.C10 of many that failed four are asked at a time, spread over half a second", async () => {
  using cinema = theatre();
  const { controller, asked, clock, ping, Title } = cinema;
  let drawn = 0;
  clock.draw(() => (drawn = (drawn + 0.37) % 1));
  const ids = Array.from({ length: 10 }, (_, at) => String(at));
  await using app = mount(
    <DataProvider controller={controller}>
      {ids.map((id) => (
        <AsyncBoundary key={id} errorComponent={() => <>-</>}>
          <Title id={id} />
        </AsyncBoundary>
      ))}
    </DataProvider>,
  );
  await settled();
  for (const { fail } of asked.splice(0)) fail();
  await settled();
  assertEquals(app.text, "-".repeat(10));
  await controller.fetch(ping);
  await cinema.pass(3_000, 10);
  assertEquals(asked.length, 4, "no more than four");
  assert(new Set(asked.map(({ at }) => at)).size > 1, "not all at once");
  for (let answered = 0; answered < ids.length; answered++) {
    assert(asked.length - answered <= 4);
    asked[answered]!.answer();
    await settled();
    await cinema.pass(10, 10);
  }
  assertEquals(app.text, ids.map((id) => `Film ${id}`).join(""));
});

Deno.test("13.C10 a read that is broken by itself is not asked again with everything that succeeds beside it", async () => {
  using cinema = theatre();
  const { controller, asked, ping, Title } = cinema;
  await using _ = mount(
    <App controller={controller}>
      <Title id="1" />
    </App>,
  );
  await settled();
  asked[0]!.fail();
  await settled();
  for (let second = 0; second < 120; second++) {
    await controller.fetch(ping);
    await cinema.pass(1_000, 500);
    asked.at(-1)!.fail();
    await settled();
  }
  assert(asked.length > 3 && asked.length < 14, String(asked.length));
});

Deno.test("13.C10 a boundary shows its children when all that failed below is there, and not while one of them is not", async () => {
  using cinema = theatre();
  const { controller, asked, get, Title } = cinema;
  const renders: string[] = [];
  await using app = mount(
    <App controller={controller}>
      <Title id="1" />
      <Title id="2" />
    </App>,
  );
  await settled();
  for (const { fail } of asked.splice(0)) fail();
  await settled();
  controller.setResponse(get, { id: "1" }, { id: "1", title: "Film 1" } as never);
  await settled();
  renders.push(app.text);
  controller.setResponse(get, { id: "2" }, { id: "2", title: "Film 2" } as never);
  await settled();
  assertEquals(app.text, "Film 1Film 2");
  assert(renders[0]!.startsWith("Error"), renders[0]);
});

Deno.test("13.C10 what a component threw by itself stays, whatever else heals", async () => {
  using cinema = theatre();
  const { controller, asked, Title } = cinema;
  const Broken = () => {
    throw new Error("a bug");
  };
  await using app = mount(
    <App controller={controller}>
      <Broken />
      <Title id="1" />
    </App>,
  );
  await settled();
  asked[0]?.fail();
  await settled();
  await cinema.pass(2_000);
  asked.at(-1)?.answer();
  await cinema.pass(2_000);
  assertEquals(app.text, "Error: a bug");
});

Deno.test("13.C10 useFetch tells of what is there after it failed, and a store that is emptied asks anew", async () => {
  using cinema = theatre();
  const { controller, asked, get } = cinema;
  function Page() {
    const film = useFetch(get, { id: "1" });
    film?.then(() => {}, () => {});
    return <p>{film?.status}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await settled();
  asked[0]!.fail();
  await settled();
  assertEquals(app.text, "rejected");
  await cinema.pass(1_000);
  asked[1]!.answer();
  await settled();
  assertEquals([app.text, asked.length], ["fulfilled", 2]);

  await using other = mount(
    <App controller={controller}>
      <OnlyFilm get={get} />
    </App>,
  );
  await settled();
  asked[2]!.fail();
  await settled();
  assert(other.text.startsWith("Error"));
  controller.resetEntireStore();
  await settled();
  assertEquals(other.text, "…");
});

function OnlyFilm({ get }: { get: ReturnType<typeof theatre>["get"] }) {
  return <p>{(useSuspense(get, { id: "2" }) as Film).title}</p>;
}

Deno.test("13.C10 whoever leaves while it is asked again gives the request up, and nothing remains", async () => {
  using cinema = theatre();
  const { controller, asked, Title } = cinema;
  const app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary errorComponent={Failed}>
        <Title id="1" />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  asked[0]!.fail();
  await settled();
  await cinema.pass(1_000);
  assertEquals(asked.length, 2);
  app.unmount();
  await settled();
  await controller.allSettled();
  await cinema.pass(100_000, 5_000);
  assertEquals([asked.length, cinema.clock.idle], [2, 0]);
});

Deno.test("13.C10 reads that have failed with one error are asked again, and healed, each by itself", async () => {
  for (const isOneBoundary of [false, true]) {
    await using app = start();
    const requests = () => app.requests.splice(0).map((path) => path.split("/").at(-1)).sort();
    // As a batch fails, or a middleware that has one error for all.
    const refused = new Error("refused");
    let isRefused = true;
    const controller = new Controller({
      managers: [{
        middleware: () => (next) => (action) =>
          action.type === "fetch" && isRefused ? Promise.reject(refused) : next(action),
      }],
    });
    app.state.status = 200;
    const Retry = ({ resetErrorBoundary }: { resetErrorBoundary: () => void }) => (
      <button type="button" onClick={resetErrorBoundary}>failed</button>
    );
    const titles = ["1", "2", "3"].map((id) => <app.Title key={id} id={id} />);
    const pages = isOneBoundary ? [titles] : titles;
    await using page = mount(
      <DataProvider controller={controller}>
        {pages.map((each, at) => <AsyncBoundary key={at} fallback="…" errorComponent={Retry}>{each}</AsyncBoundary>)}
      </DataProvider>,
    );
    await app.shown();
    assertEquals(page.text, "failed".repeat(pages.length));
    isRefused = false;
    app.clock.tick(1_000);
    press(page.find("button"));
    await settled();
    await controller.allSettled();
    await settled();
    if (isOneBoundary) {
      assertEquals([page.text, requests()], ["Film 1Film 2Film 3", ["1", "2", "3"]]);
    } else {
      assertEquals([page.text, requests()], ["Film 1failedfailed", ["1"]]);
      controller.setResponse(app.films.get, { id: "3" }, { id: "3", title: "by hand" });
      await settled();
      assertEquals([page.text, requests()], ["Film 1failedby hand", []]);
    }
    page.unmount();
    controller.cleanup();
  }
});

class Me extends Entity {
  id = "";
  name = "";
  static key = "Me";
}

Deno.test("13.C10 what failed is asked again with the token of who reads it now, never with that of who read it before", async () => {
  const hooks = {
    useSuspense: (endpoint: MeEndpoint) => useSuspense(endpoint, ME).name,
    useFetch: (endpoint: MeEndpoint) => useFetch(endpoint, ME)!.value?.name,
    useDLE: (endpoint: MeEndpoint) => useDLE(endpoint, ME).data?.name,
  };
  for (const [hook, nameBy] of Object.entries(hooks)) {
    for (const trigger of ["time", "expire", "focus"] as const) {
      await using app = start({ managers: { managers: [new FocusManager()] } });
      const asked: string[] = [];
      let status = 200;
      await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ headers }) => {
        const name = headers.get("token")!;
        asked.push(name);
        return Response.json({ id: "me", name }, { status });
      });
      const people = resource({ urlPrefix: `http://127.0.0.1:${server.addr.port}`, path: "/people/:id", schema: Me });
      let token = "ann";
      const { useGet } = hookifyResource(people, () => ({ headers: { token } }));
      const Name = () => <p>{nameBy(useGet())}</p>;
      const { controller } = app;
      const page = (who: string) => (
        <App key={who} controller={controller}>
          <Name />
        </App>
      );
      await using shown = mount(page("ann"));
      await app.shown();
      assertEquals([shown.text, asked.splice(0)], ["ann", ["ann"]]);
      shown.render(<App controller={controller} />);
      await settled();
      token = "bob";
      status = 503;
      controller.resetEntireStore();
      shown.render(page("bob"));
      await app.shown();
      assertEquals([shown.text.includes("ann"), new Set(asked.splice(0))], [false, new Set(["bob"])], hook);
      status = 200;
      if (trigger === "expire") controller.expire(people.get, ME);
      if (trigger === "focus") app.page.focus();
      await app.pass(3_000);
      assertEquals([shown.text, new Set(asked)], ["bob", new Set(["bob"])], `${hook}, ${trigger}`);
    }
  }
});

Deno.test("13.C10 what useDLE fetches again is asked for with the token of who reads it now", async () => {
  await using app = start();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    ({ headers }) => Response.json({ id: "me", name: headers.get("token") }),
  );
  const people = resource({ urlPrefix: `http://127.0.0.1:${server.addr.port}`, path: "/people/:id", schema: Me });
  let token = "old";
  let again: () => Promise<Me>;
  const { useGet } = hookifyResource(people, () => ({ headers: { token } }));
  const Name = (_: { who: string }) => {
    const { data, refetch } = useDLE(useGet(), ME);
    again = refetch;
    return <p>{data?.name}</p>;
  };
  const page = () => (
    <App controller={app.controller}>
      <Name who={token} />
    </App>
  );
  await using shown = mount(page());
  await app.shown();
  assertEquals(shown.text, "old");
  token = "new";
  shown.render(page());
  await app.shown();
  assertEquals((await again!()).name, "new");
});

const ME = { id: "me" };
type MeEndpoint = ReturnType<typeof resource<"/people/:id", typeof Me>>["get"];
