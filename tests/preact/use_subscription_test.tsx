import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, type Manager, PollingManager } from "@rejoin/data";
import { useCache, useLive, useSubscription } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, Server } from "./_cinema.tsx";

/** A server, a clock, and pages that show a film live, or only keep it up to date. */
function start(pollFrequency: number | undefined = 1_000, ...managers: Manager[]) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ managers });
  const get = server.filmEndpoint({ pollFrequency });
  function Live({ id }: { readonly id: string | null }) {
    return <p>{useLive(get, id === null ? null : { id })?.title ?? "none"}</p>;
  }
  function Keep({ id }: { readonly id: string | null }) {
    useSubscription(get, id === null ? null : { id });
    return <p>kept</p>;
  }
  return {
    clock,
    server,
    controller,
    get,
    live: (id: string | null) => (
      <App controller={controller}>
        <Live id={id} />
      </App>
    ),
    keep: (...ids: readonly (string | null)[]) => (
      <App controller={controller}>{ids.map((id, index) => <Keep key={index} id={id} />)}</App>
    ),
    /** Lets time pass, and everything be shown. */
    pass: async (ms: number) => {
      await clock.tickAsync(ms);
      await settled();
    },
    asked: () => server.asked.splice(0).map(({ args }) => (args[0] as { id: string }).id),
    [Symbol.dispose]: () => {
      controller.cleanup();
      assertEquals(clock.pending, 0, "no timer remains");
      restore();
    },
  };
}

Deno.test("useLive shows the data, then what each poll brings, without any manager in the list", async () => {
  using cinema = start();
  await using app = mount(cinema.live("1"));
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(app.text, "Alien");
  await cinema.pass(1_000);
  assertEquals(app.text, "Alien", "while it is asked for again, what is there is shown");
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, cinema.server.asked.length], ["Aliens", 2]);
  app.unmount();
  await settled();
  await cinema.pass(5_000);
  assertEquals([cinema.server.asked.length, cinema.clock.pending], [2, 0]);
});

Deno.test("useSubscription asks while it is mounted, and gives up what is on its way when it goes", async () => {
  using cinema = start();
  const app = mount(cinema.keep("1"));
  await settled();
  await cinema.pass(0);
  assertEquals(cinema.server.names, "getFilm");
  app.unmount();
  await settled();
  assertEquals([cinema.server.last.isAborted, cinema.clock.pending], [true, 0]);
});

Deno.test("what useCache shows beside useSubscription comes back after an invalidation, without waiting for the next poll", async () => {
  using cinema = start(60_000);
  const { controller, get, server } = cinema;
  function Cached() {
    useSubscription(get, { id: "1" });
    return <p>{useCache(get, { id: "1" })?.title ?? "none"}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Cached />
    </App>,
  );
  await settled();
  await cinema.pass(0);
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  await cinema.pass(1_000);
  controller.invalidate(get, { id: "1" });
  await cinema.pass(0);
  assertEquals([app.text, server.asked.length], ["none", 2]);
  server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals(app.text, "Aliens");
});

Deno.test("useSubscription goes from one key to another with its arguments, and to none with null", async () => {
  using cinema = start();
  await using app = mount(cinema.keep(null));
  await settled();
  await cinema.pass(5_000);
  assertEquals(cinema.asked(), []);
  app.render(cinema.keep("1"));
  await settled();
  await cinema.pass(0);
  const [first] = cinema.server.asked;
  assertEquals(cinema.asked(), ["1"]);
  app.render(cinema.keep("2"));
  await settled();
  await cinema.pass(0);
  assertEquals([first!.isAborted, cinema.asked()], [true, ["2"]]);
  app.render(cinema.keep(null));
  await settled();
  assertEquals(cinema.clock.pending, 0);
});

Deno.test("two components of one key are one poll, until both are gone", async () => {
  using cinema = start();
  await using app = mount(cinema.keep("1", "1"));
  await settled();
  await cinema.pass(0);
  cinema.server.last.answer({ id: "1" });
  await settled();
  assertEquals(cinema.asked(), ["1"]);
  app.render(cinema.keep("1"));
  await settled();
  await cinema.pass(1_000);
  assertEquals(cinema.asked(), ["1"]);
  app.render(cinema.keep());
  await settled();
  await cinema.pass(5_000);
  assertEquals(cinema.asked(), []);
});

Deno.test("a rendering with the same arguments neither subscribes again nor shifts the next poll", async () => {
  const seen: string[] = [];
  using cinema = start(1_000, { middleware: () => (next) => (action) => (seen.push(action.type), next(action)) });
  await using app = mount(cinema.keep("1"));
  await settled();
  await cinema.pass(0);
  cinema.server.last.answer({ id: "1" });
  for (let i = 0; i < 5; i++) {
    await cinema.pass(150);
    app.render(cinema.keep("1"));
    await settled();
  }
  assertEquals(cinema.asked(), ["1"]);
  await cinema.pass(250);
  assertEquals(cinema.asked(), ["1"]);
  assertEquals(seen.filter((type) => type === "subscribe").length, 1);
});

Deno.test("an endpoint that is made at each rendering is asked with the newest one, and its request is not given up", async () => {
  using cinema = start();
  const tokens: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  let answer = () => {};
  function Keep({ token }: { readonly token: string }) {
    useSubscription(
      new Endpoint(function (this: { signal?: AbortSignal }) {
        tokens.push(token);
        signals.push(this.signal);
        return new Promise<void>((resolve) => answer = resolve);
      }, { name: "secret", pollFrequency: 1_000 }),
    );
    return null;
  }
  const page = (token: string) => (
    <App controller={cinema.controller}>
      <Keep token={token} />
    </App>
  );
  await using app = mount(page("old"));
  await settled();
  await cinema.pass(0);
  app.render(page("new"));
  await settled();
  assertEquals([tokens, signals[0]?.aborted], [["old"], false]);
  answer();
  await cinema.pass(1_000);
  assertEquals(tokens, ["old", "new"]);
});

Deno.test("mounting, going and mounting again in one breath leaves one subscription", async () => {
  using cinema = start();
  await using app = mount(cinema.keep("1"));
  await settled();
  app.render(cinema.keep());
  await settled();
  app.render(cinema.keep("1"));
  await settled();
  await cinema.pass(0);
  assertEquals(cinema.asked(), ["1"]);
  app.render(cinema.keep());
  await settled();
  assertEquals(cinema.clock.pending, 0);
});

Deno.test("a component that goes before its first frame subscribes to nothing", async () => {
  using cinema = start();
  const app = mount(cinema.keep("1"));
  app.unmount();
  await settled();
  await cinema.pass(5_000);
  assertEquals(cinema.asked(), []);
});

Deno.test("a manager in the list that claims a subscription serves it alone", async () => {
  const claimed: string[] = [];
  const channel: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type !== "subscribe" && action.type !== "unsubscribe") return next(action);
      claimed.push(`${action.type} ${action.key}`);
    },
  };
  using cinema = start(1_000, channel);
  await using app = mount(cinema.keep("1"));
  await settled();
  await cinema.pass(5_000);
  app.render(cinema.keep());
  await settled();
  const key = cinema.get.key({ id: "1" });
  assertEquals([claimed, cinema.asked()], [[`subscribe ${key}`, `unsubscribe ${key}`], []]);
});

Deno.test("with a PollingManager in the list nothing is polled twice", async () => {
  using cinema = start(300, new PollingManager());
  await using _ = mount(cinema.keep("1"));
  await settled();
  await cinema.pass(0);
  cinema.server.last.answer({ id: "1" });
  await cinema.pass(300);
  assertEquals(cinema.asked(), ["1", "1"]);
});

Deno.test("useSubscription without a frequency asks for nothing, useLive then reads once", async () => {
  using cinema = start(undefined);
  const endpoint = cinema.server.filmEndpoint();
  function Live() {
    return <p>{useLive(endpoint, { id: "1" }).title}</p>;
  }
  await using app = mount(
    <App controller={cinema.controller}>
      <Live />
    </App>,
  );
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  await cinema.pass(100_000);
  assertEquals([app.text, cinema.asked()], ["Alien", ["1"]]);
});

Deno.test("a frequency that is none is shown by the nearest error boundary", async () => {
  using cinema = start(-1);
  await using app = mount(cinema.keep("1"));
  await settled();
  assertEquals(
    app.text,
    'EndpointError: Cannot poll "getFilm": its pollFrequency is -1. Give a number of ms above 0, or none',
  );
});

Deno.test("useLive with null shows nothing and asks for nothing", async () => {
  using cinema = start();
  await using app = mount(cinema.live(null));
  await settled();
  await cinema.pass(5_000);
  assertEquals([app.text, cinema.asked()], ["none", []]);
});
