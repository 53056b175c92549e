import { mount, mounted, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller } from "@rejoin/data";
import {
  DataProvider,
  ErrorBoundary,
  useCache,
  useDeferredArgs,
  useDLE,
  useFetch,
  useInfinite,
  useLive,
  useSuspense,
} from "@rejoin/data/preact";
import { App, Film, inApp, press, Server } from "./_cinema.tsx";

type ListArgs = Parameters<Server["getList"]>;

/** Every hook that can read a list by the deferred arguments. */
const READERS: Readonly<Record<string, (server: Server, args: ListArgs) => readonly Film[] | undefined>> = {
  useSuspense: ({ getList }, args) => useSuspense(getList, ...args),
  useLive: ({ getList }, args) => useLive(getList, ...args),
  useDLE: ({ getList }, args) => useDLE(getList, ...args).data,
  useFetch: ({ getList }, args) => useFetch(getList, ...args)?.value,
  useCache: ({ getList }, args) => useCache(getList, ...args),
  useInfinite: ({ getList }, args) => useInfinite(getList, args, { next: () => null }).items,
};

/** A search with a log of its renderings. `*` marks old rows. */
function search(server: Server, read: (args: ListArgs) => readonly Film[] | undefined) {
  const renders: string[] = [];
  function Results({ genre }: { readonly genre: string }) {
    const [args, isPending] = useDeferredArgs(server.getList, { genre });
    const text = `${(read(args) ?? []).map(({ title }) => title).join()}${isPending ? "*" : ""}`;
    renders.push(text);
    return <p>{text}</p>;
  }
  return { Results, renders };
}

/** The server's list for a genre: one film. */
const films = (genre: string) => [{ id: genre, title: `about ${genre}` }];

for (const [name, read] of Object.entries(READERS)) {
  Deno.test(`15.2 the old rows of ${name} stay, marked, until the new ones are there`, async () => {
    const server = new Server();
    using controller = new Controller();
    const { Results, renders } = search(server, (args) => read(server, args));
    const page = (genre: string) => inApp(<Results genre={genre} />, controller);
    await using app = await mounted(page("a"));
    assertEquals([server.asked.length, renders.includes("*")], [1, false], "one request, and nothing that is old");
    server.last.answer(films("a"));
    await app.shows("about a");

    renders.length = 0;
    app.render(page("b"));
    assertEquals([await app.settledText(), renders, server.asked.length], ["about a*", ["about a*"], 2]);
    // The old rows are read from the store and not copied, so a change shows.
    controller.set(Film, { id: "a" }, { title: "still a" });
    await app.shows("still a*");
    app.render(page("c"));
    assertEquals([await app.settledText(), server.asked[1]!.isAborted, server.asked.length], ["still a*", true, 3]);
    renders.length = 0;
    server.last.answer(films("c"));
    assertEquals([await app.settledText(), renders], ["about c", ["about c"]]);

    // Data in the store are shown at once.
    renders.length = 0;
    app.render(page("a"));
    assertEquals([await app.settledText(), renders, server.asked.length], ["still a", ["still a"], 3]);
  });
}

/** A page with a search that uses `useSuspense`. */
function start() {
  const server = new Server();
  const controller = new Controller();
  const { Results, renders } = search(server, (args) => useSuspense(server.getList, ...args));
  const page = (genre: string) => inApp(<Results genre={genre} />, controller);
  return { server, controller, renders, page };
}

Deno.test("15.2 old rows whose read has failed meanwhile make way for the new ones", async () => {
  const { server, controller, page } = start();
  await using app = mount(page("a"));
  server.last.answer(films("a"));
  await settled();
  app.render(page("b"));
  await settled();
  controller.setError(server.getList, { genre: "a" }, Object.assign(new Error("no a"), { status: 404 }));
  assertEquals([await app.settledText(), server.asked.length], ["…", 2]);
  server.last.answer(films("b"));
  await app.shows("about b");
});

Deno.test("15.2 an error of the new arguments is shown, and after it the rows of before are not", async () => {
  const { server, controller, page } = start();
  await using app = mount(page("a"));
  server.last.answer(films("a"));
  await settled();
  app.render(page("b"));
  await settled();
  server.last.fail(new Error("no b"));
  await app.shows("Error: no b");
  press(app.find("button"));
  await app.shows("…");
  server.last.answer(films("b"));
  await app.shows("about b");
  controller.cleanup();
});

Deno.test("15.2 another endpoint has no old rows, and arguments are values", async () => {
  const server = new Server();
  using controller = new Controller();
  const given = { genre: "a" };
  function Results({ endpoint }: { readonly endpoint: Server["getList"]; readonly turn: number }) {
    const [args, isPending] = useDeferredArgs(endpoint, given);
    const films = useCache(endpoint, ...args);
    return <p>{`${args[0]!.genre} ${films?.length} ${isPending}`}</p>;
  }
  let turn = 0;
  const page = (endpoint: Server["getList"]) => (
    <DataProvider controller={controller}>
      <Results endpoint={endpoint} turn={turn++} />
    </DataProvider>
  );
  await using app = mount(page(server.getList));
  server.last.answer(films("a"));
  await settled();
  given.genre = "b";
  app.render(page(server.getList));
  await app.shows("a 1 true");
  app.render(page(server.getList.extend({ name: "other" }) as Server["getList"]));
  await app.shows("b undefined false");
});

Deno.test("15.2 old rows stay when the endpoint is made at each rendering, with a token", async () => {
  const server = new Server();
  using controller = new Controller();
  let token = 0;
  function Results({ genre }: { readonly genre: string }) {
    const endpoint = server.getList.extend({ token: ++token } as object) as Server["getList"];
    const [args, isPending] = useDeferredArgs(endpoint, { genre });
    return <p>{`${useSuspense(endpoint, ...args).map(({ title }) => title)} ${isPending}`}</p>;
  }
  const page = (genre: string) => inApp(<Results genre={genre} />, controller);
  await using app = await mounted(page("a"));
  server.last.answer(films("a"));
  await settled();
  app.render(page("b"));
  assertEquals([await app.settledText(), server.asked.length], ["about a true", 2]);
  server.last.answer(films("b"));
  assertEquals([await app.settledText(), server.asked.length], ["about b false", 2]);
});

Deno.test("15.2 old rows that fail to be refreshed go on as they would by themselves", async () => {
  const server = new Server();
  using controller = new Controller();
  const list = server.getList.extend({ errorPolicy: () => "soft" as const });
  function Results({ genre }: { readonly genre: string }) {
    const [args, isPending] = useDeferredArgs(list, { genre });
    return <p>{`${useSuspense(list, ...args).map(({ title }) => title)}${isPending ? "*" : ""}`}</p>;
  }
  const page = (genre: string) => (
    <App controller={controller}>
      <ErrorBoundary>
        <Results genre={genre} />
      </ErrorBoundary>
    </App>
  );
  await using app = mount(page("a"));
  server.last.answer(films("a"));
  await settled();
  app.render(page("b"));
  await settled();
  controller.expire(list, { genre: "a" });
  assertEquals([await app.settledText(), server.asked.length], ["about a*", 3]);
  server.last.fail(new Error("no a"));
  await app.shows("about a*");
  server.asked[1]!.answer(films("b"));
  await app.shows("about b");
});
