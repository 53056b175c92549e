/** The hooks without their own test file: one test each. */
import { mount, mounted, rendered, settled } from "../support/dom.ts";
import { assert, assertEquals, assertMatch, assertRejects, assertStrictEquals } from "@std/assert";
import { Component, type ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { All, Controller, createResource, Endpoint, keyOf, Query, resource } from "@rejoin/data";
import * as hooks from "@rejoin/data/preact";
import { uncaught } from "../support/uncaught.ts";
import { App, fill, Film, inApp, Server } from "./_cinema.tsx";

// deno-lint-ignore no-explicit-any -- what does not compile is what is tested
const untyped: any = hooks;

/** Renders a hook and records its results. */
function run<T>(use: () => T, controller = new Controller()) {
  const seen: T[] = [];
  const Page = () => (seen.push(use()), null);
  const app = mount(inApp(<Page />, controller));
  return { seen, app, controller, last: () => seen.at(-1)! };
}

Deno.test("useDLE: loading, then data; refetch and isFetching; an error only while no request is in flight", async () => {
  const server = new Server();
  const { last, seen, app } = run(() => {
    const { data, loading, error, isFetching, isStale, refetch } = hooks.useDLE(server.getFilm, { id: "1" });
    return { title: data?.title, loading, error: error?.message, isFetching, isStale, refetch };
  });
  await settled();
  assertEquals([last().loading, last().isFetching, last().isStale], [true, true, true]);
  server.last.fail(new Error("no"));
  await settled();
  assertEquals([last().loading, last().error, last().isFetching], [false, "no", false]);
  const again = last().refetch();
  await settled();
  assertEquals([last().loading, last().error], [true, undefined]);
  server.last.answer({ id: "1", title: "Alien" });
  assertEquals((await again)?.title, "Alien");
  await settled();
  assertEquals([last().title, last().loading, last().isStale], ["Alien", false, false]);
  assertStrictEquals(last().refetch, seen[0]!.refetch);
  app.unmount();
});

Deno.test("useDLE: a component that does not look at isFetching is not run by a request", async () => {
  const server = new Server(), { seen, controller, app } = run(() => hooks.useDLE(server.getFilm, { id: "1" }).data);
  await settled();
  server.answerFilms();
  await settled();
  const count = seen.length;
  controller.expire(server.getFilm, { id: "1" });
  await settled();
  server.answerFilms();
  await settled();
  assertEquals([seen.length, server.asked.length], [count, 2]);
  app.unmount();
});

Deno.test("useFetch: a promise that tells how it stands, the same one while it tells the same", async () => {
  const server = new Server(), { last, seen, app } = run(() => hooks.useFetch(server.getFilm, { id: "1" })!);
  assertEquals([last().status, last().resolved], ["pending", false]);
  const first = last();
  server.answerFilms();
  assertEquals((await first).title, "Film 1");
  await settled();
  assertEquals([last().status, last().value?.title, seen.length], ["fulfilled", "Film 1", 2]);
  app.unmount();
  const inactive = run(() => hooks.useFetch(server.getFilm, null));
  assertEquals(inactive.last(), undefined);
  inactive.app.unmount();
});

Deno.test("useFetch and useError: a failure is no unhandled rejection", async () => {
  const server = new Server(), controller = new Controller();
  const errors = await uncaught(async () => {
    const fetch = run(() => hooks.useFetch(server.getFilm, { id: "1" })!, controller);
    const beside = run(() => hooks.useError(server.getFilm, { id: "1" }), controller);
    server.last.fail(new Error("no"));
    await settled();
    assertEquals([fetch.last().status, beside.last()?.message], ["rejected", "no"]);
    const { refetch } = run(() => hooks.useDLE(server.getFilm, { id: "1" }), controller).last();
    void refetch();
    server.last.fail(new Error("no"));
    await settled();
    fetch.app.unmount();
    beside.app.unmount();
  });
  assertEquals(errors, []);
});

Deno.test("useFetch: its promise brings the data, also where the first answer is older than a delete", async () => {
  const server = new Server(), { last, controller, app } = run(() => hooks.useFetch(server.getFilm, { id: "1" })!);
  const promise = last(), done = controller.fetch(server.removeFilm, { id: "1" });
  server.last.answer({ id: "1" });
  await done;
  server.asked[0]!.answer({ id: "1", title: "gone" });
  await settled();
  server.last.answer({ id: "1", title: "here again" });
  assertEquals((await promise).title, "here again");
  app.unmount();
});

Deno.test("useError: null as first argument leaves the hooks after it in their places", async () => {
  const server = new Server(), controller = new Controller();
  const Page = ({ id }: { readonly id?: string }) => {
    hooks.useError(server.getFilm, id ? { id } : null);
    return <p>{useMemo(() => id ?? "first", [])}</p>;
  };
  await using app = mount(inApp(<Page />, controller));
  app.render(inApp(<Page id="1" />, controller));
  await app.shows("first");
});

Deno.test("useMutation: one object; runs only what reads a member; the latest call counts", async () => {
  const server = new Server(), controller = new Controller();
  const only = run(() => hooks.useMutation(server.rename).mutate, controller);
  const shown = run(() => hooks.useMutation(server.rename), controller);
  const states = run(() => {
    const { isPending, error, data, mutate } = hooks.useMutation(server.rename);
    return { state: [isPending, error?.message, data?.title], mutate };
  }, controller);
  only.last()({ id: "1" }, { title: "a" });
  states.last().mutate({ id: "1" }, { title: "b" });
  await settled();
  assertEquals([only.seen.length, states.last().state], [1, [true, undefined, undefined]]);
  server.asked[0]!.answer({ id: "1", title: "a" });
  server.asked[1]!.fail(new Error("no"));
  await settled();
  assertEquals([only.seen.length, states.last().state], [1, [false, "no", undefined]]);
  states.last().mutate({ id: "1" }, { title: "c" });
  states.last().mutate({ id: "1" }, { title: "d" });
  server.asked[3]!.answer({ id: "1", title: "d" });
  await settled();
  server.asked[2]!.answer({ id: "1", title: "c" });
  await settled();
  assertEquals(states.last().state, [false, undefined, "d"]);
  shown.last().reset();
  assertStrictEquals(shown.seen[0], shown.last());
  for (const { app } of [only, shown, states]) app.unmount();
});

Deno.test("useMutation: what neither error nor onError shows is an unhandled rejection; an event is no argument", async () => {
  const server = new Server(), done: unknown[] = [];
  const clear = new Endpoint(server.handle<[], string>("clear"), { name: "clear", sideEffect: true });
  const blind = run(() => hooks.useMutation(clear).mutate);
  const told = run(() =>
    hooks.useMutation(clear, { onError: (error) => done.push(error.message), onSuccess: (data) => done.push(data) })
      .mutate
  );
  const errors = await uncaught(async () => {
    blind.last()();
    (told.last() as (event: unknown) => void)({ preventDefault() {} });
    server.asked[0]!.fail(new Error("blind"));
    server.asked[1]!.fail(new Error("told"));
    await settled();
    told.last()();
    server.last.answer("done");
    await settled();
  });
  assertEquals([errors.map((error) => (error as Error).message), done], [["blind"], ["told", "done"]]);
  assertEquals(server.asked[1]!.args, []);
  blind.app.unmount();
  told.app.unmount();
});

Deno.test("useLoading: any function; useDebounce: rests; usePrevious: keeps until the store is reset", async () => {
  let finish!: (value: string) => void;
  const loading = run(() => {
    const [start, isLoading, error] = hooks.useLoading(() => new Promise<string>((resolve) => finish = resolve));
    return { start, isLoading, error };
  });
  const done = loading.last().start();
  await settled();
  assert(loading.last().isLoading);
  finish("x");
  assertEquals(await done, "x");
  await settled();
  assertEquals([loading.last().isLoading, loading.last().error], [false, undefined]);
  loading.app.unmount();

  const Debounced = ({ value }: { value: string }) => <>{hooks.useDebounce(value, 20).join()}</>;
  await using debounced = mount(<Debounced value="a" />);
  debounced.render(<Debounced value="b" />);
  assertEquals(debounced.text, "a,true");
  await new Promise((go) => setTimeout(go, 40));
  assertEquals(debounced.text, "b,false");

  const controller = new Controller();
  const Before = ({ value }: { value?: string; n: number }) => <>{hooks.usePrevious(value) ?? "none"}</>;
  const page = (n: number, value?: string) => (
    <hooks.DataProvider controller={controller}>
      <Before n={n} {...value === undefined ? {} : { value }} />
    </hooks.DataProvider>
  );
  await using previous = mount(page(1, "b"));
  previous.render(page(2));
  assertEquals(previous.text, "b");
  controller.resetEntireStore();
  previous.render(page(3));
  assertEquals(previous.text, "none");
});

Deno.test("usePrefetch asks once, for what is not fresh, and the request goes on", async () => {
  const server = new Server(), { last, app, controller } = run(() => hooks.usePrefetch());
  last()(server.getFilm, { id: "1" });
  last()(server.getFilm, { id: "1" });
  last()(server.getFilm, null);
  app.unmount();
  server.answerFilms();
  await settled();
  assertEquals([server.asked.length, controller.getResponse(server.getFilm, { id: "1" }).data?.title], [1, "Film 1"]);
});

Deno.test("useSelect runs for another value only; a signal of useSignalOf changes its text, and runs nothing", async () => {
  const controller = new Controller(), films = new Query(new All(Film));
  fill(controller, { id: "1", title: "Alien" }, { id: "2", title: "Brazil" });
  let runs = 0;
  const Count = () => (runs++, <b>{hooks.useSelect(films, [], (all) => all?.length ?? 0)}</b>);
  const Title = () => (runs++, <i>{hooks.useSignalOf(Film, [{ id: "1" }], (film) => film?.title)}</i>);
  await using app = mount(
    <App controller={controller}>
      <Count />
      <Title />
    </App>,
  );
  assertEquals(app.text, "2Alien");
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  assertEquals([await app.settledText(), runs], ["2Aliens", 2]);
  controller.set(Film, { id: "3" }, { title: "C" });
  assertEquals([await app.settledText(), runs], ["3Aliens", 3]);
});

Deno.test("useQuery: null as first argument is nothing; useCache of a Query is undefined until something is there", async () => {
  const count = new Query(new All(Film), (films) => films.length);
  const { seen, app, controller } = run(() => [hooks.useCache(count), untyped.useQuery(Film, null)]);
  controller.set(Film, { id: "1" }, { title: "Alien" });
  await settled();
  assertEquals(seen, [[undefined, undefined], [1, undefined]]);
  app.unmount();
});

Deno.test("rule 31: the row of an optimistic create stays mounted by keyOf when the server gives its id", async () => {
  const server = new Server(), controller = new Controller();
  const options = { path: "/films/:id", schema: Film, optimistic: true, fetch: server.handle("films") } as const;
  const { getList, create } = resource(options as object as { path: "/films/:id"; schema: typeof Film });
  controller.setResponse(getList, [{ id: "1", title: "Alien" }]);
  let mounts = 0;
  const Row = ({ title }: { readonly title: string }) => (useState(() => mounts++), <li>{title}</li>);
  const Rows = () => <>{hooks.useDLE(getList).data?.map((film) => <Row key={keyOf(film)} title={film.title} />)}</>;
  await using app = mount(inApp(<Rows />, controller));
  const creating = controller.fetch(create, { title: "Brazil" });
  await app.shows("AlienBrazil");
  const { id } = controller.getResponse(getList).data![1]!;
  server.last.answer({ id: "2", title: "Brazil" });
  await creating;
  await app.shows("AlienBrazil");
  const row = controller.getResponse(getList).data![1]!;
  assertEquals([mounts, row.id, keyOf(row)], [2, "2", `Film ${id}`]);
});

Deno.test("useSubscription and useLive poll while they are mounted", async () => {
  const server = new Server(), live = server.filmEndpoint({ pollFrequency: 15 });
  const Price = () => <>{hooks.useLive(live, { id: "1" }).title}</>;
  const app = await mounted(inApp(<Price />));
  server.answerFilms();
  await app.shows("Film 1");
  for (let turn = 0; turn < 2_000 && server.asked.length < 2; turn++) await new Promise((go) => setTimeout(go, 5));
  server.last.answer({ id: "1", title: "new" });
  await app.shows("new");
  app.unmount();
  await settled();
  const { length } = server.asked;
  await new Promise((go) => setTimeout(go, 40));
  assertEquals(server.asked.length, length);
});

/** The message of the error that a hook throws while its component renders. */
function thrownBy(use: () => unknown): string {
  let said = "nothing";
  const Page = () => {
    try {
      use();
    } catch (error) {
      if (error instanceof Error) said = error.message;
    }
    return null;
  };
  mount(inApp(<Page />)).unmount();
  return said;
}
const R = createResource({ urlPrefix: "http://127.0.0.1:1", path: "/films/:id", schema: Film });
for (
  const [hook, given, said] of [
    ["useSuspense", R.update, /was given the mutation "Film.update". Write useMutation\(endpoint\)/],
    [
      "useDLE",
      R.getList.getPage,
      /was given the page endpoint "Film.getList". Its reply joins the list: read the list/,
    ],
    ["useDLE", R, /the resource .*Write one of its members, such as Resource.get/],
    ["useFetch", Film, /the entity "Film".*useQuery\(schema, …\)/],
    ["useLive", undefined, /was given undefined. Is there such a member/],
    ["useCache", Film, /the entity "Film"/],
    ["useQuery", R.get, /the read "Film.get"/],
    ["useMutation", R.get, /takes a mutation, and was given the read/],
  ] as const
) {
  Deno.test(`${hook} says what to write in place of what it can do nothing with`, () => {
    assertMatch(thrownBy(() => untyped[hook](given, { id: "1" })), said);
  });
}

Deno.test("case 17: arguments that are new at each rendering are an error, after the third answer that was not shown", async () => {
  let asked = 0, time = 0;
  const get = new Endpoint((_: { at: number }) => Promise.resolve(++asked), { name: "get" });
  const Page = () => <>{hooks.useDLE(get, { at: time++ }).data}</>;
  await using app = mount(inApp(<Page />));
  for (let turn = 0; turn < 5; turn++) await settled();
  assertMatch(app.text, /useDLE\(\) asks for "get" without end/);
  assertEquals(asked, 3);
});

Deno.test("case 17: a person who types, and pages that fail one after another, are no mistake", async () => {
  const server = new Server(),
    page = (id: string) => inApp(<Film1 id={id} />, controller);
  const controller = new Controller();
  const Film1 = ({ id }: { id: string }) => <>{hooks.useDLE(server.getFilm, { id }).error?.message}</>;
  await using app = mount(page("0"));
  for (const id of "123456") {
    await settled();
    server.last.fail(new Error(id));
    if (+id > 3) await settled();
    app.render(page(id));
  }
  await app.shows("");
});

Deno.test("case 22: without a provider, and without a boundary, a sentence says what to write", async () => {
  const { getFilm } = new Server(), controller = new Controller();
  const Page = () => <>{hooks.useSuspense(getFilm, { id: "1" }).title}</>;
  await assertRejects(async () => await mount(<Page />), Error, "write <DataProvider> around the app");
  const bare = () =>
    mount(
      <hooks.DataProvider controller={controller}>
        <Page />
      </hooks.DataProvider>,
    );
  await assertRejects(async () => await bare(), Error, "<Page> waits for its data, and there is no boundary above");
  // A component that was never mounted reads nothing: its request is aborted, and its signal is unsubscribed.
  await settled();
  assertEquals([controller.flights.size, controller.store.answer(getFilm, [{ id: "1" }]).watcher], [0, undefined]);
  // An error boundary of the app catches the error, too.
  class Catch extends Component<{ children?: ComponentChildren }, { error?: Error }> {
    override state: { error?: Error } = {};
    static override getDerivedStateFromError = (error: Error) => ({ error });
    override render() {
      return this.state.error?.message ?? this.props.children;
    }
  }
  await using app = await mounted(
    <Catch>
      <hooks.DataProvider>
        <Page />
      </hooks.DataProvider>
    </Catch>,
  );
  assertMatch(app.text, /write <AsyncBoundary fallback=/);
});

Deno.test("islands: several roots share a store, and each has its own boundary", async () => {
  const server = new Server(), controller = new Controller();
  const Title = () => <>{hooks.useSuspense(server.getFilm, { id: "1" }).title}</>;
  await using one = mount(inApp(<Title />, controller));
  await using two = await mounted(inApp(<Title />, controller));
  assertEquals([one.text, two.text, server.asked.length], ["…", "…", 1]);
  server.answerFilms();
  await settled();
  controller.set(Film, { id: "1" }, { title: "new" });
  assertEquals([await one.settledText(), two.text], ["new", "new"]);
});

Deno.test("rule 15: a failed read with errorExpiryLength 0 is not asked without end", async () => {
  const server = new Server(), getFilm = server.filmEndpoint({ errorExpiryLength: 0 });
  const { last, app } = run(() => hooks.useDLE(getFilm, { id: "1" }).error?.message);
  await settled();
  server.last.fail(new Error("down"));
  await settled();
  assertEquals([last(), server.asked.length], ["down", 1]);
  app.unmount();
});

Deno.test("rule 32: a read that was aborted while another read of its component waited is asked again", async () => {
  const server = new Server(), controller = new Controller();
  const Titles = () => <>{["1", "2"].map((id) => hooks.useSuspense(server.getFilm, { id }).title).join()}</>;
  fill(controller, { id: "1", title: "a" }, { id: "2", title: "b" });
  await using app = mount(inApp(<Titles />, controller));
  controller.invalidateAll(server.getFilm);
  for (let left = 3; left > 0; left--) {
    await settled();
    server.answerFilms();
  }
  await app.shows("Film 1,Film 2");
});

Deno.test("rules 12, 15: a read that a component begins while a mutation is pending is asked after it", async () => {
  const server = new Server(), controller = new Controller();
  const getFilm = server.filmEndpoint({ dataExpiryLength: 1 });
  controller.setResponse(getFilm, { id: "1" }, { id: "1", title: "a" });
  await new Promise((go) => setTimeout(go, 5));
  const saving = controller.fetch(server.rename, { id: "1" }, { title: "b" });
  const Title = () => <>{hooks.useSuspense(getFilm, { id: "1" }).title}</>;
  await using app = await mounted(inApp(<Title />, controller));
  assertEquals([app.text, server.names], ["b", "rename"]);
  server.last.answer({ id: "1", title: "b" });
  await saving;
  assertEquals([await app.settledText(), server.names], ["b", "rename,getFilm"]);
  server.last.answer({ id: "1", title: "c" });
  await app.shows("c");
});

Deno.test("rule 16: a failed read that a boundary shows counts as mounted: expired, it is asked again, and comes back", async () => {
  const server = new Server(), controller = new Controller();
  const Title = () => <>{hooks.useSuspense(server.getFilm, { id: "1" }).title}</>;
  await using app = await mounted(inApp(<Title />, controller));
  server.last.fail(new Error("down"));
  await app.shows("Error: down");
  controller.expire(server.getFilm, { id: "1" });
  assertEquals([await app.settledText(), server.asked.length], ["Error: down", 2]);
  server.last.answer({ id: "1", title: "Alien" });
  assertEquals([await app.settledText(), server.asked.length], ["Alien", 2]);
});

Deno.test("a boundary has no style attribute of its own in the page: a strict CSP lets it be", async () => {
  const server = new Server(), Title = () => <p>{hooks.useSuspense(server.getFilm, { id: "1" }).title}</p>;
  await using app = mount(
    <App>
      <b>beside</b>
      <Title />
    </App>,
  );
  await rendered();
  assertEquals(app.text, "…");
  server.answerFilms();
  await settled();
  assertEquals(app.host.innerHTML.replaceAll(' style=""', ""), "<b>beside</b><p>Film 1</p>");
});
