import { mount, mounted, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { signal } from "@preact/signals-core";
import { Controller, Endpoint } from "@rejoin/data";
import { useSuspense } from "@rejoin/data/preact";
import { App, fill, Film, inApp, press, Server } from "./_cinema.tsx";

/** A server, a controller, and an app with one film. `renders` includes renderings that suspend. */
function start(policy: Parameters<Server["filmEndpoint"]>[0] = {}) {
  const server = new Server(), controller = new Controller(), get = server.filmEndpoint(policy);
  let renders = 0;
  function FilmPage({ get, id }: { readonly get: Server["getFilm"]; readonly id: string }) {
    renders++;
    return <p>{useSuspense(get, { id }).title}</p>;
  }
  const page = (...ids: string[]) => (
    <App controller={controller}>
      {ids.map((id) => <FilmPage key="film" get={get} id={id} />)}
    </App>
  );
  const shown = async () => {
    const app = await mounted(page("1"));
    server.last.answer({ id: "1", title: "Alien" });
    await settled();
    return app;
  };
  return { server, controller, get, page, FilmPage, shown, renders: () => renders };
}

Deno.test("rule 37: a read waits, comes, and runs its component for what is another object only", async () => {
  const { server, controller, get, page, renders } = start();
  await using app = mount(page("1"));
  await app.shows("…");
  const [awaited] = await Promise.all([
    controller.fetch(get, { id: "1" }),
    server.last.answer({ id: "1", title: "A" }),
  ]);
  await settled();
  // Rules 32 and 36: there is one request, and its promise resolves with the object that the hook reads.
  assertEquals([app.text, server.names, renders()], ["A", "getFilm", 2]);
  assertEquals(controller.getResponse(get, { id: "1" }).data === awaited, true);
  controller.set(Film, { id: "1" }, { title: "A" });
  controller.set(Film, { id: "2" }, { title: "nobody shows it" });
  await settled();
  assertEquals(renders(), 2);
});

Deno.test("rule 37: it follows its arguments, keeps its place, and the old record runs it no more", async () => {
  const { server, controller, page, shown, renders } = start();
  await using app = await shown();
  const paragraph = app.find("p");
  app.render(page("2"));
  await settled();
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  assertEquals([await app.settledText(), renders()], ["…", 3]);
  server.last.answer({ id: "2", title: "Brazil" });
  assertEquals([await app.settledText(), app.find("p") === paragraph, renders()], ["Brazil", true, 4]);
});

Deno.test("rule 37: null as first argument asks nothing, and gives a request up that nobody else reads", async () => {
  const server = new Server(), id = signal<string | undefined>(undefined);
  function Page() {
    const film = useSuspense(server.getFilm, id.value === undefined ? null : { id: id.value });
    return <p>{film?.title ?? "none"}</p>;
  }
  await using app = mount(inApp(<Page />));
  assertEquals([app.text, server.names], ["none", ""]);
  id.value = "1";
  assertEquals([await app.settledText(), server.names], ["…", "getFilm"]);
  id.value = undefined;
  assertEquals([await app.settledText(), server.last.isAborted], ["none", true]);
});

Deno.test("an invalidation hides and asks, an expiry only asks, a reset waits anew", async () => {
  const { server, controller, get, shown } = start();
  await using app = await shown();
  controller.expireAll(get);
  assertEquals([await app.settledText(), server.asked.length], ["Alien", 2]);
  server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  controller.invalidate(get, { id: "1" });
  assertEquals([await app.settledText(), server.asked.length], ["…", 3]);
  controller.resetEntireStore();
  assertEquals([await app.settledText(), server.asked.length], ["…", 4]);
  server.asked[2]!.answer({ id: "1", title: "Old" });
  server.last.answer({ id: "1", title: "New" });
  assertEquals([await app.settledText(), server.asked.length], ["New", 4]);
});

for (const policy of ["soft", "hard"] as const) {
  Deno.test(`what fails ${policy} is an error without data, and beside data ${policy === "soft" ? "not" : "too"}`, async () => {
    const { server, controller, get, page, shown } = start({ errorPolicy: () => policy });
    await using first = await mounted(page("2"));
    server.last.fail(new Error("no luck"));
    await first.shows("Error: no luck");
    first.unmount();
    await using app = await shown();
    controller.expireAll(get);
    await settled();
    server.last.fail(new Error("no luck"));
    assertEquals([await app.settledText(), server.asked.length], [policy === "soft" ? "Alien" : "Error: no luck", 3]);
  });
}

for (const value of [new Error("no luck"), "a text"]) {
  Deno.test(`after ${value} the button of a boundary asks again at once`, async () => {
    const { server, page } = start();
    await using app = await mounted(page("1"));
    server.last.fail(value);
    await settled();
    press(app.find("button"));
    assertEquals([await app.settledText(), server.names], ["…", "getFilm,getFilm"]);
    server.last.answer({ id: "1", title: "Alien" });
    await app.shows("Alien");
  });
}

Deno.test("rule 32: components beside each other share a request for the same, and wait at the same time for others", async () => {
  const { server, controller, get, FilmPage } = start();
  await using app = await mounted(
    <App controller={controller}>
      <FilmPage get={get} id="1" />
      <FilmPage get={get} id="1" />
      <FilmPage get={get} id="2" />
    </App>,
  );
  assertEquals(server.asked.map(({ args }) => args), [[{ id: "1" }], [{ id: "2" }]]);
  server.answerFilms();
  await app.shows("Film 1Film 1Film 2");
});

for (const value of [null, 0, "", false, []]) {
  Deno.test(`${JSON.stringify(value)} is data where there is no schema`, async () => {
    const server = new Server(), endpoint = server.valueEndpoint<unknown>("value");
    const Page = () => <p>{JSON.stringify(useSuspense(endpoint))}</p>;
    await using app = await mounted(inApp(<Page />));
    server.last.answer(value);
    assertEquals([await app.settledText(), server.names], [JSON.stringify(value), "value"]);
  });
}

Deno.test("a fresh answer is shown at once, without a request; what is deleted is asked for again", async () => {
  const { server, controller, page, renders } = start();
  fill(controller, { id: "1", title: "Alien" });
  await using app = mount(page("1"));
  assertEquals([app.text, renders()], ["Alien", 1]);
  await settled();
  assertEquals(server.names, "");
  const removing = controller.fetch(server.removeFilm, { id: "1" });
  server.last.answer({ id: "1" });
  await removing;
  assertEquals([await app.settledText(), server.names], ["…", "removeFilm,getFilm"]);
});

Deno.test("a signal that only the request reads runs no component", async () => {
  const token = signal("a"), getNumber = new Endpoint(() => Promise.resolve(token.value.length), { name: "getNumber" });
  let renders = 0;
  function Page() {
    renders++;
    return <p>{useSuspense(getNumber)}</p>;
  }
  await using app = await mounted(inApp(<Page />));
  token.value = "bb";
  assertEquals([await app.settledText(), renders], ["1", 2]);
});
