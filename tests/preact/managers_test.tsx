import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, DevToolsManager, FocusManager } from "@rejoin/data";
import { useLive, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { FakeReduxDevTools } from "../support/redux_devtools.ts";
import { App, Server } from "./_cinema.tsx";

Deno.test("a page shows every moment that is jumped to, waits where there was nothing, and is live again afterwards", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  using extension = new FakeReduxDevTools();
  const server = new Server();
  const controller = new Controller({ managers: [new DevToolsManager()] });
  extension.tab.start();
  const get = server.filmEndpoint({ pollFrequency: 1_000 });
  function Page() {
    return <p>{useLive(get, { id: "1" }).title}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  await clock.tickAsync(1_000);
  server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals(app.text, "Aliens");
  const alien = extension.tab.states.findIndex((state) => state.includes('"Alien"'));
  const { length } = server.asked;

  extension.tab.jump(alien);
  await settled();
  assertEquals(app.text, "Alien");
  extension.tab.jump(0);
  await settled();
  assertEquals(app.text, "…", "there was nothing to show");
  await clock.tickAsync(10_000);
  await settled();
  assertEquals([app.text, server.asked.length], ["…", length], "no network in the past");
  extension.tab.jump(alien);
  await settled();
  assertEquals(app.text, "Alien");

  extension.tab.jump(-1);
  await settled();
  assertEquals([app.text, server.asked.length], ["Aliens", length + 1], "what is mounted is asked for again");
  server.last.answer({ id: "1", title: "Alien 3" });
  await settled();
  assertEquals(app.text, "Alien 3");
  app.unmount();
  await settled();
  controller.cleanup();
});

Deno.test("a page that waited in the past is asked for in the present", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  using extension = new FakeReduxDevTools();
  const server = new Server();
  const controller = new Controller({ managers: [new DevToolsManager()] });
  extension.tab.start();
  const get = server.filmEndpoint();
  function Page({ id }: { readonly id: string }) {
    return <p>{useSuspense(get, { id }).title}</p>;
  }
  const page = (id: string) => (
    <App controller={controller}>
      <Page id={id} />
    </App>
  );
  await using app = mount(page("1"));
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  extension.tab.jump(0);
  app.render(page("2"));
  await settled();
  assertEquals([app.text, server.asked.length], ["…", 1]);
  extension.tab.jump(-1);
  await settled();
  assertEquals([app.text, server.asked.length], ["…", 2]);
  server.last.answer({ id: "2", title: "Brazil" });
  await settled();
  assertEquals(app.text, "Brazil");
  app.unmount();
  await settled();
  controller.cleanup();
});

Deno.test("coming back to the page fetches what is mounted and stale, once, and shows it all the while", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new Server();
  const controller = new Controller({ managers: [new FocusManager()] });
  const get = server.filmEndpoint();
  let renders = 0;
  function Page() {
    renders++;
    return <p>{useSuspense(get, { id: "1" }).title}</p>;
  }
  controller.setResponse(get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  await settled();
  const comeBack = async () => {
    globalThis.dispatchEvent(new Event("focus"));
    globalThis.dispatchEvent(new Event("online"));
    await settled();
    globalThis.dispatchEvent(new Event("focus"));
    await settled();
  };
  await comeBack();
  assertEquals([server.asked.length, renders], [0, 1], "fresh");
  clock.tick(60_000);
  await settled();
  assertEquals(server.asked.length, 0, "time alone fetches nothing");
  await comeBack();
  assertEquals([app.text, server.asked.length], ["Alien", 1]);
  server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, server.asked.length], ["Aliens", 1]);
  app.unmount();
  await settled();
  controller.cleanup();
});
