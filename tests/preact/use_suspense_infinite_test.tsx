import { mounted, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { type Infinite, useDeferredArgs, useSuspenseInfinite } from "@rejoin/data/preact";
import { App, inApp, press, Server } from "./_cinema.tsx";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** A page that shows a list whose pages have one film each, and a link to the next. */
function start() {
  const server = new Server();
  const controller = new Controller();
  const list = new Endpoint(server.handle<[params: { genre: string; after?: string }]>("list"), {
    name: "list",
    schema: { rows: [Film], next: "" as string | null },
  });
  let given: Pick<Infinite<unknown>, "next"> | undefined;
  let renders = 0;
  function Films({ genre }: { readonly genre: string | null }) {
    const read = useSuspenseInfinite(list, genre === null ? null : [{ genre }], {
      next: ({ next }) => next && { after: next },
    });
    given = read;
    renders++;
    const { items, error, hasNext, isFetchingNext } = read;
    const flags = [error?.message, hasNext && ">", isFetchingNext && "…>"].filter(Boolean);
    return <p>{[items.map(({ id }) => id).join("") || "none", ...flags].join(" ")}</p>;
  }
  const page = (genre: string | null) => (
    <App controller={controller}>
      <b>films</b>
      <Films genre={genre} />
    </App>
  );
  return {
    server,
    controller,
    list,
    page,
    get given() {
      return given!;
    },
    get renders() {
      return renders;
    },
    [Symbol.dispose]: () => controller.cleanup(),
    answer: (id: string, next: string | null) => server.last.answer({ rows: [{ id, title: id }], next }),
  };
}

Deno.test("15.3 useSuspenseInfinite waits at the boundary for the first page, and for no other", async () => {
  using films = start();
  await using app = await mounted(films.page("a"));
  assertEquals([app.text, films.server.asked.length, films.renders], ["…", 1, 0]);
  films.answer("1", "1");
  assertEquals([await app.settledText(), films.renders], ["films1 >", 1]);
  const { next } = films.given;
  next();
  assertEquals([await app.settledText(), films.server.last.args[0]], ["films1 > …>", { genre: "a", after: "1" }]);
  films.answer("2", null);
  await app.shows("films12");
  assert(films.given.next === next);
});

Deno.test("15.3 the first page that fails is an error of the boundary, a later one a value", async () => {
  using films = start();
  await using app = await mounted(films.page("a"));
  films.server.last.fail(new Error("first"));
  await app.shows("Error: first");
  press(app.find("button"));
  assertEquals([await app.settledText(), films.server.asked.length], ["…", 2]);
  films.answer("1", "1");
  await settled();
  films.given.next();
  await settled();
  films.server.last.fail(new Error("second"));
  await app.shows("films1 second >");
  films.given.next();
  await settled();
  films.answer("2", null);
  await app.shows("films12");
});

Deno.test("15.3 what fails is shown when it is there, whoever brought it", async () => {
  using films = start();
  await using app = await mounted(films.page("a"));
  films.server.last.fail(new Error("first"));
  await app.shows("Error: first");
  films.controller.setResponse(films.list, { genre: "a" }, { rows: [{ id: "9", title: "" }], next: null });
  await app.shows("films9");
});

Deno.test("15.3 other arguments are waited for, null is nothing, and a request that nobody waits for is given up", async () => {
  using films = start();
  await using app = await mounted(films.page("a"));
  films.answer("1", null);
  await settled();
  app.render(films.page("b"));
  await app.shows("…");
  app.render(films.page(null));
  assertEquals([await app.settledText(), films.server.last.isAborted], ["filmsnone", true]);
  app.render(films.page("a"));
  assertEquals([await app.settledText(), films.server.asked.length], ["films1", 2], "what is there is shown at once");
  app.render(films.page("c"));
  await settled();
  app.unmount();
  await settled();
  assertEquals(films.server.last.isAborted, true);
});

Deno.test("15.3 a reset and an invalidation wait anew, and bring nothing back of before", async () => {
  using films = start();
  await using app = await mounted(films.page("a"));
  films.answer("1", "1");
  await settled();
  films.given.next();
  await settled();
  films.answer("2", null);
  await app.shows("films12");
  films.controller.resetEntireStore();
  await app.shows("…");
  films.server.asked[2]!.answer({ rows: [{ id: "7", title: "" }], next: null });
  await app.shows("films7");
  films.controller.invalidate(films.list, { genre: "a" });
  await app.shows("…");
  films.answer("8", null);
  await app.shows("films8");
});

Deno.test("15.2 with useDeferredArgs the pages of before stay until the first new one is there", async () => {
  using films = start();
  function Deferred({ genre }: { readonly genre: string }) {
    const [args, isPending] = useDeferredArgs(films.list, { genre });
    const { items } = useSuspenseInfinite(films.list, args, { next: ({ next }) => next && { after: next } });
    return <p>{`${items.map(({ id }) => id).join("")}${isPending ? "*" : ""}`}</p>;
  }
  const page = (genre: string) => inApp(<Deferred genre={genre} />, films.controller);
  await using app = await mounted(page("a"));
  films.answer("1", null);
  await settled();
  app.render(page("b"));
  assertEquals([await app.settledText(), films.server.asked.length], ["1*", 2]);
  films.answer("2", null);
  assertEquals([await app.settledText(), films.server.asked.length], ["2", 2]);
});
