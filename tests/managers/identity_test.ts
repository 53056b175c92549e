/** 17. Whoever logs in next sees nothing of the person before, however late their answers come. */
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, isEnding, LogoutManager, record, resource, stateOf } from "@rejoin/data";

class Account extends Entity {
  id = "";
  name = "";
  static key = "Account";
}

/** A server that answers as it is told to, by who asks. */
function start() {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const aborted: string[] = [];
  const arrived = new Map<string, PromiseWithResolvers<void>>();
  const of = (map: typeof gates, name: string) => {
    if (!map.has(name)) map.set(name, Promise.withResolvers<void>());
    return map.get(name)!;
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const who = request.headers.get("authorization") ?? "nobody";
    const call = `${request.method} of ${who}`;
    let isAnswered = false;
    // Deno aborts it after the answer as well.
    request.signal.addEventListener("abort", () => isAnswered || aborted.push(call));
    of(arrived, call).resolve();
    if (who === "expired") {
      isAnswered = true;
      return Response.json({ detail: "log in" }, { status: 401 });
    }
    if (gates.has(call)) await gates.get(call)!.promise;
    isAnswered = true;
    return Response.json({ id: "me", name: who });
  });
  let user = "ann";
  const me = resource({
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    path: "/accounts/:id",
    schema: Account,
    getHeaders: () => ({ authorization: user }),
  });
  return {
    me,
    aborted,
    /** Whoever logs in. */
    login: (name: string) => user = name,
    /** Such a call is answered when the gate opens. */
    gate: (call: string) => of(gates, call),
    /** It has reached the server. */
    arrival: (call: string) => of(arrived, call).promise,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const ME = { id: "me" };

Deno.test("17. a reset aborts reads in flight before it empties the store, and a late reply shows nothing", async () => {
  await using server = start();
  const { me } = server;
  using controller = new Controller();
  controller.set(Account, ME, { id: "me", name: "ann, cached" });
  const gate = server.gate("GET of ann");
  const seen: unknown[] = [];
  // A fetch that does not care for the abort: its reply comes all the same.
  const deaf = new Endpoint(async function (this: { signal?: AbortSignal }) {
    this.signal!.addEventListener("abort", () => seen.push(controller.get(Account, ME)?.name));
    await gate.promise;
    return { id: "me", name: "ann, late" };
  }, { name: "deaf", schema: Account });
  const reads = [controller.fetch(me.get, ME), controller.fetch(deaf)].map((read) =>
    read.catch((reason: unknown) => reason)
  );
  await server.arrival("GET of ann");
  server.login("bob");
  controller.resetEntireStore();
  assertEquals(seen, ["ann, cached"], "aborted before anything is gone");
  assertEquals(controller.get(Account, ME), undefined);
  assert((await Promise.all(reads)).every(isEnding));
  assertEquals((await controller.fetch(me.get, ME))?.name, "bob");
  gate.resolve();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
  assertEquals(controller.get(Account, ME)?.name, "bob");
  assertEquals(server.aborted, ["GET of ann"]);
});

Deno.test("17. what the last person has sent is finished by the server, and its late reply is written nowhere", async () => {
  await using server = start();
  const { me } = server;
  using controller = new Controller();
  const gate = server.gate("PATCH of ann");
  const write = controller.fetch(me.partialUpdate, ME, { name: "anna" }).catch((reason: unknown) => reason);
  await server.arrival("PATCH of ann");
  server.login("bob");
  controller.resetEntireStore();
  assert(isEnding(await write));
  assertEquals((await controller.fetch(me.get, ME))?.name, "bob");
  gate.resolve();
  await controller.fetch(me.get.extend({ name: "again", key: () => "again" }), ME);
  assertEquals([controller.get(Account, ME)?.name, server.aborted], ["bob", []]);
});

Deno.test("17. what the last person has not sent yet is not sent by the next one, whose headers it would have", async () => {
  await using server = start();
  using controller = new Controller();
  const session = Promise.withResolvers<void>();
  let written: unknown;
  const save = server.me.partialUpdate.extend({
    getHeaders: async () => (await session.promise, { authorization: "bob" }),
    fetchResponse: (_url: string, init: RequestInit) => Promise.resolve(Response.json(written = init.body)),
  });
  const write = controller.fetch(save, ME, { name: "anna" }).catch((reason: unknown) => reason);
  controller.resetEntireStore();
  assert(isEnding(await write));
  session.resolve();
  await controller.fetch(server.me.get.extend({ getHeaders: () => ({ authorization: "bob" }) }), ME);
  assertEquals([controller.get(Account, ME)?.name, written, controller.store.sequence.size], ["bob", undefined, 0]);
});

Deno.test("17. a logout by 401 ends the reads that are still on their way, and the next person's stay", async () => {
  await using server = start();
  const { me } = server;
  let hasLeft = false;
  const logout = new LogoutManager({
    onLogout: (controller) => {
      hasLeft = true;
      server.login("bob");
      controller.resetEntireStore();
    },
  });
  using controller = new Controller({ managers: [logout] });
  const gate = server.gate("GET of ann");
  const slow = controller.fetch(me.get, ME).catch((reason: unknown) => reason);
  await server.arrival("GET of ann");
  server.login("expired");
  await controller.fetch(me.get, { id: "other" }).catch(() => {});
  assert(hasLeft && isEnding(await slow));
  assertEquals((await controller.fetch(me.get, ME))?.name, "bob");
  gate.resolve();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
  assertEquals([controller.get(Account, ME)?.name, server.aborted], ["bob", ["GET of ann"]]);
});

Deno.test("17. what the last person has asked for is in no state that marks of the next one make, nor in a recording", async () => {
  using controller = new Controller();
  const ask = async ({ id }: { id: string }) => await Promise.resolve({ id, name: "Ann" });
  const get = new Endpoint(ask, { name: "get", schema: Account });
  await controller.fetch(get, { id: "ann@example.com" });
  controller.getResponse(get, { id: "ann@work.example.com" });
  const write = Promise.withResolvers<unknown>();
  const rename = new Endpoint((_: { id: string }) => write.promise, {
    name: "rename",
    schema: Account,
    sideEffect: true,
    hasDeadline: true,
  });
  controller.fetch(rename, { id: "ann@example.com" }).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve));
  controller.resetEntireStore();
  const recorder = record(controller);
  write.resolve({ id: "ann@example.com", name: "Anna" });
  await new Promise((resolve) => setTimeout(resolve));
  controller.invalidateAll(get);
  controller.expireAll(get);
  assertEquals(JSON.stringify([stateOf(controller), recorder.stop()]).match(/ann@[a-z.]*/g), null);
  // What is read again is marked again.
  controller.setResponse(get, { id: "1" }, { id: "1", name: "Bob" });
  controller.getResponse(get, { id: "ann@example.com" });
  controller.invalidateAll(get);
  assertEquals(Object.keys(stateOf(controller).meta).length, 2);
});
