import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Component, type ComponentChild } from "preact";
import { Controller, createResource, Endpoint, Entity, type State, UsageError } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  ErrorBoundary,
  type ErrorFallbackProps,
  useDLE,
  useQuery,
  useSignalOf,
  useSuspense,
} from "@rejoin/data/preact";
import { renderPage as render, type RenderPageOptions, renderPageToStream } from "@rejoin/data/ssr";

class Film extends Entity {
  id = "";
  title = "";
  next = "";
  static key = "Film";
}

/** Without a deadline, because most tests are not about slow machines. */
const renderPage = (page: (controller: Controller) => ComponentChild, options?: RenderPageOptions) =>
  render(page, { deadline: Infinity, ...options });

/** Renders content that reads the store of the page. */
const renderContent = (content: () => ComponentChild, options?: RenderPageOptions) =>
  renderPage((controller) => <DataProvider controller={controller}>{content()}</DataProvider>, options);

/** An API that records its requests and knows their user. It answers only after `first` requests have come. */
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
  const urlPrefix = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
  return { asked, left, urlPrefix, films: declare(urlPrefix), [Symbol.asyncDispose]: () => server.shutdown() };
}

function declare(urlPrefix: string, user?: string) {
  return createResource({
    urlPrefix,
    path: "/films/:id",
    schema: Film,
    // No deadline, because a busy machine may be slow with a hundred pages at once.
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

const Bounded = (props: Parameters<typeof FilmTitle>[0]) => <Boundary>{<FilmTitle {...props} />}</Boundary>;

Deno.test("a page is rendered with all that its components ask for, side by side where they can", async () => {
  await using api = startApi(3);
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <FilmTitle films={api.films} id="1" />
        <FilmTitle films={api.films} id="2" />
      </Boundary>
      <Bounded films={api.films} id="1" />
      <Plain films={api.films} id="3" />
    </DataProvider>
  ));
  const one = "<p>Film 1 of nobody</p>";
  assertEquals(page.html, `${one}<p>Film 2 of nobody</p>${one}<b>Film 3 of nobody</b>`);
  assertEquals([page.status, page.errors.length], [200, 0]);
  assertEquals([...api.asked].sort().join(), "1,2,3");
});

Deno.test("what depends on what was asked for is asked for then, each once", async () => {
  await using api = startApi();
  const page = await renderContent(() => <Bounded films={api.films} id="1" depth={3} />);
  assertStringIncludes(page.html, "Film 1xxx of nobody");
  assertEquals(api.asked, ["1", "1x", "1xx", "1xxx"]);
});

Deno.test("an error reaches its boundary, and the page has the status of it", async () => {
  await using api = startApi();
  const pageOf = (id: string) =>
    renderPage((controller) => (
      <DataProvider controller={controller}>
        <Bounded films={api.films} id={id} />
        <Bounded films={api.films} id="1" depth={1} />
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
  await using api = startApi();
  const page = (controller: Controller) => (
    <DataProvider controller={controller}>
      <FilmTitle films={api.films} id="no404" />
    </DataProvider>
  );
  await assertRejects(() => renderPage(page), Error, "404");
  const Broken = (): never => {
    throw new TypeError("a fault of the page");
  };
  await assertRejects(() => renderPage(() => <Broken />), TypeError, "a fault of the page");
});

Deno.test("a page that asks for something new at each rendering comes to an end", async () => {
  await using api = startApi();
  let count = 0;
  const Endless = () => {
    const { loading } = useDLE(api.films.get, { id: `n${++count}` });
    return <b>{loading ? "loading" : "there"}</b>;
  };
  const page = await renderContent(() => <Endless />);
  assertEquals([page.html, count], ["<b>loading</b>", 10]);
});

Deno.test("components may look at what their children are, and vnodes may be made once for all pages", async () => {
  await using api = startApi();
  const Tab = ({ id }: { id: string }) => <FilmTitle films={api.films} id={id} />;
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

Deno.test("rule 38: a vnode that was made once brings nothing of one visitor to another; a signal is text", async () => {
  let user = "Ann";
  const getFilm = new Endpoint(() => Promise.resolve({ id: "1", title: "Alien" }), { name: "getFilm", schema: Film });
  const Name = () => {
    if (user === "Ann") throw new Error(user);
    return <>{useSuspense(getFilm).title}{useSignalOf(getFilm, [], (film) => film?.id)}</>;
  };
  const made = (
    <Boundary>
      <Name />
    </Boundary>
  );
  const page = () => renderPage((controller) => <DataProvider controller={controller}>{made}</DataProvider>);
  assertEquals((await page()).status, 500);
  user = "Bob";
  assertEquals((await page()).html, "Alien1");
});

Deno.test("data that is never fresh is asked for once for a page", async () => {
  await using api = startApi();
  const get = api.films.get.extend({ dataExpiryLength: 0 });
  const Stale = () => <p>{useSuspense(get, { id: "1" }).title}</p>;
  const page = await renderContent(() => (
    <Boundary>
      <Stale />
    </Boundary>
  ));
  assertEquals([page.html, api.asked.join()], ["<p>Film 1 of nobody</p>", "1"]);
});

Deno.test("pages that are rendered at the same time share nothing, and leave nothing behind", async () => {
  await using api = startApi();
  const count = 200;
  const atOnce = 100;
  for (let done = 0; done < count; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, async (_, at) => {
      const user = `user ${done + at}`;
      const films = declare(api.urlPrefix, user);
      const { html, script } = await renderContent(() => <Bounded films={films} id="1" depth={1} />);
      assertEquals(html, `<p>Film 1 of ${user}<p>Film 1x of ${user}</p></p>`);
      for (const [found] of script.matchAll(/user \d+/g)) assert(found === user, `${user} sees ${found}`);
    }));
  }
  assertEquals(api.asked.length, count * 2);
});

Deno.test("a page is rendered whole however old its reads are at once, and whatever a part does with them", async () => {
  await using api = startApi();
  const { get } = api.films;
  const hidden = get.extend({ dataExpiryLength: 0, invalidIfStale: true });
  for (const isMadeUp of [false, true]) {
    const Page = () => <p>{useSuspense(hidden, { id: "1" }).title}</p>;
    const { html, status } = await renderContent(() => (
      <Boundary>
        <Page />
      </Boundary>
    ), { use: [{ send: (_flight, next) => isMadeUp ? Promise.resolve({ id: "1", title: "made up" }) : next() }] });
    assertEquals([html, status], [isMadeUp ? "<p>made up</p>" : "<p>Film 1 of nobody</p>", 200]);
  }
});

Deno.test("what siblings ask for takes one round trip, however they are nested and of whatever kind they are", async () => {
  await using api = startApi(40);
  class ByClass extends Component<{ id: string }> {
    override render() {
      return <FilmTitle films={api.films} id={this.props.id} />;
    }
  }
  const ids = Array.from({ length: 10 }, (_, at) => String(at));
  // The API answers only after all forty requests have come.
  const { html, isComplete } = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        {ids.map((id) => <FilmTitle key={id} films={api.films} id={`a${id}`} />)}
        <Boundary>{ids.map((id) => <ByClass key={id} id={`b${id}`} />)}</Boundary>
      </Boundary>
      <Boundary>
        {ids.map((id) => <Boundary key={id}>{<FilmTitle films={api.films} id={`c${id}`} />}</Boundary>)}
      </Boundary>
      {ids.map((id) => <Plain key={id} films={api.films} id={`d${id}`} />)}
    </DataProvider>
  ));
  assertEquals([html.match(/Film [abcd]\d/g)?.length, api.asked.length, isComplete], [40, 40, true]);
});

Deno.test("at the deadline the fallback stands in place of what waits, and the rest of the page is there", async () => {
  await using api = startApi();
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <b>beside</b>
        <FilmTitle films={api.films} id="never1" />
        <Bounded films={api.films} id="2" />
      </Boundary>
      <Boundary>
        <FilmTitle films={api.films} id="3" />
        <Bounded films={api.films} id="never2" />
      </Boundary>
      <FilmTitle films={api.films} id="never3" />
      <Plain films={api.films} id="never4" />
    </DataProvider>
  ), { deadline: 2_000 });
  assertEquals(page.html, "…<p>Film 3 of nobody</p>…<b>loading</b>");
  assertEquals([page.isComplete, page.status, page.errors], [false, 200, []]);
  // The data that have come are in the state, so the browser does not fetch them again.
  const { state } = JSON.parse(page.script.replace(/<.*?>/g, "")) as { state: State };
  assertEquals(state.tables.Film!.map(([pk]) => pk), ["2", "3"]);
  // The requests in flight are aborted.
  while (api.left.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
});

for (const Inner of [AsyncBoundary, ErrorBoundary]) {
  Deno.test(`what waits beside what has failed in an ${Inner.name} is given up, and the error is shown`, async () => {
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
    const page = await renderPage((controller) => <Page controller={controller} />, { deadline: 500 });
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

Deno.test("a boundary whose errorComponent throws leaves the error to that around it", async () => {
  await using api = startApi();
  const Thrown = ({ error }: ErrorFallbackProps) => {
    throw error;
  };
  const { html } = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <AsyncBoundary errorComponent={Thrown}>
          <FilmTitle films={api.films} id="no1" />
        </AsyncBoundary>
      </Boundary>
      <Boundary>
        <Plain films={api.films} id="no1" />
      </Boundary>
    </DataProvider>
  ));
  assertEquals(html, "<i>NetworkError</i><b>NetworkError</b>");
});

Deno.test("rule 38: code that fails below a boundary is in errors, with status 500, and no message of it on the page", async () => {
  await using api = startApi();
  const Broken = () => (
    <b>{(useSuspense(api.films.get, { id: "1" }) as unknown as { author: { name: string } }).author.name}</b>
  );
  for (const Kind of [AsyncBoundary, ErrorBoundary]) {
    const page = await renderContent(() => (
      <Kind fallback="…">
        <Bounded films={api.films} id="no404" />
        <Broken />
      </Kind>
    ));
    assertEquals([page.html, page.status], [Kind === AsyncBoundary ? "…" : "", 500]);
    assertEquals(page.errors.map((error) => (error as Error).name), ["NetworkError", "TypeError"]);
  }
  const shown = await renderContent(() => (
    <Boundary>
      <Broken />
    </Boundary>
  ));
  assertEquals([shown.html, shown.status], ["<i>TypeError</i>", 500]);
});

Deno.test("when the client has gone what the page asked for is given up", async () => {
  await using api = startApi();
  const leaving = new AbortController();
  const page = (controller: Controller) => (
    <DataProvider controller={controller}>
      <Bounded films={api.films} id="never" />
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

Deno.test("a page that goes on asking has its fallbacks where something waits at the end", async () => {
  await using api = startApi();
  const page = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Bounded films={api.films} id="1" depth={2} />
      <Bounded films={api.films} id="2" depth={30} />
    </DataProvider>
  ));
  assertEquals(page.html, "<p>Film 1 of nobody<p>Film 1x of nobody<p>Film 1xx of nobody</p></p></p>…");
  assertEquals(page.isComplete, false);
});

Deno.test("who throws promises that are kept, again and again, does not hold the server up", async () => {
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

Deno.test("a page shows its own store only: another has what another visitor may see, or is never filled", async () => {
  const Name = () => <b>{useQuery(Film, { id: "1" })?.title}</b>;
  const pageOf = (controller?: Controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <Name />
      </Boundary>
    </DataProvider>
  );
  const shared = new Controller();
  let kept!: Controller;
  assertEquals((await renderPage((own) => pageOf(kept = own))).html, "<b></b>");
  for (const store of [shared, kept, undefined]) {
    const refused = await assertRejects(() => renderPage(() => pageOf(store)), UsageError);
    assertStringIncludes(refused.message, "<DataProvider controller={controller}>");
    await assertRejects(() => renderPageToStream(() => pageOf(store), { document: String }), UsageError);
  }
});

Deno.test("what has failed is shown also by a page that takes longer than an error is kept", async () => {
  await using api = startApi();
  const get = api.films.get.extend({ errorExpiryLength: 1 });
  const Thrown = () => <p>{useSuspense(get, { id: "no404" }).title}</p>;
  const Read = () => <b>{useDLE(get, { id: "no404" }).error?.name}</b>;
  const { html, status, isComplete } = await renderPage((controller) => (
    <DataProvider controller={controller}>
      <Boundary>
        <Thrown />
      </Boundary>
      <Read />
      <Bounded films={api.films} id="1" depth={2} />
    </DataProvider>
  ), { deadline: 5_000 });
  assertStringIncludes(html, "<i>NetworkError</i><b>NetworkError</b><p>Film 1 of");
  assertEquals([status, isComplete], [404, true]);
  assertEquals(api.asked.filter((id) => id === "no404").length, 1);
});
