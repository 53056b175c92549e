import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller } from "@rejoin/data";
import { useFetch, useSuspense } from "@rejoin/data/preact";
import { App, press, Server } from "../preact/_cinema.tsx";

const ONE = { id: "1" };

Deno.test("a component that waits is shown the abort, and asks again when somebody tries again", async () => {
  const server = new Server();
  const controller = new Controller();
  const Title = () => <>{useSuspense(server.getFilm, ONE).title}</>;
  await using app = mount(
    <App controller={controller}>
      <Title />
    </App>,
  );
  await settled();
  controller.abort(server.getFilm, ONE);
  await settled();
  assertEquals([app.text, server.asked.length], ['AbortError: "getFilm" was aborted', 1]);
  press(app.find("button"));
  await settled();
  assertEquals([app.text, server.asked.length], ["…", 2]);
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(app.text, "Alien");
});

Deno.test("a component that shows old data meanwhile keeps it, and does not ask in a circle", async () => {
  const server = new Server();
  const controller = new Controller();
  controller.setResponse(server.getFilm, ONE, { id: "1", title: "Alien" });
  controller.expire(server.getFilm, ONE);
  const Title = () => <>{useSuspense(server.getFilm, ONE).title}</>;
  const State = () => <>|{useFetch(server.getFilm, ONE)?.status}</>;
  await using app = mount(
    <App controller={controller}>
      <Title />
      <State />
    </App>,
  );
  await settled();
  assertEquals([app.text, server.asked.length], ["Alien|fulfilled", 1]);
  controller.abort(server.getFilm, ONE);
  await controller.allSettled();
  await settled();
  assertEquals([app.text, server.asked.length], ["Alien|fulfilled", 1]);
  // It is still stale: the next one who comes asks, and so does who is mounted when it is said again.
  controller.expire(server.getFilm, ONE);
  await settled();
  server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, server.asked.length], ["Aliens|fulfilled", 2]);
});
