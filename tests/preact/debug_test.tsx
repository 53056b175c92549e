import { mount, mounted, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import "preact/debug";
import { useSuspense } from "@rejoin/data/preact";
import { inApp, Server } from "./_cinema.tsx";

Deno.test("with preact/debug, an AsyncBoundary is known as what waits", async () => {
  const server = new Server();
  function Title() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  await using app = mount(inApp(<Title />));
  await app.shows("…");
  server.answerFilms();
  await app.shows("Film 1");
});

Deno.test("case 24: with preact/debug of Preact 11, what a boundary shows is no uncaught error of the window", async () => {
  const server = new Server(), uncaught: string[] = [];
  const listen = (event: ErrorEvent) => {
    event.preventDefault();
    uncaught.push(event.message);
  };
  const Data = () => <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  const Broken = () => {
    throw new Error("broken");
  };
  globalThis.addEventListener("error", listen);
  for (const [Page, shown] of [[Data, "down"], [Broken, "broken"]] as const) {
    await using app = await mounted(inApp(<Page />));
    if (Page === Data) server.last.fail(new Error("down"));
    assertEquals([await app.settledText(), uncaught], [`Error: ${shown}`, []]);
  }
  globalThis.removeEventListener("error", listen);
});

Deno.test("with preact/debug, a page that still waits is left without a warning", async () => {
  const server = new Server(), { Title } = server, warned: unknown[] = [], { warn } = console;
  console.warn = (text) => void warned.push(text);
  const app = mount(inApp(<Title id="1" />));
  await app.shows("…");
  app.render(null);
  await settled();
  console.warn = warn;
  assertEquals(warned, []);
});
