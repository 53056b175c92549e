/** 17. Where secrets hide: in addresses, nested, in lists, in what has no schema, in what is pending, in errors. */
import { assert, assertEquals } from "@std/assert";
import {
  Controller,
  DevToolsManager,
  Endpoint,
  Entity,
  explain,
  history,
  hydrate,
  LogManager,
  NetworkError,
  onCommit,
  record,
  replay,
  resource,
  RestEndpoint,
  schema,
  stateOf,
} from "@rejoin/data";
import { Ledger } from "../../../src/inspector/_ledger.ts";
import { redactText } from "../../../src/parts/secrets/redact_text.ts";
import { FakeReduxDevTools } from "../../support/redux_devtools.ts";

const SECRET = "s3cret";

class User extends Entity {
  id = "";
  name = "";
  token: unknown = "";
  static key = "User";
  static redact = ["token", "password"];
}
class Bot extends Entity {
  id = "";
  static key = "Bot";
}

/** All that somebody else may see of what a function does to a store. */
async function seenOf(act: (controller: Controller) => Promise<unknown>) {
  const extension = new FakeReduxDevTools();
  const [lines, patches]: [string[], unknown[]] = [[], []];
  const controller = new Controller({
    managers: [new DevToolsManager(), new LogManager({ log: (line) => lines.push(line) })],
    use: [history()],
  });
  extension.tab.start();
  const ledger = new Ledger(controller, () => {});
  controller.store.join(ledger);
  const leave = onCommit(controller, (patch) => patches.push(patch));
  const recorder = record(controller);
  await act(controller);
  const recording = recorder.stop();
  leave();
  const seen = {
    state: stateOf(controller),
    tab: [extension.tab.actions, extension.tab.states],
    lines,
    patches,
    recording,
    requests: ledger.requests,
    subjects: ledger.moments.map(({ subject }) => subject),
  };
  extension[Symbol.dispose]();
  return { seen, controller, recording };
}

/** Where a text stands. */
function found(seen: object, text = SECRET): string[] {
  return Object.entries(seen).filter(([, one]) => JSON.stringify(one).includes(text)).map(([name]) => name);
}

/** A server that answers with what is wanted. */
function serve(answer: (request: Request) => Response) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("17. a secret in a path or a search parameter is seen nowhere, whether the server answers or refuses", async () => {
  await using server = serve(({ url }) =>
    url.includes("refused") ? Response.json({}, { status: 403 }) : Response.json({ id: "1", name: "Ann" })
  );
  const options = { urlPrefix: server.url, schema: User, searchParams: undefined as unknown as { token?: unknown } };
  const byPath = new RestEndpoint({ ...options, path: "/invites/:token" });
  const bySearch = new RestEndpoint({ ...options, path: "/me" });
  const refused = new RestEndpoint({ ...options, path: "/refused/:token" });
  const named = new RestEndpoint({ ...options, path: "/refused/:token", key: () => "session" });
  const accept = new RestEndpoint({ ...options, path: "/invites/:token/accept", method: "POST", body: undefined });
  const { seen, controller } = await seenOf(async (controller) => {
    await controller.fetch(byPath, { token: SECRET });
    await controller.fetch(accept, { token: `${SECRET}/a b` });
    for (const token of [SECRET, [SECRET, "b"], { a: [SECRET], b: { c: SECRET } }]) {
      await controller.fetch(bySearch, { token });
    }
    for (const read of [refused, named]) await controller.fetch(read, { token: SECRET }).catch(() => {});
  });
  assertEquals(found(seen), []);
  assertEquals(seen.state.meta, {});
  assert(found(seen, "(redacted)").includes("lines"));
  const told = explain(controller, refused, { token: SECRET });
  assert(!JSON.stringify(told).includes(SECRET), told.text);
});

Deno.test("17. a secret in an array, an object, a union, a record with two names, a pending layer is seen nowhere", async () => {
  const users = new Endpoint(
    async () =>
      await Promise.resolve({
        any: [{ type: "user", id: "1", token: SECRET }, { type: "bot", id: "2" }],
        map: { a: { id: "3", token: { deep: [SECRET] } } },
      }),
    {
      name: "users",
      schema: { any: [new schema.Union({ user: User, bot: Bot }, "type")], map: new schema.Values(User) },
    },
  );
  const gate = Promise.withResolvers<unknown>();
  const Users = resource({ path: "/users/:id", schema: User, optimistic: true });
  const create = Users.create.extend({ fetch: () => gate.promise as Promise<never> });
  const { seen, controller } = await seenOf(async (controller) => {
    await controller.fetch(users);
    const made = controller.fetch(create, { name: "New", token: SECRET });
    const pending = stateOf(controller);
    assert(!JSON.stringify(pending).includes(SECRET));
    gate.resolve({ id: "9", name: "New", token: SECRET });
    await made;
  });
  assertEquals(found(seen), []);
  assertEquals(controller.get(User, "9")?.token, SECRET);
  assertEquals(seen.state.entities.User!["9"], { id: "9", name: "New" });
});

Deno.test("17. a reply without a schema is without what any class redacts that the store has met", async () => {
  const login = new Endpoint(async (_: { password: string }) => await Promise.resolve({ token: SECRET }), {
    name: "login",
    sideEffect: true,
  });
  const session = new Endpoint(async () => await Promise.resolve({ session: { token: SECRET }, until: 5 }), {
    name: "session",
  });
  const me = new Endpoint(async () => await Promise.resolve({ id: "1", name: "Ann", token: SECRET }), {
    name: "me",
    schema: User,
  });
  const { seen, recording } = await seenOf(async (controller) => {
    // The recording meets the class after the login.
    await controller.fetch(login, { password: SECRET });
    await controller.fetch(me);
    await controller.fetch(session);
  });
  // What was told before cannot be taken back.
  assertEquals(["state", "patches", "recording"].filter((place) => found(seen).includes(place)), []);
  assertEquals(seen.state.endpoints[session.key()], { session: {}, until: 5 });
  assertEquals(seen.state.meta[session.key()]!.expiresAt, 0);
  const again = replay(JSON.parse(JSON.stringify(recording)), { endpoints: [login, me, session] });
  await again.run();
  assertEquals(again.controller.get(User, "1")?.name, "Ann");
  // From the moment on that the class is met, the devtools know as well.
  const { seen: later } = await seenOf(async (controller) => {
    await controller.fetch(me);
    await controller.fetch(login, { password: SECRET });
    await controller.fetch(session);
  });
  assertEquals(found(later), []);
});

Deno.test("17. what onCommit tells is without secrets, and merged elsewhere it takes nothing away", async () => {
  const [here, there] = [new Controller(), new Controller()];
  there.set(User, "1", { id: "1", token: "own" });
  onCommit(here, ({ records }) => {
    for (const { pk, after } of records) there.set(User, pk, after as Partial<User>);
  });
  here.set(User, "1", { id: "1", name: "Ann", token: SECRET });
  await Promise.resolve();
  assertEquals([there.get(User, "1")?.name, there.get(User, "1")?.token], ["Ann", "own"]);
  assertEquals(here.get(User, "1")?.token, SECRET);
});

Deno.test("17. an error prints neither body nor headers, and its message in a state has no secret", async () => {
  await using server = serve(() => Response.json({ token: SECRET }, { status: 422, headers: { "x-token": SECRET } }));
  const post = new RestEndpoint({ urlPrefix: server.url, path: "/login", method: "POST", schema: User });
  const controller = new Controller();
  const error = await controller.fetch(post, { password: SECRET }).catch((reason: unknown) => reason);
  assert(error instanceof NetworkError);
  assertEquals(error.body, { token: SECRET });
  const wrapped = new Error("login", { cause: error });
  for (const one of [error, wrapped]) {
    assert(!Deno.inspect(one, { depth: 20 }).includes(SECRET) && !JSON.stringify(one).includes(SECRET));
  }
  controller.set(User, "1", { id: "1" });
  const failed = new Endpoint(
    (): Promise<User> => Promise.reject(new Error(`GET https://api.example.com/me?token=${SECRET} failed`)),
    { name: "failed", schema: User },
  );
  await controller.fetch(failed).catch(() => {});
  assertEquals(
    stateOf(controller).meta[failed.key()]!.error!.message,
    "GET https://api.example.com/me?token=(redacted) failed",
  );
});

Deno.test("17. a list that was asked for with a nested secret is in no state; one without is, and is read again", async () => {
  const list = new Endpoint(async (_: { by: object }) => await Promise.resolve([{ id: "1", name: "Ann" }]), {
    name: "list",
    schema: new schema.Collection([User]),
  });
  const { seen } = await seenOf(async (controller) => {
    await controller.fetch(list, { by: { token: { a: SECRET, b: [SECRET, { c: SECRET }] } } });
    await controller.fetch(list, { by: { name: "Ann" } });
  });
  assertEquals(found(seen), []);
  assertEquals(Object.keys(seen.state.endpoints), ['list [{"by":{"name":"Ann"}}]']);
  const there = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(seen.state)))] });
  assertEquals(there.getResponse(list, { by: { name: "Ann" } }).data?.length, 1);
});

Deno.test("17. a text is without the values of its members, whatever they are, and what follows them stays", () => {
  const names = new Set(["token"]);
  for (
    const [text, kept, args] of [
      ['a [{"token":{"a":"]","b":[1,{"c":2}]},"id":1}]', 'a [{"token":"(redacted)","id":1}]'],
      ['a {"by":"{\\"token\\":[\\"b\\"],\\"c\\":1}"}', 'a {"by":"{\\"token\\":\\"(redacted)\\",\\"c\\":1}"}'],
      ['a [{"token":"x'.concat('"}]'), 'a [{"token":"(redacted)"}]'],
      ['a {"token":[[]],"b":2}', 'a {"token":"(redacted)","b":2}'],
      ['a {"token":', 'a {"token":"(redacted)"'],
      ["/a?token%5B%5D=1&token%5B%5D=2&b=3", "/a?token%5B%5D=(redacted)&token%5B%5D=(redacted)&b=3"],
      ["/a?user%5Btoken%5D%5Ba%5D=1&b=3", "/a?user%5Btoken%5D%5Ba%5D=(redacted)&b=3"],
      ["/a?tokens=1&mytoken=2", "/a?tokens=1&mytoken=2"],
      ["GET /x/a%2Fb/y /x/a%2Fbc", "GET /x/(redacted)/y /x/a%2Fbc", [{ id: "y", token: "a/b" }]],
      ["GET /x/5?y=5", "GET /x/(redacted)?y=5", [{ in: [{ token: 5 }] }]],
    ] as const
  ) assertEquals(redactText(text, names, args), kept);
});
