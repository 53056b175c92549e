import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller } from "@rejoin/data";
import type { FetchAction } from "@rejoin/data/extend";
import { useFetch, useLive, useSuspense } from "@rejoin/data/preact";
import { FakeClock, flush } from "../support/clock.ts";
import { uncaught } from "../support/uncaught.ts";
import { App, Film, Server } from "./_cinema.tsx";

/** A controller whose middleware does what it likes with requests. */
function start(answer: (action: FetchAction, next: () => unknown) => unknown) {
  const server = new Server();
  const calls: string[] = [];
  const controller = new Controller({
    strict: true,
    managers: [{
      middleware: () => (next) => (action) => {
        if (action.type !== "fetch") return next(action);
        calls.push(action.key);
        return answer(action, () => next(action));
      },
    }],
  });
  const ONE = { id: "1" };
  const Page = () => <p>{useSuspense(server.getFilm, ONE).title}</p>;
  const List = () => <p>{useSuspense(server.getList).map(({ title }) => title).join()}</p>;
  const Promised = () => {
    const { status, value, reason } = useFetch(server.getFilm, ONE)!;
    return <p>{[status, value?.title, reason].join(" ")}</p>;
  };
  return { server, controller, calls, Page, List, Promised };
}

/** Long enough for anything that would go on without end. */
async function quiet(): Promise<void> {
  for (let tick = 0; tick < 20; tick++) await settled();
}

const ALIEN = { id: "1", title: "Alien" };

Deno.test("13.C2 what a middleware answers a read with is shown, and is in the store", async () => {
  const { controller, server, calls, Page, List, Promised } = start(({ endpoint }) =>
    Promise.resolve(endpoint.name === "getList" ? [ALIEN, { id: "2", title: "Brazil" }] : ALIEN)
  );
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await quiet();
  assertEquals([app.text, calls.length, server.names], ["Alien", 1, ""]);
  app.render(
    <App controller={controller}>
      <List />
    </App>,
  );
  await quiet();
  assertEquals([app.text, calls.length], ["Alien,Brazil", 2]);
  controller.set(Film, "1", { id: "1", title: "Aliens" });
  await quiet();
  assertEquals([app.text, calls.length], ["Aliens,Brazil", 2]);
  controller.resetEntireStore();
  app.render(
    <App controller={controller}>
      <Promised />
    </App>,
  );
  await quiet();
  assertEquals([app.text, calls.length], ["fulfilled Alien ", 3]);
  controller.cleanup();
});

Deno.test("13.C2 what a middleware rejects a read with is shown, and asked again by the button only", async () => {
  let isRefused = true;
  const refused = new Error("not while offline");
  const { controller, calls, Page } = start(() => isRefused ? Promise.reject(refused) : Promise.resolve(ALIEN));
  const errors = await uncaught(async () => {
    await using app = mount(
      <App controller={controller}>
        <Page />
      </App>,
    );
    await quiet();
    assertEquals([app.text.includes("not while offline"), calls.length], [true, 1]);
    isRefused = false;
    app.find("button").click();
    await quiet();
    assertEquals([app.text, calls.length], ["Alien", 2]);
  });
  assertEquals(errors, []);
  controller.cleanup();
});

Deno.test("13.C2 useFetch rejects with what a middleware rejects with", async () => {
  const { controller, calls, Promised } = start(() => Promise.reject(new Error("offline")));
  const errors = await uncaught(async () => {
    await using app = mount(
      <App controller={controller}>
        <Promised />
      </App>,
    );
    await quiet();
    assertEquals([app.text, calls.length], ["rejected  Error: offline", 1]);
  });
  assertEquals(errors, []);
  controller.cleanup();
});

Deno.test("13.C2 an answer that is none is an error, and no endless wait", async () => {
  for (const wrong of [undefined, "<html>", [1]]) {
    const { controller, calls, Page } = start(() => Promise.resolve(wrong));
    await using app = mount(
      <App controller={controller}>
        <Page />
      </App>,
    );
    await quiet();
    assertEquals(
      [app.text.includes("Try again") || /Error|Cannot/.test(app.text), calls.length],
      [true, 1],
      `${wrong}`,
    );
    controller.cleanup();
  }
});

Deno.test("13.C2 a middleware that waits, then passes on, or writes itself, decides what is stored", async () => {
  for (const how of ["passes on", "writes", "writes an error"] as const) {
    let go = () => {};
    const gate = new Promise<void>((resolve) => go = resolve);
    const { controller, server, Page } = start(async (_, next) => {
      await gate;
      if (how === "passes on") return await next();
      if (how === "writes") controller.setResponse(server.getFilm, { id: "1" }, ALIEN);
      else controller.setError(server.getFilm, { id: "1" }, new Error("refused"));
      return { id: "1", title: "not what was written" };
    });
    await using app = mount(
      <App controller={controller}>
        <Page />
      </App>,
    );
    await settled();
    assertEquals(app.text, "…");
    go();
    await settled();
    if (how === "passes on") server.last.answer(ALIEN);
    await quiet();
    assertEquals([app.text.includes(how === "writes an error" ? "refused" : "Alien"), how], [true, how]);
    assertEquals(controller.get(Film, "1")?.title, how === "writes an error" ? undefined : "Alien");
    controller.cleanup();
  }
});

Deno.test("13.C2 what a middleware answers when nobody is there any more is not written", async () => {
  let go = (_: unknown) => {};
  const { controller, Page } = start(() => new Promise((resolve) => go = resolve));
  const app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await settled();
  app.unmount();
  go(ALIEN);
  await flush();
  await settled();
  assertEquals(controller.get(Film, "1"), undefined);
  controller.cleanup();
});

/** A middleware whose answers come when the test says so; a page that shows a film, and another one. */
function held() {
  const answers: ((value: unknown) => void)[] = [];
  const started = start(() => new Promise((resolve) => answers.push(resolve)));
  return { ...started, answers };
}

Deno.test("13.C2 what a middleware answers after a reset is of another person, and is not written", async () => {
  for (const isAtOnce of [true, false]) {
    const { controller, answers, Page } = held();
    await using app = mount(
      <App controller={controller}>
        <Page />
      </App>,
    );
    await settled();
    controller.resetEntireStore();
    if (!isAtOnce) await quiet();
    answers[0]!({ id: "1", title: "of who was logged in before" });
    await quiet();
    assertEquals([controller.get(Film, "1"), app.text, answers.length], [undefined, "…", 2]);
    answers[1]!(ALIEN);
    await quiet();
    assertEquals([app.text, answers.length], ["Alien", 2]);
    controller.cleanup();
  }
});

Deno.test("13.C2 what a middleware answers stands where it was asked for: what came later stays", async () => {
  const { controller, server, answers, List } = held();
  await using app = mount(
    <App controller={controller}>
      <List />
    </App>,
  );
  await settled();
  controller.set(Film, "1", { id: "1", title: "edited since" });
  controller.expire(server.getList);
  answers[0]!([ALIEN, { id: "2", title: "Brazil" }]);
  await quiet();
  assertEquals([app.text, answers.length], ["edited since,Brazil", 2], "stale, so it is asked again");
  answers[1]!([ALIEN]);
  await quiet();
  assertEquals([app.text, answers.length], ["Alien", 2]);
  controller.cleanup();
});

Deno.test("13.C2 what a middleware answers is shown when it is asked again, whatever is shown already", async () => {
  let count = 0;
  const { controller, server, Page } = start(() => Promise.resolve({ id: "1", title: `answer ${++count}` }));
  await using app = mount(
    <App controller={controller}>
      <Page />
      <Page />
    </App>,
  );
  await quiet();
  assertEquals(app.text, "answer 1answer 1");
  const again = [
    () => controller.expire(server.getFilm, { id: "1" }),
    () => controller.invalidate(server.getFilm, { id: "1" }),
    () => controller.resetEntireStore(),
  ];
  for (const [at, ask] of again.entries()) {
    ask();
    await quiet();
    assertEquals([app.text, count], [`answer ${at + 2}`.repeat(2), at + 2]);
  }
  controller.cleanup();
});

Deno.test("13.C2 what a middleware holds back is asked anew when it is invalidated, and for nobody when all have gone", async () => {
  const { controller, server, answers, Page } = held();
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await settled();
  controller.invalidate(server.getFilm, { id: "1" });
  answers[0]!({ id: "1", title: "from before" });
  await quiet();
  assertEquals([app.text, answers.length], ["…", 2]);
  // It is in flight for whoever shows it only: a script that waits for the network does not wait for it.
  await controller.allSettled();
  app.render(<App controller={controller} />);
  await quiet();
  answers[1]!(ALIEN);
  await quiet();
  assertEquals([app.text, controller.get(Film, "1")], ["", undefined]);
  controller.cleanup();
});

Deno.test("13.C2 a read that somebody else lets through is sent once, also for who waits at the middleware", async () => {
  let isHeld = true;
  const { controller, server, Page } = start((_, next) => isHeld ? new Promise(() => {}) : next());
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await settled();
  isHeld = false;
  const film = controller.fetch(server.getFilm, { id: "1" });
  await settled();
  server.last.answer(ALIEN);
  assertEquals([(await film).title, server.names], ["Alien", "getFilm"]);
  await quiet();
  assertEquals(app.text, "Alien");
  controller.cleanup();
});

Deno.test("13.C2 what a middleware answers the timer of a live read with is shown", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  let count = 0;
  const { controller, server } = start(() => Promise.resolve({ id: "1", title: `answer ${++count}` }));
  const endpoint = server.getFilm.extend({ pollFrequency: 5_000 });
  const ONE = { id: "1" };
  const Live = () => <p>{useLive(endpoint, ONE).title}</p>;
  await using app = mount(
    <App controller={controller}>
      <Live />
    </App>,
  );
  await quiet();
  assertEquals(app.text, "answer 1");
  await clock.tickAsync(5_000);
  await quiet();
  assertEquals(app.text, "answer 2");
  controller.cleanup();
});
