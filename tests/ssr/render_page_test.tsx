import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Component, type ComponentChild } from "preact";
import { Controller, createResource, Endpoint, Entity, RejoinError, type State } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  ErrorBoundary,
  type ErrorFallbackProps,
  useDLE,
  useQuery,
  useSuspense,
} from "@rejoin/data/preact";
import { renderPage as render, type RenderPageOptions, renderPageToStream } from "@rejoin/data/ssr";
import { FakeClock } from "../support/clock.ts";
import { size } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  next = "";
  static key = "Film";
}

/** However slow the machine is, where a test is not about that. */
const renderPage = (page: (controller: Controller) => ComponentChild, options?: RenderPageOptions) =>
  render(page, { deadline: Infinity, ...options });

/** An API that knows who asks, and counts. It answers nothing before so many requests are there. */
function startApi(first = 1) {
  const asked: string[] = [];
  const left: string[] = [];
  const gathered = Promise.withResolvers<void>();
  const server = Deno.serve({ port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const id = pathname.split("/").at(-1)!;
    asked.push(id);
    if (asked.length >= first) gathered.resolve();
    await gathered.promise;
    if (id.startsWith("never")) {
      await new Promise<void>((resolve) => request.signal.addEventListener("abort", () => resolve()));
      left.push(id);
    }
    if (id.startsWith("no")) return Response.json({ message: "none" }, { status: id === "no410" ? 410 : 404 });
    const user = request.headers.get("authorization") ?? "nobody";
    return Response.json({ id, title: `Film ${id} of ${user}`, next: `${id}x` });
  });
  return { server, asked, left, url: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}` };
}

type Api = ReturnType<typeof startApi>;

function declare({ url }: Api, user?: string) {
  return createResource({
    urlPrefix: url,
    path: "/films/:id",
    schema: Film,
    // A hundred pages at once on a machine that is busy: how long that takes is nobody's fault.
    deadline: Infinity,
    ...user !== undefined && { requestInit: { headers: { authorization: user } } },
  });
}
type Films = ReturnType<typeof declare>;

function FilmTitle({ films, id, depth = 0 }: { films: Films; id: string; depth?: number }) {
  const film = useSuspense(films.get, { id });
  return (
    <p>
      {film.title}
      {depth > 0 && <FilmTitle films={films} id={film.next} depth={depth - 1} />}
    </p>
  );
}

function Plain({ films, id }: { films: Films; id: string }) {
  const { data, loading, error } = useDLE(films.get, { id });
  return <b>{loading ? "loading" : error ? error.name : data.title}</b>;
}

const Failed = ({ error }: ErrorFallbackProps) => <i>{error.name}</i>;

function Boundary(props: { children?: preact.ComponentChildren }) {
  return <AsyncBoundary fallback="…" errorComponent={Failed}>{props.children}</AsyncBoundary>;
}

Deno.test("a page is rendered with all that its components ask for, side by side where they can", async () => {
  const api = startApi(3);
  await using _ = api.server;
  const films = declare(api);
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <FilmTitle films={films} id="1" />
        <FilmTitle films={films} id="2" />
      </Boundary>
      <Boundary>
        <FilmTitle films={films} id="1" />
      </Boundary>
      <Plain films={films} id="3" />
    </DataProvider>
  ));
  const one = "<p>Film 1 of nobody</p>";
  assertEquals(page.html, `${one}<p>Film 2 of nobody</p>${one}<b>Film 3 of nobody</b>`);
  assertEquals([page.status, page.errors.length], [200, 0]);
  assertEquals([...api.asked].sort().join(), "1,2,3");
});

Deno.test("what depends on what was asked for is asked for then, each once", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <FilmTitle films={films} id="1" depth={3} />
      </Boundary>
    </DataProvider>
  ));
  assertStringIncludes(page.html, "Film 1xxx of nobody");
  assertEquals(api.asked, ["1", "1x", "1xx", "1xxx"]);
});

Deno.test("an error reaches its boundary, and the page has the status of it", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const pageOf = (id: string) =>
    renderPage((controller) => (
      <DataProvider controller={controller}>
        <Boundary>
          <FilmTitle films={films} id={id} />
        </Boundary>
        <Boundary>
          <FilmTitle films={films} id="1" depth={1} />
        </Boundary>
      </DataProvider>
    ));
  const page = await pageOf("no404");
  assertStringIncludes(page.html, "<i>NetworkError</i>");
  assertStringIncludes(page.html, "Film 1x of nobody");
  assertEquals([page.status, page.errors.length], [404, 1]);
  assertEquals((await pageOf("no410")).status, 410);
  assertEquals(api.asked.filter((id) => id.startsWith("no")), ["no404", "no410"], "each was asked once");
});

Deno.test("an error outside of any boundary is the caller's", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const page = (controller: Controller) => (
    <DataProvider controller={controller}>
      <FilmTitle films={films} id="no404" />
    </DataProvider>
  );
  await assertRejects(() => renderPage(page), Error, "404");
  const Broken = (): never => {
    throw new TypeError("a fault of the page");
  };
  await assertRejects(() => renderPage(() => <Broken />), TypeError, "a fault of the page");
});

Deno.test("a page that asks for something new at each rendering comes to an end", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  let count = 0;
  const Endless = () => {
    const { loading } = useDLE(films.get, { id: `n${++count}` });
    return <b>{loading ? "loading" : "there"}</b>;
  };
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Endless />
    </DataProvider>
  ));
  assertEquals([page.html, count], ["<b>loading</b>", 10]);
});

Deno.test("components may look at what their children are, and vnodes may be made once for all pages", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const Tab = ({ id }: { id: string }) => <FilmTitle films={films} id={id} />;
  const Tabs = ({ children }: { children: preact.VNode[] }) => <>{children.filter(({ type }) => type === Tab)}</>;
  const make = () => (
    <Boundary>
      <Tabs>
        <Tab id="1" />
        <hr />
        <Tab id="2" />
      </Tabs>
    </Boundary>
  );
  const made = make();
  for (const content of [make, () => made, () => made]) {
    const { html } = await renderPage((controller) => <DataProvider controller={controller}>{content()}</DataProvider>);
    assertEquals(html, "<p>Film 1 of nobody</p><p>Film 2 of nobody</p>");
  }
  assertEquals(api.asked.length, 6);
});

Deno.test("data that is never fresh is asked for once for a page", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const get = films.get.extend({ dataExpiryLength: 0 });
  const Stale = () => <p>{useSuspense(get, { id: "1" }).title}</p>;
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <Stale />
      </Boundary>
    </DataProvider>
  ));
  assertEquals([page.html, api.asked.join()], ["<p>Film 1 of nobody</p>", "1"]);
});

Deno.test("pages that are rendered at the same time share nothing, and leave nothing behind", async () => {
  const api = startApi();
  await using _ = api.server;
  const count = size(300, 100_000);
  const atOnce = 100;
  for (let done = 0; done < count; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, async (_, at) => {
      const user = `user ${done + at}`;
      const films = declare(api, user);
      const { html, script } = await renderPage((controller) => (
        <DataProvider controller={controller}>
          <Boundary>
            <FilmTitle films={films} id="1" depth={1} />
          </Boundary>
        </DataProvider>
      ));
      assertEquals(html, `<p>Film 1 of ${user}<p>Film 1x of ${user}</p></p>`);
      for (const [found] of script.matchAll(/user \d+/g)) assert(found === user, `${user} sees ${found}`);
    }));
  }
  assertEquals(api.asked.length, count * 2);
});

Deno.test("13.C2 a page is rendered whole whatever a middleware does with its reads, and however old they are at once", async () => {
  const api = startApi();
  await using _server = api.server;
  const { get } = declare(api);
  const hidden = get.extend({ dataExpiryLength: 0, invalidIfStale: true });
  const cases = {
    "it answers": (_: Controller) =>
      new Promise((resolve) => setTimeout(() => resolve({ id: "1", title: "made up" }), 5)),
    "it writes the answer later": (controller: Controller) =>
      void setTimeout(() => controller.setResponse(get, { id: "1" }, { id: "1", title: "made up" }), 5),
    "it lets them through": undefined,
  };
  for (const [name, answer] of Object.entries(cases)) {
    const endpoint = answer === undefined ? hidden : get;
    const Page = () => <p>{useSuspense(endpoint, { id: "1" }).title}</p>;
    const { html, status } = await renderPage((controller) => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="…">
          <Page />
        </AsyncBoundary>
      </DataProvider>
    ), {
      managers: [{
        middleware: (controller) => (next) => (action) =>
          action.type === "fetch" && answer !== undefined ? answer(controller) : next(action),
      }],
    });
    assertEquals([html, status], [answer === undefined ? "<p>Film 1 of nobody</p>" : "<p>made up</p>", 200], name);
  }
});

Deno.test("15. what siblings ask for takes one round trip, however they are nested and of whatever kind they are", async () => {
  const api = startApi(40);
  await using _ = api.server;
  const films = declare(api);
  class ByClass extends Component<{ id: string }> {
    override render() {
      return <FilmTitle films={films} id={this.props.id} />;
    }
  }
  const ids = Array.from({ length: 10 }, (_, at) => String(at));
  // The API answers nobody before all forty have asked.
  const { html, isComplete } = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        {ids.map((id) => <FilmTitle key={id} films={films} id={`a${id}`} />)}
        <Boundary>{ids.map((id) => <ByClass key={id} id={`b${id}`} />)}</Boundary>
      </Boundary>
      <Boundary>
        {ids.map((id) => <Boundary key={id}>{<FilmTitle films={films} id={`c${id}`} />}</Boundary>)}
      </Boundary>
      {ids.map((id) => <Plain key={id} films={films} id={`d${id}`} />)}
    </DataProvider>
  ));
  assertEquals([html.match(/Film [abcd]\d/g)?.length, api.asked.length, isComplete], [40, 40, true]);
});

Deno.test("15. at the deadline the fallback stands in place of what waits, and the rest of the page is there", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const clock = new FakeClock();
  using _clock = clock.install();
  const rendering = renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <b>beside</b>
        <FilmTitle films={films} id="never1" />
        <Boundary>
          <FilmTitle films={films} id="2" />
        </Boundary>
      </Boundary>
      <Boundary>
        <FilmTitle films={films} id="3" />
        <Boundary>
          <FilmTitle films={films} id="never2" />
        </Boundary>
      </Boundary>
      <FilmTitle films={films} id="never3" />
      <Plain films={films} id="never4" />
    </DataProvider>
  ), { deadline: 2_000 });
  while (api.asked.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
  // What was answered has turns to be read, on a slow machine as on a fast one.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  clock.tick(1_999);
  assertEquals(await Promise.race([rendering, Promise.resolve("waits")]), "waits");
  clock.tick(1);
  const page = await rendering;
  assertEquals(page.html, "…<p>Film 3 of nobody</p>…<b>loading</b>");
  assertEquals([page.isComplete, page.status, page.errors], [false, 200, []]);
  // What has come is not asked for again.
  const { state } = JSON.parse(page.script.replace(/<.*?>/g, "")) as { state: State };
  assertEquals(Object.keys(state.entities.Film!), ["2", "3"]);
  assertEquals(state.late, [1, 0, 1]);
  // What was on its way is given up.
  while (api.left.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
});

Deno.test("15. a page that has come to its deadline is not complete, also where nothing but a value is on its way", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  const never = new Endpoint(() => new Promise<string>(() => {}), { name: "never" });
  const Value = () => <b>{useDLE(never).loading ? "loading" : "there"}</b>;
  const rendering = renderPage((controller) => (
    <DataProvider controller={controller}>
      <Value />
    </DataProvider>
  ), { deadline: 2_000 });
  await clock.tickAsync(2_000);
  const { html, isComplete, errors } = await rendering;
  assertEquals([html, isComplete, errors], ["<b>loading</b>", false, []]);
});

for (const Inner of [AsyncBoundary, ErrorBoundary]) {
  Deno.test(`15. what waits beside what has failed in an ${Inner.name} is given up, and the error is shown`, async () => {
    const get = new Endpoint(({ id }: { readonly id: string }) => {
      return id === "none" ? Promise.reject(new Error("none")) : new Promise<string>(() => {});
    }, { name: "get" });
    const Value = ({ id }: { readonly id: string }) => <p>{useSuspense(get, { id })}</p>;
    const Page = ({ controller }: { readonly controller: Controller }) => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="…">
          <h1>Page</h1>
          <Inner fallback="…" errorComponent={({ error }) => <i>{error.message}</i>}>
            <Value id="never" />
            <AsyncBoundary fallback="…">
              <Value id="late" />
            </AsyncBoundary>
            <Value id="none" />
          </Inner>
        </AsyncBoundary>
      </DataProvider>
    );
    const html = "<h1>Page</h1><i>none</i>";
    const page = await renderPage((controller) => <Page controller={controller} />, { deadline: 50 });
    assertEquals([page.html, page.status, page.errors.length], [html, 500, 1]);
    const { body } = await renderPageToStream((controller) => <Page controller={controller} />, {
      document: (html) => html,
      deadline: Infinity,
    });
    const text = await new Response(body).text();
    const [[, piece]] = text.matchAll(/<template>(.*?)<\/template>/g) as unknown as [[string, string]];
    const shown = piece.replace(/<!--.*?-->/g, "");
    assertEquals(shown, Inner === AsyncBoundary ? "<i>none</i>" : html);
  });
}

Deno.test("a boundary whose errorComponent throws leaves what is around it its fallback", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const clock = new FakeClock();
  using _clock = clock.install();
  const Thrown = ({ error }: ErrorFallbackProps) => {
    throw error;
  };
  const rendering = renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <ErrorBoundary errorComponent={Failed}>
          <AsyncBoundary errorComponent={Thrown}>
            <FilmTitle films={films} id="no1" />
          </AsyncBoundary>
        </ErrorBoundary>
        <FilmTitle films={films} id="never1" />
      </Boundary>
      <Boundary>
        <Plain films={films} id="no1" />
      </Boundary>
    </DataProvider>
  ), { deadline: 2_000 });
  while (api.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  clock.tick(2_000);
  const { html, script } = await rendering;
  assertEquals(html, "…<b>NetworkError</b>");
  assertEquals(JSON.parse(script.replace(/<.*?>/g, "")).state.late, [1]);
});

Deno.test("15. a deadline that is no number of ms is refused, and Infinity is one", async () => {
  for (const deadline of [NaN, -1, "5" as unknown as number]) {
    await assertRejects(() => renderPage(() => <p />, { deadline }), RejoinError, "deadline must be a number of ms");
  }
  assertEquals((await renderPage(() => <p />, { deadline: Infinity })).html, "<p></p>");
});

Deno.test("15. when the client has gone what the page asked for is given up", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const leaving = new AbortController();
  const page = (controller: Controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <FilmTitle films={films} id="never" />
      </Boundary>
    </DataProvider>
  );
  const rendering = renderPage(page, { signal: leaving.signal });
  while (api.asked.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort(new Error("gone"));
  await assertRejects(() => rendering, Error, "gone");
  while (api.left.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  await assertRejects(() => renderPage(page, { signal: leaving.signal }), Error, "gone");
  assertEquals(api.asked, ["never"], "a page of nobody asks for nothing");
});

Deno.test("15. a page that goes on asking has its fallbacks where something waits at the end", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <FilmTitle films={films} id="1" depth={2} />
      </Boundary>
      <Boundary>
        <FilmTitle films={films} id="2" depth={30} />
      </Boundary>
    </DataProvider>
  ));
  assertEquals(page.html, "<p>Film 1 of nobody<p>Film 1x of nobody<p>Film 1xx of nobody</p></p></p>…");
  assertEquals(page.isComplete, false);
});

Deno.test("15. who throws promises that are kept, again and again, does not hold the server up", async () => {
  const Restless = () => {
    throw Promise.resolve();
  };
  const page = await renderPage(() => (
    <Boundary>
      <Restless />
    </Boundary>
  ));
  assertEquals([page.html, page.isComplete], ["…", false]);
});

Deno.test("a store that was shown on one page is refused on another: it has what is somebody else's", async () => {
  const Name = () => <b>{useQuery(Film, { id: "1" })?.title}</b>;
  const pageOf = (controller: Controller) => (
    <DataProvider controller={controller}>
      <Name />
    </DataProvider>
  );
  const shared = new Controller();
  shared.set(Film, { id: "1" }, { id: "1", title: "Ann's" });
  assertEquals((await renderPage(() => pageOf(shared))).html, "<b>Ann's</b>");
  let kept!: Controller;
  await renderPage((own) => pageOf(kept = own));
  for (const store of [shared, kept]) {
    const refused = await assertRejects(() => renderPage(() => pageOf(store)), RejoinError);
    assertStringIncludes(refused.message, "<DataProvider controller={controller}>");
    await assertRejects(() => renderPageToStream(() => pageOf(store), { document: String }), RejoinError);
  }
});

Deno.test("15. a page whose provider was not given the controller says so: it would ask anew in each rendering", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void said.push(text);
  try {
    const page = await renderPage(() => (
      <DataProvider>
        <Boundary>
          <FilmTitle films={films} id="1" />
        </Boundary>
      </DataProvider>
    ));
    assertEquals([page.html, page.isComplete, said.length], ["…", false, 1]);
    assertStringIncludes(said[0]!, "<DataProvider controller={controller}>");
  } finally {
    console.warn = warn;
  }
});

Deno.test("15. what has failed is shown also by a page that takes longer than an error is kept", async () => {
  const api = startApi();
  await using _ = api.server;
  const films = declare(api);
  const get = films.get.extend({ errorExpiryLength: 1 });
  const Thrown = () => <p>{useSuspense(get, { id: "no404" }).title}</p>;
  const Read = () => <b>{useDLE(get, { id: "no404" }).error?.name}</b>;
  const { html, status, isComplete } = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <Thrown />
      </Boundary>
      <Read />
      <Boundary>
        <FilmTitle films={films} id="1" depth={2} />
      </Boundary>
    </DataProvider>
  ), { deadline: 5_000 });
  assertStringIncludes(html, "<i>NetworkError</i><b>NetworkError</b><p>Film 1 of");
  assertEquals([status, isComplete], [404, true]);
  assertEquals(api.asked.filter((id) => id === "no404").length, 1);
});
