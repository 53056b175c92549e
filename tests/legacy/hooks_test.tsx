import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertNotStrictEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { Controller } from "@rejoin/data";
import { HookableResource, Resource } from "@rejoin/data/legacy";
import { useController, useSuspense } from "@rejoin/data/preact";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { App, press } from "../preact/_cinema.tsx";
import { FaultFetch } from "../support/fault_fetch.ts";

const ROOT = "https://api.example.com/articles";
const Token = createContext<string | undefined>(undefined);

class Article extends Resource {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static urlRoot = ROOT;
}

/** Articles for those who are known. */
class Draft extends HookableResource {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static urlRoot = "https://api.example.com/drafts";
  static useFetchInit(init: RequestInit) {
    const token = useContext(Token);
    return token === undefined ? init : { ...init, headers: { ...init.headers, "access-token": token } };
  }
}

/** A server that names who asks. */
function serve() {
  const seen: string[] = [];
  const fetches = new FaultFetch(async (request) => {
    const id = new URL(request.url).pathname.split("/")[2];
    const who = request.headers.get("access-token") ?? "nobody";
    seen.push(`${request.method} ${id ?? ""} ${who}`);
    const sent = request.method === "GET" ? {} : JSON.parse(await request.text() || "{}");
    return Response.json(
      id === undefined ? [{ id: "5", title: "a" }, { id: "6", title: "b" }] : { id, title: "a", ...sent },
    );
  });
  const restore = fetches.install();
  return { seen, [Symbol.dispose]: () => restore[Symbol.dispose]() };
}

Deno.test("components read what a class gives, and see every change", async () => {
  using server = serve();
  using controller = new Controller({ strict: true });
  let renders = 0;
  function Titles() {
    renders++;
    return <p>{useSuspense(Article.list()).map(({ title }) => title).join()}</p>;
  }
  function Title() {
    return <b>{useSuspense(Article.detail(), { id: "5" }).title}</b>;
  }
  await using app = mount(
    <App controller={controller}>
      <Titles />
      <Title />
    </App>,
  );
  await settled();
  assertEquals(app.text, "a,ba");
  const rendered = renders;
  await controller.fetch(Article.partialUpdate(), { id: "5" }, { title: "new" });
  await settled();
  assertEquals([app.text, renders], ["new,bnew", rendered + 1]);
  await controller.fetch(Article.delete(), { id: "6" });
  await settled();
  assertEquals(app.text, "newnew");
  assertEquals(server.seen.slice(-2), ["PATCH 5 nobody", "DELETE 6 nobody"]);
});

Deno.test("an endpoint that is made anew with each rendering is fetched once", async () => {
  class Paged extends Article {
    static override list() {
      return super.list().extend({ schema: [this], fetchInit: { credentials: "include" } });
    }
  }
  using server = serve();
  using controller = new Controller({ strict: true });
  const Titles = () => <p>{useSuspense(Paged.list()).map(({ title }) => title).join()}</p>;
  const page = () => (
    <App controller={controller}>
      <Titles />
    </App>
  );
  await using app = mount(page());
  await settled();
  app.render(page());
  await settled();
  assertEquals([app.text, server.seen.length], ["a,b", 1]);
});

Deno.test("hooks send what useFetchInit says in that component, and in no other", async () => {
  using server = serve();
  using controller = new Controller({ strict: true });
  const details = new Map<string, { readonly fetchInit: RequestInit | undefined }>();
  function Page({ id }: { readonly id: string }) {
    const detail = Draft.useDetail();
    const [update, create] = [Draft.useUpdate(), Draft.useCreate()];
    const [list, partialUpdate, remove] = [Draft.useList(), Draft.usePartialUpdate(), Draft.useDelete()];
    details.set(id, detail);
    const controller = useController();
    const onClick = async () => {
      await controller.fetch(list);
      await controller.fetch(update, { id }, { id, title: "new" });
      await controller.fetch(create, { title: "more" });
      await controller.fetch(partialUpdate, { id }, { title: "part" });
      await controller.fetch(remove, { id: "9" });
    };
    return <button type="button" onClick={onClick}>{useSuspense(detail, { id }).title}</button>;
  }
  await using app = mount(
    <App controller={controller}>
      <Token.Provider value="ann">
        <Page id="1" />
      </Token.Provider>
      <Token.Provider value="ben">
        <Page id="2" />
      </Token.Provider>
      <Page id="3" />
    </App>,
  );
  await settled();
  assertEquals(app.text, "aaa");
  assertEquals(server.seen.sort(), ["GET 1 ann", "GET 2 ben", "GET 3 nobody"]);
  server.seen.length = 0;
  press(app.find("button"));
  for (let tick = 0; tick < 10; tick++) await settled();
  assertEquals(server.seen, ["GET  ann", "PUT 1 ann", "POST  ann", "PATCH 1 ann", "DELETE 9 ann"]);
  assertStringIncludes(app.text, "part");
  // Without a token the hook gives what it got: the endpoint of the class itself, in which nothing was changed.
  assertEquals(["1", "2", "3"].map((id) => details.get(id)?.fetchInit?.headers), [
    { "access-token": "ann" },
    { "access-token": "ben" },
    undefined,
  ]);
});

Deno.test("the endpoint of a class stays as it is, whatever hooks make of it", () => {
  let token: string | undefined;
  class Noted extends Draft {
    static override useFetchInit(init: RequestInit) {
      return token === undefined ? init : { ...init, headers: { "access-token": token } };
    }
  }
  const before = Noted.useDetail();
  assertStrictEquals(Noted.useDetail(), before);
  token = "ann";
  const anns = Noted.useDetail();
  token = "ben";
  const bens = Noted.useDetail();
  token = undefined;
  assertNotStrictEquals(anns, bens);
  const tokens = [before, anns, bens, Noted.useDetail()].map(({ fetchInit }) => fetchInit?.headers);
  assertEquals(tokens, [undefined, { "access-token": "ann" }, { "access-token": "ben" }, undefined]);
  assertEquals(new Set([before, anns, bens].map((endpoint) => endpoint.key({ id: 5 }))).size, 1);
  assertEquals("detail" in Noted, false);
});
