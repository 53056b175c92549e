import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, FocusManager, type FocusManagerOptions, Query, schema } from "@rejoin/data";
import { watch } from "../../src/store/watch.ts";
import { FakeClock } from "../support/clock.ts";
import { FakePage } from "../support/page.ts";
import { Wire } from "../support/wire.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

function start(options?: FocusManagerOptions) {
  const clock = new FakeClock();
  const restore = clock.install();
  const page = new FakePage();
  const wire = new Wire();
  const controller = new Controller({ managers: [new FocusManager(options)] });
  const getFilm = new Endpoint(wire.fn<[id: string]>("getFilm"), { name: "getFilm", schema: Film });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Film] });
  const viewOf = (id: string) => controller.store.response(getFilm, [id], getFilm.key(id));
  return {
    clock,
    page,
    wire,
    controller,
    getFilm,
    list,
    /** Somebody shows a film. */
    show: (id: string) => watch(controller.store, viewOf(id), () => {}),
    /** How often the answer was marked stale. */
    marks: (id: string) => viewOf(id).read(controller.store.graph).mark,
    [Symbol.dispose]: () => {
      controller.cleanup();
      page[Symbol.dispose]();
      restore();
    },
  };
}

Deno.test("coming back marks stale what is shown and stale, and neither hides it nor touches the rest", () => {
  for (const comeBack of ["focus", "show", "goOnline"] as const) {
    using cinema = start();
    const { controller, getFilm, clock, page } = cinema;
    for (const id of ["shown", "unseen"]) controller.setResponse(getFilm, id, { id, title: id });
    clock.tick(60_000);
    controller.setResponse(getFilm, "fresh", { id: "fresh", title: "fresh" });
    cinema.show("shown");
    cinema.show("fresh");
    page[comeBack]();
    assertEquals(["shown", "unseen", "fresh"].map(cinema.marks), [1, 0, 0], comeBack);
    assertEquals(controller.getResponse(getFilm, "shown").data?.title, "shown");
  }
});

Deno.test("time alone, going away, and coming back to where nothing is stale change nothing", () => {
  using cinema = start();
  const { controller, getFilm, clock, page } = cinema;
  controller.setResponse(getFilm, "1", { id: "1", title: "Alien" });
  cinema.show("1");
  page.focus();
  clock.tick(60_000);
  page.hide();
  page.focus();
  page.goOffline();
  page.show();
  assertEquals(cinema.marks("1"), 0, "hidden or offline: nothing could be fetched");
  page.goOnline();
  assertEquals(cinema.marks("1"), 1);
});

Deno.test("what is on its way already is not asked for again", async () => {
  using cinema = start();
  const { controller, getFilm, clock, page, wire } = cinema;
  controller.setResponse(getFilm, "1", { id: "1", title: "Alien" });
  clock.tick(60_000);
  cinema.show("1");
  const answer = controller.fetch(getFilm, "1");
  page.focus();
  await wire.last.reply({ id: "1", title: "Aliens" });
  assertEquals((await answer).title, "Aliens");
  assertEquals([cinema.marks("1"), wire.calls.length], [0, 1]);
});

Deno.test("a read that failed is tried again, and one that was never asked for is not", () => {
  using cinema = start();
  const { controller, getFilm, clock, page } = cinema;
  controller.setError(getFilm, "failed", new Error("503"));
  cinema.show("failed");
  cinema.show("nobody asked");
  page.goOnline();
  assertEquals(cinema.marks("failed"), 0, "a fresh error keeps it from being fetched");
  clock.tick(1_000);
  page.goOnline();
  assertEquals(["failed", "nobody asked"].map(cinema.marks), [1, 0]);
});

Deno.test("a detail that is read from a list has the freshness of its record", () => {
  using cinema = start();
  const { controller, list, clock, page } = cinema;
  controller.setResponse(list, [{ id: "1", title: "Alien" }]);
  cinema.show("1");
  page.focus();
  assertEquals(cinema.marks("1"), 0);
  clock.tick(60_000);
  page.focus();
  assertEquals([cinema.marks("1"), controller.get(Film, "1")?.title], [1, "Alien"]);
});

Deno.test("a Query is made of what is there, and left alone", () => {
  using cinema = start();
  const { controller, list, clock, page } = cinema;
  const all = new Query(new schema.All(Film));
  controller.setResponse(list, [{ id: "1", title: "Alien" }]);
  const view = controller.store.response(all, [], all.key());
  watch(controller.store, view, () => {});
  clock.tick(60_000);
  const { commits } = controller.store;
  page.focus();
  assertEquals(controller.store.commits, commits);
});

Deno.test("focus and reconnect can be left out each for itself", () => {
  for (const [options, expected] of [[{ focus: false }, [0, 0, 1]], [{ reconnect: false }, [1, 2, 2]]] as const) {
    using cinema = start(options);
    const { controller, getFilm, clock, page } = cinema;
    controller.setResponse(getFilm, "1", { id: "1", title: "Alien" });
    clock.tick(60_000);
    cinema.show("1");
    const marks = (["focus", "show", "goOnline"] as const).map((event) => (page[event](), cinema.marks("1")));
    assertEquals(marks, [...expected]);
  }
});

Deno.test("a network that comes back while the page is hidden counts when it is seen, and being seen alone does not", () => {
  using cinema = start({ focus: false });
  const { controller, getFilm, clock, page } = cinema;
  controller.setResponse(getFilm, "1", { id: "1", title: "Alien" });
  cinema.show("1");
  clock.tick(60_000);
  page.hide();
  page.show();
  page.focus();
  assertEquals(cinema.marks("1"), 0);
  page.goOffline();
  page.hide();
  page.goOnline();
  assertEquals(cinema.marks("1"), 0, "hidden: nobody looks");
  page.show();
  assertEquals(cinema.marks("1"), 1);
  page.show();
  assertEquals(cinema.marks("1"), 1);
});
