// What a RestEndpoint hands to `request`: retry, idempotency key, and headers that must not leave their origin.
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Controller,
  createResource,
  EndpointError,
  Entity,
  followRedirects,
  idempotencyKey,
  NetworkError,
  RestEndpoint,
} from "@rejoin/data";
import type { RestGenerics } from "@rejoin/data";
import { type FaultServer, startFaultServer } from "../support/fault_server.ts";

class Order extends Entity {
  id = "";
  ok = false;
  override pk(): string {
    return this.id;
  }
  static override key = "Order";
}

/** Refuses so often, and asks to come back at once. */
const flaky = (times: number): string => `/flaky?times=${times}&status=503&retry-after=0`;

/** The path of an endpoint has no search of its own; the server's has. */
function at(path: string): string {
  return path.replace("?", "\\?");
}

const keys = (server: FaultServer): (string | undefined)[] =>
  server.requests.map(({ headers }) => headers["idempotency-key"]);

Deno.test("RestEndpoint tries a GET twice again by default, and says how often it tried", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: at(flaky(2)) });
  assertEquals(await get(), { ok: true });
  assertEquals(server.requests.length, 3);
  const never = new RestEndpoint({ urlPrefix: server.origin, path: at(flaky(9)) });
  const error = await assertRejects(() => never(), NetworkError);
  assertEquals([error.attempts, error.status], [3, 503]);
});

Deno.test("RestEndpoint takes retry as an option, by extend, as a class field, and for a whole resource", async () => {
  await using server = await startFaultServer();
  const path = at(flaky(9));
  class Patient<O extends RestGenerics> extends RestEndpoint<O> {
    override retry = 4;
  }
  const urlPrefix = server.origin;
  const get = new RestEndpoint({ urlPrefix, path, retry: false });
  const resource = createResource({ urlPrefix, path: `${path}&id=:id`, schema: Order, retry: 1 });
  const calls: readonly (readonly [() => Promise<unknown>, number])[] = [
    [() => get(), 1],
    [() => get.extend({ retry: 3 })(), 4],
    [() => get.extend({ retry: undefined })(), 3],
    [() => new Patient({ urlPrefix, path })(), 5],
    [() => new Patient({ urlPrefix, path, retry: 0 })(), 1],
    [() => resource.get({ id: 5 }), 2],
  ];
  for (const [call, attempts] of calls) {
    server.clear();
    const error = await assertRejects(call, NetworkError);
    assertEquals([error.attempts, server.requests.length], [attempts, attempts]);
  }
});

Deno.test("RestEndpoint sends a mutation once, or with one key for all attempts and another for the next call", async () => {
  await using server = await startFaultServer();
  const order = new RestEndpoint({ urlPrefix: server.origin, path: at(flaky(2)), method: "POST" });
  assertEquals((await assertRejects(() => order({ film: 7 }), NetworkError)).attempts, 1);
  assertEquals(keys(server), [undefined]);
  server.clear();
  const keyed = order.extend({ use: [idempotencyKey()] });
  await keyed({ film: 7 });
  await keyed({ film: 7 });
  assertEquals(server.requests.map(({ body }) => body), Array(4).fill('{"film":7}'));
  const [first, second, third, other] = keys(server);
  assert(/^[0-9a-f]{32}$/.test(first!));
  assertEquals([second, third], [first, first]);
  assert(/^[0-9a-f]{32}$/.test(other!) && other !== first);
});

Deno.test("RestEndpoint makes an idempotency key of the arguments by a function", async () => {
  await using server = await startFaultServer();
  const order = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/echo/:shop".replace("/:shop", "\\?shop=:shop"),
    method: "PUT",
    body: {} as { id: string },
    use: [idempotencyKey(({ shop }: { shop: string }, { id }: { id: string }) => `${shop}/${id}`)],
  });
  await order({ shop: "berlin" }, { id: "7" });
  assertEquals(keys(server), ["berlin/7"]);
});

Deno.test("RestEndpoint sends no idempotency key with reads, and keeps one that getHeaders set", async () => {
  await using server = await startFaultServer();
  const echo = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/echo",
    use: [idempotencyKey()],
    searchParams: undefined,
  });
  await echo();
  await echo.extend({ method: "HEAD" })().catch(() => {});
  const own = echo.extend({
    method: "POST",
    getHeaders: (headers: Record<string, string>) => ({ ...headers, "idempotency-key": "mine" }),
  });
  await own({});
  assertEquals(keys(server), [undefined, undefined, "mine"]);
});

Deno.test("RestEndpoint refuses an idempotency key that no header can hold, and sends nothing", async () => {
  await using server = await startFaultServer();
  for (const key of ["", " ", "a\nb", "a\r\nX-Evil: 1", "é", " a", undefined, null, 5, {}]) {
    const order = new RestEndpoint({
      name: "order",
      urlPrefix: server.origin,
      path: "/echo",
      method: "POST",
      use: [idempotencyKey(() => key as string)],
    });
    await assertRejects(() => order({}), EndpointError, 'Cannot send "order": its idempotencyKey() made');
  }
  assertEquals(server.requests, []);
});

Deno.test("a resource with idempotency keys sends them with its mutations, through a controller, too", async () => {
  await using server = await startFaultServer({ fallback: () => Response.json({ id: "5", ok: true }) });
  const Orders = createResource({
    urlPrefix: server.origin,
    path: "/orders/:id",
    schema: Order,
    use: [idempotencyKey()],
  });
  using controller = new Controller();
  await controller.fetch(Orders.get, { id: "5" });
  await controller.fetch(Orders.partialUpdate, { id: "5" }, { ok: false });
  await controller.fetch(Orders.delete, { id: "5" });
  const [read, update, remove] = keys(server);
  assertEquals([read, typeof update, typeof remove, update === remove], [undefined, "string", "string", false]);
});

Deno.test("RestEndpoint leaves headers of every origin behind when a redirect changes the origin", async () => {
  await using server = await startFaultServer();
  const moved = { status: 307, to: "other" };
  const use = [followRedirects()];
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/redirect", use });
  class WithToken<O extends RestGenerics> extends RestEndpoint<O> {
    override getRequestInit(body?: unknown) {
      const init = super.getRequestInit(body);
      return { ...init, headers: { ...init.headers as Record<string, string>, "Access-Token": "secret" } };
    }
  }
  const byOption = get.extend({ requestInit: { headers: { "X-API-Key": "secret" } } });
  const byHeaders = get.extend({
    getHeaders: (headers: Record<string, string>) => ({ ...headers, authorization: "Bearer secret" }),
  });
  const later = get.extend({
    method: "POST",
    getHeaders: () => Promise.resolve(new Headers({ "Cookie": "session=secret" })),
  });
  const byClass = new WithToken({ urlPrefix: server.origin, path: "/redirect", use });
  for (const call of [() => byOption(moved), () => byHeaders(moved), () => later(moved, {}), () => byClass(moved)]) {
    server.clear();
    await call();
    assertEquals(server.requests.map(({ origin }) => origin), [server.origin, server.otherOrigin]);
    const leaks = server.requests.map(({ headers }) => JSON.stringify(headers).includes("secret"));
    assertEquals(leaks, [true, false]);
  }
});

Deno.test("RestEndpoint hands retries and redirects to a fetchResponse of the app's own, through super", async () => {
  await using server = await startFaultServer();
  let calls = 0;
  class Counting<O extends RestGenerics> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      calls++;
      return super.fetchResponse(url, init);
    }
  }
  assertEquals(await new Counting({ urlPrefix: server.origin, path: at(flaky(1)) })(), { ok: true });
  const redirected = new Counting({ urlPrefix: server.origin, path: "/redirect", use: [followRedirects()] });
  assertEquals((await redirected({ count: 3 }) as { path: string }).path, "/echo");
  assertEquals([calls, server.requests.length], [3, 6]);
});
