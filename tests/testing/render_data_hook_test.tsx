import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, hydrate, isEnding, UsageError } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useDLE, useMutation, useSuspense } from "@rejoin/data/preact";
import { fixtures, flush, mockInitialState, MockResolver, mount, renderDataHook, settled } from "@rejoin/data/testing";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { Film, FilmResource, ping } from "./_films.ts";
import { Window } from "happy-dom";

Object.assign(globalThis, { document: new Window().document });

const anyFilm = () => fixtures([{ endpoint: FilmResource.get, response: ({ id }) => ({ id, title: `Film ${id}` }) }]);

Deno.test("renderDataHook tells each value, each rendering, and whether the hook waits", async () => {
  await using hook = renderDataHook(({ id }) => useSuspense(FilmResource.get, { id }), {
    fixtures: anyFilm(),
    initialProps: { id: "1" },
  });
  const { result } = hook;
  assertEquals([result.current, result.isWaiting, result.renders, result.history], [undefined, true, 1, []]);
  await hook.settled();
  assertEquals([result.current?.title, result.isWaiting, result.renders], ["Film 1", false, 2]);
  assertStrictEquals(result.current, hook.controller.get(Film, { id: "1" }));
  hook.rerender({ id: "2" });
  assertEquals([result.current, result.isWaiting], [undefined, true]);
  await hook.settled();
  hook.controller.set(Film, { id: "2" }, { title: "Brazil" });
  await hook.settled();
  assertEquals(result.history.map(({ title }) => title), ["Film 1", "Film 2", "Brazil"]);
  hook.controller.set(Film, { id: "1" }, { title: "nobody shows it" });
  await hook.settled();
  assertEquals(result.renders, 5);
  hook.rerender();
  assertEquals([result.renders, result.history.length], [6, 4]);
});

Deno.test("an error is that of the boundary, and goes when the hook gives a value again", async () => {
  const api = fixtures([{ endpoint: FilmResource.get, args: [{ id: "1" }], error: 404 }, {
    endpoint: FilmResource.get,
    response: ({ id }) => ({ id, title: "there" }),
  }]);
  await using hook = renderDataHook(({ id }: { id: string }) => useSuspense(FilmResource.get, { id }).title, {
    fixtures: api,
    initialProps: { id: "1" },
  });
  await hook.settled();
  assertEquals([hook.result.error?.name, hook.result.current, hook.result.isWaiting], [
    "NetworkError",
    undefined,
    false,
  ]);
  hook.controller.setResponse(FilmResource.get, { id: "1" }, { id: "1", title: "back" });
  await hook.settled();
  assertEquals([hook.result.error, hook.result.current], [undefined, "back"]);
});

Deno.test("what a hook, or an effect of it, throws by itself is an error as well", async () => {
  await using hook = renderDataHook(({ fails }) => {
    useEffect(() => {
      if (fails === "later") throw new RangeError("in an effect");
    }, [fails]);
    if (fails === "now") throw "a text";
    return fails;
  }, { initialProps: { fails: "never" } });
  hook.rerender({ fails: "later" });
  await hook.settled();
  assertEquals([hook.result.error?.message, hook.result.current], ["in an effect", undefined]);
  await using other = renderDataHook(() => {
    throw "a text";
  });
  await other.settled();
  assertEquals([other.result.error?.message, other.result.isWaiting], ["a text", false]);
});

Deno.test("renderDataHook begins with a state, in a wrapper, with the options of a provider", async () => {
  const Language = createContext("none");
  const wrapper = ({ children }: { children?: ComponentChildren }) => (
    <Language.Provider value="en">{children}</Language.Provider>
  );
  const api = fixtures([]);
  await using hook = renderDataHook(
    () => [useSuspense(FilmResource.get, { id: "1" }), useContext(Language)] as const,
    {
      fixtures: api,
      wrapper,
      use: [hydrate(mockInitialState([{ endpoint: FilmResource.get, args: [{ id: "1" }], response: { id: "1" } }]))],
      defaults: { dataExpiryLength: Infinity },
    },
  );
  const [film, language] = hook.result.current!;
  assertEquals([language, film.id, api.calls.length, hook.result.renders], ["en", "1", 0, 1]);
});

Deno.test("a controller that was given goes on; one that was made stops with its page", async () => {
  const api = anyFilm();
  using controller = new Controller({ use: [api] });
  const hook = renderDataHook(() => useSuspense(FilmResource.get, { id: "1" }), { controller });
  assertStrictEquals(hook.controller, controller);
  await hook.settled();
  hook.unmount();
  assertEquals((await controller.fetch(FilmResource.get, { id: "2" })).title, "Film 2");
  const own = renderDataHook(() => useSuspense(FilmResource.get, { id: "1" }), { fixtures: anyFilm() });
  const reading = own.controller.fetch(FilmResource.get, { id: "1" }).catch((error) => error);
  own.unmount();
  const reason = await reading;
  assertEquals([isEnding(reason), document.body.childNodes.length], [true, 0]);
  const error = assertThrows(() => renderDataHook(() => 1, { controller, fixtures: api }), UsageError);
  assert(error.message.includes("use: [api]"));
});

Deno.test("a mutation is called by what the hook gives", async () => {
  const api = fixtures([{ endpoint: FilmResource.update, response: ({ id }, body) => ({ ...body, id }), delay: 0 }]);
  await using hook = renderDataHook(() => {
    const { mutate, isPending, error } = useMutation(FilmResource.update);
    return { mutate, isPending, error };
  }, { fixtures: api });
  hook.result.current!.mutate({ id: "1" }, { title: "New" });
  await hook.settled();
  assertEquals(hook.result.history.map(({ isPending }) => isPending), [false, true, false]);
  assertEquals(hook.controller.get(Film, { id: "1" })?.title, "New");
});

Deno.test("MockResolver is a provider for a page: below another one, with its own store, read once", async () => {
  using outer = new Controller();
  outer.set(Film, { id: "1" }, { title: "outside" });
  const api = anyFilm();
  const Page = ({ id }: { id: string }) => <b>{useDLE(FilmResource.get, { id }).data?.title ?? "…"}</b>;
  const page = (id: string) => (
    <DataProvider controller={outer}>
      <MockResolver fixtures={api}>
        <AsyncBoundary>
          <Page id={id} />
        </AsyncBoundary>
      </MockResolver>
    </DataProvider>
  );
  await using app = mount(page("1"));
  assertEquals(app.text, "…");
  await settled();
  assertEquals(app.text, "Film 1");
  app.render(page("2"));
  await settled();
  assertEquals([app.text, api.calls.length, outer.get(Film, { id: "1" })?.title], ["Film 2", 2, "outside"]);
});

Deno.test("a call that has no fixture is told where the page shows errors", async () => {
  await using hook = renderDataHook(() => useDLE(ping, 1), { fixtures: fixtures([]) });
  await hook.settled();
  assertEquals(hook.result.current!.error?.message.startsWith("No fixture is for ping [1]"), true);
});

Deno.test("settled runs effects, those that effects bring, and what they fetch", async () => {
  const seen: string[] = [];
  const api = anyFilm();
  function Page() {
    const [step, setStep] = useState(0);
    const { data } = useDLE(FilmResource.get, step < 2 ? null : { id: "1" });
    useEffect(() => {
      seen.push(`effect ${step}`);
      if (step < 2) setStep(step + 1);
    }, [step]);
    return <>{data?.title}</>;
  }
  await using app = mount(
    <MockResolver fixtures={api}>
      <Page />
    </MockResolver>,
  );
  await flush();
  await settled();
  assertEquals([seen, app.text], [["effect 0", "effect 1", "effect 2"], "Film 1"]);
});

Deno.test("without a document it is said how to have one, and nothing stays behind", () => {
  const { document } = globalThis;
  Object.assign(globalThis, { document: undefined });
  assertThrows(() => renderDataHook(() => 1), UsageError, "@vitest-environment happy-dom");
  Object.assign(globalThis, { document });
  assertThrows(
    () =>
      mount((() => {
        const Broken = () => {
          throw new RangeError("broken");
        };
        return <Broken />;
      })()),
    RangeError,
  );
  assertEquals(document.body.childNodes.length, 0);
});
