import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import "preact/debug";
import { useSuspense } from "@rejoin/data/preact";
import { App, Server } from "./_cinema.tsx";

Deno.test("with preact/debug, an AsyncBoundary is known as what waits", async () => {
  const server = new Server();
  function Title() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  await using app = mount(
    <App>
      <Title />
    </App>,
  );
  await settled();
  assertEquals(app.text, "…");
  server.answerFilms();
  await settled();
  assertEquals(app.text, "Film 1");
});
