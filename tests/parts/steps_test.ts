/** Steps of a request, with real servers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  cacheControl,
  conditional,
  ConflictError,
  Controller,
  Entity,
  followRedirects,
  idempotencyKey,
  ifMatch,
  NetworkError,
  resource,
  RestEndpoint,
  type Step,
} from "@rejoin/data";
import { type Api, empty, serve } from "../support/api.ts";
import { head, serveRaw } from "../support/raw_server.ts";

class Film extends Entity {
  id = "";
  title = "";
  year = 0;
  static key = "Film";
}

/** The values of a header, request by request. */
const sent = ({ asked }: Api, name: string) => asked.map(({ headers }) => headers.get(name));

/** A server of a film with versions. */
function films() {
  let film = { id: "1", title: "Alien", year: 1978 }, version = 1;
  const tag = () => `"${version}"`;
  const server = serve(({ method, headers, path }) => {
    const wanted = headers.get("if-match"), known = headers.get("if-none-match");
    if (wanted && wanted !== tag()) return empty(412);
    if (known === tag()) return new Response(null, { status: 304, headers: { etag: tag() } });
    const value = path === "/films" ? [film] : film;
    return method === "HEAD" ? empty(200) : Response.json(value, { headers: { etag: tag() } });
  });
  return {
    ...server,
    get version() {
      return version;
    },
    change(more: object) {
      film = { ...film, ...more };
      version++;
    },
  };
}
const filmResource = (urlPrefix: string, use: Step[]) => resource({ urlPrefix, path: "/films/:id", schema: Film, use });

Deno.test("conditional(): the second read asks with the ETag, and a 304 gives the same objects", async () => {
  await using server = films();
  const { getList } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  const first = await controller.fetch(getList);
  assert(await controller.fetch(getList) === first);
  assertEquals(sent(server, "if-none-match"), [null, '"1"']);
});

Deno.test("conditional(): a changed answer is stored, and its ETag is the next condition", async () => {
  await using server = films();
  const { get } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.change({ title: "Aliens" });
  assertEquals((await controller.fetch(get, { id: "1" })).title, "Aliens");
  await controller.fetch(get, { id: "1" });
  assertEquals(sent(server, "if-none-match"), [null, '"1"', '"2"']);
});

Deno.test("rule 11: a 304 is a read like any other: over an older set, under a later one", async () => {
  await using server = films();
  const { get } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  await controller.fetch(get, { id: "1" });
  controller.set(Film, { id: "1" }, { title: "mine" });
  const asked = controller.fetch(get, { id: "1" });
  controller.set(Film, { id: "1" }, { year: 2000 });
  await asked;
  const { title, year } = controller.get(Film, { id: "1" })!;
  assertEquals([title, year], ["Alien", 2000]);
});

Deno.test("conditional(): after a reset, and in another store, nothing is known", async () => {
  await using server = films();
  const { get } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  await controller.fetch(get, { id: "1" });
  controller.resetEntireStore();
  await controller.fetch(get, { id: "1" });
  await new Controller().fetch(get, { id: "1" });
  assertEquals(sent(server, "if-none-match"), [null, null, null]);
});

Deno.test("conditional(): a request of before a reset brings nothing back after it, however it ends", async () => {
  const answer = (user: string) => Response.json({ user }, { headers: { etag: '"1"' } });
  for (const end of [() => answer("Ann"), () => Promise.reject(new NetworkError(602))]) {
    const late = Promise.withResolvers<void>(), controller = new Controller();
    let user = "Ann", asked = 0;
    const get = new RestEndpoint({
      urlPrefix: "http://localhost",
      path: "/me",
      use: [conditional()],
      async fetchResponse(_url, { headers }) {
        if (++asked === 2) return await late.promise.then(end);
        const isKnown = new Headers(headers).has("if-none-match");
        if (isKnown) {
          throw new NetworkError(602, [], undefined, { status: 304, response: new Response(null, { status: 304 }) });
        }
        return answer(user);
      },
    });
    await controller.fetch(get);
    const old = controller.fetch(get);
    await new Promise((go) => setTimeout(go));
    controller.resetEntireStore();
    await assertRejects(() => old);
    user = "Bo";
    await controller.fetch(get);
    late.resolve();
    await new Promise((go) => setTimeout(go));
    assertEquals(await controller.fetch(get), { user: "Bo" });
  }
});

Deno.test("conditional() before followRedirects(): another target with an equal ETag is read anew", async () => {
  let target = 1;
  await using api = serve(({ path, headers }) => {
    if (path === "/current") return new Response(null, { status: 302, headers: { location: `/issues/${target}` } });
    const init = { headers: { etag: '"v"' } };
    return headers.has("if-none-match") ? new Response(null, { status: 304, ...init }) : Response.json({ path }, init);
  });
  const get = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/current",
    use: [conditional(), followRedirects()],
  });
  const controller = new Controller();
  await controller.fetch(get);
  target = 2;
  assertEquals(await controller.fetch(get), { path: "/issues/2" });
});

Deno.test("conditional(): an invalidated answer that is unchanged is shown again", async () => {
  await using server = films();
  const { get } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  await controller.fetch(get, { id: "1" });
  controller.invalidate(get, { id: "1" });
  await controller.fetch(get, { id: "1" });
  assertEquals(controller.getResponse(get, { id: "1" }).data?.title, "Alien");
  assertEquals(sent(server, "if-none-match"), [null, '"1"']);
});

Deno.test("conditional(): an error in between leaves the condition; a condition of the app's own stays", async () => {
  let fails = false;
  await using server = serve(({ headers }) => {
    if (fails) return empty(400);
    return headers.get("if-none-match") === '"1"'
      ? empty(304)
      : Response.json({ id: "1" }, { headers: { etag: '"1"' } });
  });
  const { get } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  await controller.fetch(get, { id: "1" });
  fails = true;
  await assertRejects(() => controller.fetch(get, { id: "1" }), NetworkError);
  fails = false;
  assertEquals((await controller.fetch(get, { id: "1" })).id, "1");
  const own = get.extend({ requestInit: { headers: { "If-None-Match": '"1"' } } });
  await assertRejects(() => controller.fetch(own, { id: "1" }), NetworkError);
  assertEquals(sent(server, "if-none-match"), [null, '"1"', '"1"', '"1"']);
});

Deno.test("conditional(): a body that breaks off is asked for again, and a 304 with its own Content-Type is JSON", async () => {
  await using server = serveRaw((count, request) => {
    if (request.includes("if-none-match")) return { text: head(0, "text/html", "304 Not Modified") };
    return {
      text: head(10, "application/json", "200 OK", 'etag: "1"\r\n') + '{"id":"1"}'.slice(0, count > 1 ? 10 : 4),
    };
  });
  const get = filmResource(server.urlPrefix, [conditional()]).get.extend({ schema: undefined });
  const controller = new Controller();
  for (const _ of [1, 2]) assertEquals(await controller.fetch(get, { id: "1" }) as unknown, { id: "1" });
  assertEquals(server.count(), 3);
});

Deno.test("conditional(): Last-Modified counts where a second has passed since", async () => {
  let date = "Thu, 01 Jan 2026 00:00:00 GMT";
  await using server = serve(({ headers }) =>
    headers.has("if-modified-since")
      ? empty(304)
      : Response.json({ id: "1" }, { headers: { date, "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" } })
  );
  const { get } = filmResource(server.urlPrefix, [conditional()]), controller = new Controller();
  await controller.fetch(get, { id: "1" });
  date = "Thu, 01 Jan 2026 00:00:05 GMT";
  await controller.fetch(get, { id: "1" });
  await controller.fetch(get, { id: "1" });
  assertEquals(sent(server, "if-modified-since").map(Boolean), [false, false, true]);
});

Deno.test("ifMatch(): a write carries the version that was read, and a success the next one", async () => {
  await using server = films();
  const { get, getList, create, partialUpdate } = filmResource(server.urlPrefix, [ifMatch()]);
  const controller = new Controller();
  await controller.fetch(getList);
  // The version of the list says nothing about a new record.
  await controller.fetch(create, { year: 1979 });
  assertEquals(sent(server, "if-match"), [null, null]);
  server.asked.length = 0;
  await controller.fetch(partialUpdate, { id: "1" }, { year: 1979 });
  await controller.fetch(get, { id: "1" });
  await controller.fetch(partialUpdate, { id: "1" }, { year: 1979 });
  assertEquals(sent(server, "if-match"), [null, null, '"1"']);
  await new Controller().fetch(partialUpdate, { id: "1" }, { year: 1979 });
  controller.resetEntireStore();
  await controller.fetch(partialUpdate, { id: "1" }, { year: 1979 });
  assertEquals(sent(server, "if-match").slice(3), [null, null]);
});

Deno.test("ifMatch(): 412 is a ConflictError with both versions, the optimistic layer goes, the record is stale", async () => {
  await using server = films();
  const { get, partialUpdate } = resource({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    schema: Film,
    optimistic: true,
    use: [ifMatch()],
  });
  const controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.change({ title: "Alien: The Director's Cut" });
  const saved = controller.fetch(partialUpdate, { id: "1" }, { year: 1979 });
  assertEquals(controller.get(Film, { id: "1" })?.year, 1979);
  const error = await assertRejects(() => saved, ConflictError);
  assertEquals([error.status, error.mine], [412, { year: 1979 }]);
  assertEquals(error.theirs, { id: "1", title: "Alien: The Director's Cut", year: 1978 });
  assertEquals(controller.get(Film, { id: "1" })?.year, 1978);
  assert(controller.getResponse(get, { id: "1" }).expiresAt <= Date.now());
});

Deno.test("case 15: Cache-Control is read by its grammar", async () => {
  let control = "", age: string | undefined;
  await using server = serve(() =>
    Response.json({ id: "1" }, { headers: { "cache-control": control, ...age && { age } } })
  );
  const { get } = filmResource(server.urlPrefix, [cacheControl()]), controller = new Controller();
  const lasts = async (said: string, seconds: number, spent?: string) => {
    [control, age] = [said, spent];
    const before = Date.now();
    await controller.fetch(get, { id: "1" });
    const { expiresAt } = controller.getResponse(get, { id: "1" }), since = (at: number) => (expiresAt - at) / 1000;
    const isRight = since(Date.now()) < seconds + 0.5 && Math.max(0, since(before)) > seconds - 0.5;
    assert(isRight, `${said}: ${since(before)}`);
  };
  await lasts('no-cache="x, max-age=3600", max-age=5', 5);
  await lasts("max-age=5", 5);
  await lasts('Max-Age="7", private', 7);
  await lasts("max-age=10", 6, "4");
  await lasts("no-store, max-age=9", 0);
  await lasts("no-cache", 0);
  await lasts('private="a\\"b, no-store", max-age=8', 8);
  await lasts("max-age=99999999", 86_400);
  await lasts("max-age=x", 60);
  await lasts("public", 60);
  await lasts("s-maxage=3, x-max-age=4", 60);
});

Deno.test("cacheControl(): the header of an attempt that failed, or broke off, does not count", async () => {
  const no = "cache-control: no-store\r\n";
  for (
    const text of [
      head(0, "text/plain", "503 Service Unavailable", `${no}retry-after: 0\r\n`),
      head(10, "application/json", "200 OK", no) + '{"id"',
    ]
  ) {
    await using server = serveRaw((count) => ({
      text: count > 1 ? head(10, "application/json") + '{"id":"1"}' : text,
    }));
    const { get } = filmResource(server.urlPrefix, [cacheControl()]), controller = new Controller();
    await controller.fetch(get, { id: "1" });
    assertEquals(server.count(), 2);
    assert(controller.getResponse(get, { id: "1" }).expiresAt > Date.now() + 5e4);
  }
});

Deno.test("cacheControl() around conditional(), or in it: a 304 says how long", async () => {
  await using server = serve(({ headers }) =>
    headers.has("if-none-match")
      ? new Response(null, { status: 304, headers: { "cache-control": "max-age=9" } })
      : Response.json({ id: "1" }, { headers: { etag: '"1"', "cache-control": "max-age=5" } })
  );
  for (const use of [[cacheControl(), conditional()], [conditional(), cacheControl()]]) {
    const { get } = filmResource(server.urlPrefix, use), controller = new Controller();
    await controller.fetch(get, { id: "1" });
    await controller.fetch(get, { id: "1" });
    const left = controller.getResponse(get, { id: "1" }).expiresAt - Date.now();
    assert(left > 5.1e3 && left < 9.5e3, `${left}`);
  }
});

Deno.test("idempotencyKey(): all attempts at a mutation carry one key, reads none, and calls differ", async () => {
  let fails = 1;
  await using server = serve(() => fails-- > 0 ? empty(503) : Response.json({ id: "1" }));
  const { get, create } = filmResource(server.urlPrefix, [idempotencyKey()]), controller = new Controller();
  await controller.fetch(create, { title: "Alien" });
  await controller.fetch(create, { title: "Alien" });
  await controller.fetch(get, { id: "1" });
  const [first, again, other, read] = sent(server, "idempotency-key");
  assert(first && first.length >= 16 && first === again && other !== first && read === null);
});

Deno.test("idempotencyKey(): a key that no header can hold is an error, and one that is there stays", async () => {
  await using server = serve(({ headers }) => Response.json(headers.get("idempotency-key")));
  const order = new RestEndpoint({
    urlPrefix: server.urlPrefix,
    path: "/carts/:cart/order",
    method: "POST",
    use: [idempotencyKey(({ cart }: { cart: string }) => cart)],
  });
  assertEquals(await order({ cart: "cart 7" }, {}), "cart 7");
  await assertRejects(() => order({ cart: "№5" }, {}), Error, "№5");
  const own = order.extend({ requestInit: { headers: { "Idempotency-Key": "mine" } } });
  assertEquals(await own({ cart: "cart 7" }, {}), "mine");
});

/** Two origins. `/moved` redirects to the other one; any other path answers with what it received. */
function twoOrigins(status = 307) {
  const server = (places: () => Readonly<Record<string, string>>) =>
    serve(({ method, path, headers, body }) => {
      const location = places()[path];
      if (location) return new Response(null, { status, headers: { location } });
      return { method, token: headers.get("access-token"), type: headers.get("content-type"), body };
    });
  const other: Api = server(() => ({ "/back": `${own.urlPrefix}/end` }));
  const own = server(() => ({
    "/moved": `${other.urlPrefix}/end`,
    "/there": `${other.urlPrefix}/back`,
    "/within": "/end#x",
    "/loop": "/loop",
    "/mail": "mailto:a@b.c",
  }));
  const post = new RestEndpoint({
    urlPrefix: own.urlPrefix,
    path: "/:where",
    method: "POST",
    body: undefined as unknown,
    getHeaders: (headers) => ({ ...headers, "access-token": "secret" }),
    use: [followRedirects()],
    process: (value: { method: string; token: string | null; type: string | null; body: string }) => value,
  }).extend({ body: {} as unknown });
  return {
    own,
    post,
    get: post.extend({ method: "GET", body: undefined }),
    [Symbol.asyncDispose]: async () => void await Promise.all([own, other].map((api) => api[Symbol.asyncDispose]())),
  };
}

Deno.test("followRedirects(): headers of the app go along within an origin, and not to another one", async () => {
  await using origins = twoOrigins();
  const { get } = origins;
  assertEquals((await get({ where: "within" })).token, "secret");
  assertEquals((await get({ where: "moved" })).token, null);
  assertEquals((await get({ where: "there" })).token, null, "nor back");
});

Deno.test("followRedirects(): 307 keeps method and body; 302 and 303 make a POST a GET without either", async () => {
  for (const status of [307, 308, 302, 303]) {
    const [method, body] = status > 303 ? ["POST", '{"a":1}'] : ["GET", ""];
    await using origins = twoOrigins(status);
    const { post } = origins;
    const said = await post({ where: "within" }, { a: 1 });
    assertEquals([said.method, said.body, said.type], [method, body, body && "application/json" || null]);
    assertEquals((await post({ where: "moved" }, { a: 1 })).token, null);
  }
});

Deno.test("followRedirects(): what cannot be followed, and the twenty-first, are errors with their status", async () => {
  await using origins = twoOrigins();
  const { get } = origins;
  assertEquals((await assertRejects(() => get({ where: "mail" }), NetworkError)).status, 307);
  assertEquals((await assertRejects(() => get({ where: "loop" }), NetworkError)).status, 307);
  assertEquals(origins.own.asked.length, 1 + 21);
});

Deno.test("the first step is the outermost, a class may have steps, and extend({ use }) replaces them", async () => {
  await using server = serve(({ headers }) => Response.json(headers.get("trace")));
  const trace = (mark: string): Step => (call) => ({
    getHeaders: async (headers) => {
      const given = new Headers(await call.getHeaders(headers));
      return { ...Object.fromEntries(given), trace: `${given.get("trace") ?? ""}${mark}` };
    },
  });
  class Api extends RestEndpoint {
    override use = [trace("a"), trace("b")];
  }
  const get = new RestEndpoint({ urlPrefix: server.urlPrefix, path: "/", use: [trace("a"), trace("b")] });
  assertEquals(await get(), "ba");
  assertEquals(await get.extend({ use: [trace("c")] })(), "c");
  assertEquals(await new Api({ urlPrefix: server.urlPrefix, path: "/" })(), "ba");
});
