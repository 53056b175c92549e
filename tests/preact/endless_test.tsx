/** Components that would ask without end: each rendering asks for something new. */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createResource, Endpoint, EndpointError, Entity, resource } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  type ErrorFallbackProps,
  useDLE,
  useFetch,
  useLive,
  useSuspense,
} from "@rejoin/data/preact";
import { FakeClock, renderDataHook } from "@rejoin/data/testing";
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { until } from "../support/stream_server.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** A server of two films, and a page of one component. */
async function open(Page: ComponentType<{ urlPrefix: string }>, status: () => number = () => 200) {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    requests.push(new URL(request.url).search);
    return Response.json([{ id: "1", title: "Alien" }, { id: "2", title: "Brazil" }], { status: status() });
  });
  const errors: Error[] = [];
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warnings.push(text);
  const Failed = ({ error }: ErrorFallbackProps) => {
    errors.push(error);
    return <b>{error.message}</b>;
  };
  const app = mount(
    <DataProvider>
      <AsyncBoundary fallback="…" errorComponent={Failed}>
        <Page urlPrefix={`http://127.0.0.1:${server.addr.port}`} />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  return {
    app,
    requests,
    errors,
    warnings,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      await server.shutdown();
      console.warn = warn;
    },
  };
}

const HOOKS = { useSuspense, useFetch, useLive } as const;

for (const [hook, use] of Object.entries(HOOKS)) {
  for (const method of ["getList", "get"] as const) {
    Deno.test(`13.C3 a new process at each rendering of ${method} is an error that names ${hook}, after two requests`, async () => {
      let films: ReturnType<typeof createResource<"/films/:id", typeof Film>> | undefined;
      function Page({ urlPrefix }: { urlPrefix: string }) {
        films ??= createResource({ urlPrefix, path: "/films/:id", schema: Film, pollFrequency: 100_000 });
        const endpoint = films[method].extend({ process: (value: unknown) => value as never });
        const found = (use as (endpoint: unknown, params: object) => unknown)(endpoint, { id: "1" });
        return <p>{found === undefined ? "" : "found"}</p>;
      }
      await using page = await open(Page);
      await until(() => page.errors.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const [error] = page.errors;
      assert(error instanceof EndpointError && error.endpoint === `Film.${method}`);
      assertStringIncludes(
        error.message,
        `Cannot ask "Film.${method}" by ${hook}: each rendering brings another process`,
      );
      assertStringIncludes(error.message, "Query");
      assertEquals([page.requests.length, page.errors.length], [2, 1]);
    });
  }
}

Deno.test("13.C3 a list that is kept whatever is made of it is shown, and asked for once", async () => {
  let list: { extend(options: object): unknown } | undefined;
  let again: ((count: number) => void) | undefined;
  function Page({ urlPrefix }: { urlPrefix: string }) {
    const [count, setCount] = useState(0);
    again = setCount;
    list ??= resource({ urlPrefix, path: "/films/:id", schema: Film }).getList;
    const read = useSuspense as (endpoint: unknown) => readonly Film[];
    return <p>{read(list.extend({ process: (value: unknown) => value })).length + count}</p>;
  }
  await using page = await open(Page);
  for (const count of [0, 1, 2, 3, 4, 5]) {
    again?.(count);
    await until(() => page.app.text === String(2 + count));
  }
  assertEquals([page.requests.length, page.errors], [1, []]);
});

Deno.test("13.C3 a component that changes what it makes of an answer now and then is served", async () => {
  let list: ReturnType<typeof createResource<"/films/:id", typeof Film>>["getList"] | undefined;
  let press: ((first: number) => void) | undefined;
  function Page({ urlPrefix }: { urlPrefix: string }) {
    const [first, setFirst] = useState(0);
    press = setFirst;
    list ??= createResource({ urlPrefix, path: "/films/:id", schema: Film }).getList;
    const films = useSuspense(views[first]!(list));
    return <p>{films.map(({ title }) => title).join()}</p>;
  }
  type List = NonNullable<typeof list>;
  const cut = (from: number) => (value: unknown) => (value as readonly unknown[]).slice(from) as never;
  const cuts = [0, 1, 2, 0, 1].map(cut);
  const views = cuts.map((process) => (of: List) => of.extend({ process }) as unknown as List);
  await using page = await open(Page);
  for (const [at, shown] of ["Alien,Brazil", "Brazil", "", "Alien,Brazil", "Brazil"].entries()) {
    press!(at);
    await settled();
    await until(() => page.app.text === shown);
    await settled();
  }
  assertEquals([page.requests.length, page.errors, page.warnings], [5, [], []]);
});

Deno.test("13.C3 a component that goes to and fro between some shapes is served, though nothing changes on the server", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  let requests = 0;
  const ask = async () => {
    requests++;
    return await Promise.resolve([{ id: "1", title: "Alien" }]);
  };
  const films = new Endpoint(ask, { name: "films", schema: [Film] });
  const from = (start: number) => films.extend({ process: (value: readonly unknown[]) => value.slice(start) });
  const shapes = [films, from(0), from(-1)];
  await using hook = renderDataHook((at: number) => useDLE(shapes[at]!), { initialProps: 0 });
  for (let turn = 1; turn <= 9; turn++) {
    await hook.settled();
    assertEquals([requests, hook.result.current?.data?.length, hook.result.error], [turn, 1, undefined]);
    // It is stale by then, and asked for again.
    clock.tick(61_000);
    hook.rerender(turn % shapes.length);
  }
});

Deno.test("13.C3 a component that goes to and fro between two shapes is served, faster than the server answers", async () => {
  const films = new Endpoint(() => new Promise<readonly Film[]>(() => {}), { name: "films", schema: [Film] });
  const newest = films.extend({ process: (value: readonly unknown[]) => value.slice(-1) });
  await using hook = renderDataHook((isNewest: boolean) => useDLE(isNewest ? newest : films), { initialProps: false });
  for (const isNewest of [true, false, true, false]) {
    hook.rerender(isNewest);
    await settled();
    assertEquals([hook.result.current?.loading, hook.result.error], [true, undefined]);
  }
});

for (const status of [200, 404]) {
  Deno.test(`13.C3 arguments that are ever new are a warning, when they are answered ${status}`, async () => {
    let films: ReturnType<typeof createResource<"/films/:id", typeof Film>> | undefined;
    let now = 0;
    function Page({ urlPrefix }: { urlPrefix: string }) {
      films ??= createResource({ urlPrefix, path: "/films/:id", schema: Film });
      // As with Date.now(), but for the loop to end.
      const at = now < 8 ? ++now : now;
      return <p>{useSuspense(films.getList, { at }).length}</p>;
    }
    await using page = await open(Page, () => status);
    await until(() => page.app.text === "2" || page.errors.length > 0);
    assertEquals(page.warnings.length, 1);
    assertStringIncludes(page.warnings[0]!, 'useSuspense asks "Film.getList" with other arguments at each rendering');
    assertEquals(page.requests.length >= 4, true);
  });
}

Deno.test("13.C3 whoever types faster than the server answers is not warned", async () => {
  let films: ReturnType<typeof createResource<"/films/:id", typeof Film>> | undefined;
  let type: ((text: string) => void) | undefined;
  function Page({ urlPrefix }: { urlPrefix: string }) {
    const [text, setText] = useState("a");
    type = setText;
    films ??= createResource({ urlPrefix, path: "/films/:id", schema: Film });
    const found = useFetch(films.getList, { text });
    return <p>{found?.value?.length ?? "…"}</p>;
  }
  await using page = await open(Page);
  for (const text of ["ab", "abc", "abcd", "abcde", "abcdef"]) {
    type!(text);
    await settled();
  }
  await until(() => page.app.text === "2");
  assertEquals([page.warnings, page.errors], [[], []]);
});
