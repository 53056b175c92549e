// What the Suspense of Preact 10 does not do by itself: it tells nobody when what it parked goes, and fails to bring back
// a boundary that waits inside another one.
import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { signal } from "@preact/signals-core";
import { Suspense } from "preact/compat";
import { Controller } from "@rejoin/data";
import { DataProvider, useSuspense } from "@rejoin/data/preact";
import { App, fill, Server } from "./_cinema.tsx";

function titleOf(server: Server) {
  return function Title({ id }: { readonly id: string }) {
    return <p>{useSuspense(server.getFilm, { id }).title}</p>;
  };
}

Deno.test("with preact/compat, a request is aborted when a Suspense that waits leaves", async () => {
  const server = new Server();
  const Title = titleOf(server);
  const controller = new Controller();
  const app = mount(
    <DataProvider controller={controller}>
      <Suspense fallback="Suspense">
        <Title id="1" />
      </Suspense>
    </DataProvider>,
  );
  await settled();
  assertEquals(app.text, "Suspense");
  app.unmount();
  await settled();
  assertEquals([server.last.isAborted, controller.store.sequence.size], [true, 0]);
});

Deno.test("with preact/compat, an AsyncBoundary that waits can be parked by a Suspense above it, and comes back", async () => {
  const server = new Server();
  const Title = titleOf(server);
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien" });
  const wait = Promise.withResolvers<void>();
  const isOpen = signal(false);
  let isReady = false;
  function Lazy() {
    if (isOpen.value && !isReady) throw wait.promise;
    return <i>lazy</i>;
  }
  await using app = mount(
    <Suspense fallback="Suspense">
      <App controller={controller}>
        <Title id="1" />
        <Title id="2" />
      </App>
      <Lazy />
    </Suspense>,
  );
  await settled();
  assertEquals(app.text, "…lazy");
  isOpen.value = true;
  await settled();
  assertEquals(app.text, "Suspense");
  server.answerFilms();
  await settled();
  isReady = true;
  wait.resolve();
  await settled();
  assertEquals([app.text, server.names], ["AlienFilm 2lazy", "getFilm"]);
});
