/** A JSON API behind a proxy that answers with HTML: 502 while the API restarts, 200 for a page to sign in. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, Entity, NetworkError, ParseError, resource } from "@rejoin/data";
import { type Asked, empty, serve } from "../support/api.ts";
import { live } from "./_scene.ts";

class Note extends Entity {
  id = "";
  title = "";
  static key = "Note";
}
const page = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html><title>${text}</title><h1>${text}</h1>`, {
    status,
    headers: { "content-type": "text/html", ...headers },
  });
const badGateway = () => page(502, "502 Bad Gateway", { "retry-after": "0" });
const signIn = () => page(200, "Sign in");

/** `inWay(asked)` returns the proxy's own response, or nothing. */
function proxied(inWay: (asked: Asked) => Response | undefined) {
  let last = 2;
  const notes = new Map(["1", "2"].map((id) => [id, { id, title: `Note ${id}` }]));
  const api = serve((asked) => {
    const { method, path, body, search } = asked, id = path.split("/")[2] ?? "", note = notes.get(id);
    const own = inWay(asked);
    if (own) return own;
    if (id && !note) return Response.json({}, { status: 404 });
    const page = Number(new URLSearchParams(search).get("page") ?? 0);
    if (method === "GET") return note ?? (page ? [...notes.values()].slice(page - 1, page) : [...notes.values()]);
    if (method === "DELETE") {
      notes.delete(id);
      return empty();
    }
    const sent = JSON.parse(body);
    if (sent.title === "") return Response.json({ title: ["This field may not be blank."] }, { status: 400 });
    const saved = { ...note, ...sent, id: id || `${++last}` };
    notes.set(saved.id, saved);
    return saved;
  });
  const resourceOf = (optimistic: boolean) =>
    resource({ urlPrefix: api.urlPrefix, path: "/notes/:id", schema: Note, optimistic });
  return { notes, api, resourceOf, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

for (const optimistic of [false, true]) {
  const how = optimistic ? ", optimistic" : "";
  Deno.test(`a proxy that answers every other read with 502: list, detail, create, edit, delete, error${how}`, async () => {
    let reads = 0;
    await using server = proxied(({ method }) => method === "GET" && reads++ % 2 === 0 ? badGateway() : undefined);
    await live({
      R: server.resourceOf(optimistic),
      onServer: (id) => server.notes.get(id),
      refused: { body: { title: "" }, status: 400, errorsOf: (body) => body.title },
    }, optimistic);
  });
  Deno.test(`a 502 to a mutation says nothing of what became of it: the record and its lists are asked again${how}`, async () => {
    let isDown = false;
    await using server = proxied(({ method }) => isDown && method !== "GET" ? badGateway() : undefined);
    const R = server.resourceOf(optimistic);
    using c = new Controller();
    await c.fetch(R.getList);
    const isStale = () => c.getResponse(R.getList).expiresAt <= Date.now();
    isDown = true;
    for (
      const call of [
        () => c.fetch(R.partialUpdate, { id: "1" }, { title: "x" }),
        () => c.fetch(R.create, { title: "x" }),
        () => c.fetch(R.delete, { id: "2" }),
      ]
    ) {
      const sent = server.api.asked.length, error = await assertRejects(call, NetworkError);
      assertEquals([error.status, server.api.asked.length - sent], [502, 1], "a mutation is never sent twice");
      assert(/Bad Gateway/.test(`${error.body}`), "the text of the page");
      assertEquals(c.getResponse(R.getList).data?.map(({ title }) => title), ["Note 1", "Note 2"]);
      assert(isStale());
      await c.fetch(R.getList);
    }
  });
  Deno.test(`a page in place of JSON with 200 is an error of a read and of a mutation; what was shown is taken back${how}`, async () => {
    let isSignedOut = false;
    await using server = proxied(() => isSignedOut ? signIn() : undefined);
    const R = server.resourceOf(optimistic);
    using c = new Controller();
    await c.fetch(R.getList);
    isSignedOut = true;
    for (
      const call of [
        () => c.fetch(R.get, { id: "1" }),
        () => c.fetch(R.getList, { page: 2 }),
        () => c.fetch(R.create, { title: "x" }),
        () => c.fetch(R.partialUpdate, { id: "2" }, { title: "x" }),
        () => c.fetch(R.delete, { id: "1" }),
      ]
    ) {
      const error: Error = await assertRejects(call, ParseError);
      assert(/no JSON/.test(error.message));
      assertEquals(c.getResponse(R.getList).data?.map(({ title }) => title), ["Note 1", "Note 2"]);
    }
  });
}
Deno.test("502 for as long as it is asked: two more tries, then an error beside the old data", async () => {
  let isDown = false;
  await using server = proxied(() => isDown ? badGateway() : undefined);
  const { getList } = server.resourceOf(false);
  using c = new Controller();
  for (const number of [1, 2]) await c.fetch(getList, { page: number });
  isDown = true;
  const before = server.api.asked.length,
    error = await assertRejects(() => c.fetch(getList, { page: 1 }), NetworkError);
  assertEquals([error.status, server.api.asked.length - before], [502, 3]);
  assertEquals(
    c.getResponse(getList, { page: 1 }).data?.map(({ id }) => id),
    ["1"],
    "it is soft: what was there stays",
  );
});
