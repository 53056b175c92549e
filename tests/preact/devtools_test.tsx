import { inspect, seen } from "./_devtools.ts";
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";
import { Controller } from "@rejoin/data";
import {
  DataProvider,
  useCancelling,
  useDeferredArgs,
  useDLE,
  useFetch,
  useInfinite,
  useMutation,
  useQuery,
  useSubscription,
  useSuspense,
} from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, fill, Film, Server } from "./_cinema.tsx";

Deno.test("15.7 with DevTools in the page, waiting and changes are as they are without them", async () => {
  const server = new Server();
  let renders = 0;
  function Title({ id }: { readonly id: string }) {
    renders++;
    return <p>{useSuspense(server.getFilm, { id }).title}</p>;
  }
  using controller = new Controller({ strict: true });
  const page = (id: string) => (
    <App controller={controller}>
      <Title id={id} />
    </App>
  );
  const app = mount(page("1"));
  await settled();
  assert(/^1[01]\./.test(seen.version) && seen.commits > 0);
  assertEquals(app.text, "…");
  server.answerFilms();
  await settled();
  assertEquals(app.text, "Film 1");
  renders = 0;
  controller.set(Film, { id: "1" }, { title: "Alien" });
  controller.set(Film, { id: "2" }, { title: "none of it" });
  await settled();
  assertEquals([app.text, renders], ["Alien", 1]);
  app.render(page("3"));
  await settled();
  app.unmount();
  await settled();
  assert(server.last.isAborted && seen.unmounts > 0);
});

/** Every hook that keeps something of its component, in one that DevTools can look at. */
const HOOKS: Readonly<Record<string, (server: Server) => unknown>> = {
  useSuspense: (server) => useSuspense(server.getFilm, { id: "1" }),
  useDLE: (server) => useDLE(server.getFilm, { id: "1" }).isFetching,
  useFetch: (server) => useFetch(server.getFilm, { id: "1" })?.status,
  useDeferredArgs: (server) => useDeferredArgs(server.getFilm, { id: "1" }),
  useInfinite: (server) => useInfinite(server.getList, [{}], { next: () => null }).loading,
  useQuery: () => useQuery(Film, { id: "1" }),
  useSubscription: (server) => useSubscription(server.filmEndpoint({ pollFrequency: 1_000 }), { id: "1" }),
  useMutation: (server) => useMutation(server.rename).isPending,
  useCancelling: (server) => useCancelling(server.rename, { id: "1" }, { title: "" }),
};

for (const [name, run] of Object.entries(HOOKS)) {
  Deno.test(`15.7 DevTools may look at the hooks of a component with ${name}, and nothing comes of it`, async () => {
    const clock = new FakeClock();
    using _ = clock.install();
    const uncaught: unknown[] = [];
    const onUncaught = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      uncaught.push(event.reason);
    };
    globalThis.addEventListener("unhandledrejection", onUncaught);
    const down = () => Object.assign(new Error("down"), { status: 503 });
    for (const state of ["waiting", "shown", "failed"] as const) {
      const server = new Server();
      const controller = new Controller({ strict: true });
      let renders = 0;
      const Looked: FunctionComponent = () => {
        renders++;
        const [text] = useState("state");
        run(server);
        return <p>{text}</p>;
      };
      if (state === "shown") {
        fill(controller, { id: "1", title: "Alien" });
        controller.setResponse(server.getList, {}, [{ id: "1" }]);
      }
      const app = mount(
        <App controller={controller}>
          <Looked />
        </App>,
      );
      await settled();
      if (state === "failed") { for (const { fail } of server.asked) fail(down()); }
      await settled();
      // One that waits before it was ever mounted has no hooks yet, one whose boundary shows an error is gone.
      const isGone = name === "useSuspense" && state !== "shown";
      const before = [server.asked.length, renders];
      for (let times = 0; times < 3 && !isGone; times++) {
        const looked = renders;
        assertEquals(inspect(Looked), true, `${state}: it comes to its end`);
        assertEquals(renders, looked + 1);
        renders = looked;
      }
      await settled();
      assertEquals([server.asked.length, renders], before, `${state}: no request, no rendering`);
      for (const { answer } of server.asked) answer({ id: "1", title: "Alien" });
      await settled();
      app.unmount();
      await settled();
      assertEquals(clock.pending, 0, state);
      assert(server.asked.every(({ isAborted }, at) => isAborted || at < before[0]!));
      controller.cleanup();
      await settled();
    }
    globalThis.removeEventListener("unhandledrejection", onUncaught);
    assertEquals(uncaught, []);
  });
}

Deno.test("15.7 after DevTools have looked, a change renders what it did before, and throws nothing", async () => {
  using controller = new Controller({ strict: true });
  fill(controller, { id: "1", title: "Alien" });
  let renders = 0;
  function Looked() {
    renders++;
    useState(0);
    return <p>{useQuery(Film, { id: "1" })?.title}</p>;
  }
  await using app = mount(
    <DataProvider controller={controller}>
      <Looked />
    </DataProvider>,
  );
  await settled();
  inspect(Looked);
  renders = 0;
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals([app.text, renders], ["Aliens", 1]);
});

Deno.test("15.7 a request that only DevTools looked at is given up with its component", async () => {
  const server = new Server();
  using controller = new Controller({ strict: true });
  function Looked() {
    useState(0);
    return <p>{useDLE(server.getFilm, { id: "1" }).loading ? "loading" : "there"}</p>;
  }
  const app = mount(
    <DataProvider controller={controller}>
      <Looked />
    </DataProvider>,
  );
  await settled();
  inspect(Looked);
  inspect(Looked);
  await settled();
  app.unmount();
  await settled();
  assertEquals([server.names, server.last.isAborted], ["getFilm", true]);
});
