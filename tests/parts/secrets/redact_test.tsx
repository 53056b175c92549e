/** 17. What a class lists in `static redact` is in nothing that leaves the process, and is asked for again elsewhere. */
import { mount, settled } from "../../support/dom.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  Controller,
  DevToolsManager,
  Endpoint,
  Entity,
  EntityMixin,
  explain,
  history,
  hydrate,
  LogManager,
  Query,
  record,
  replay,
  schema,
  SchemaError,
  stateOf,
  WriteError,
} from "@rejoin/data";
import { DataProvider, useSuspense } from "@rejoin/data/preact";
import { renderPage, stateScript } from "@rejoin/data/ssr";
import { mockInitialState } from "@rejoin/data/testing";
import { stateAt } from "../../../src/inspector/_past.ts";
import { differences } from "../../../src/inspector/_requests_tab.ts";
import { recordLines } from "../../../src/inspector/_records.ts";
import { textOf } from "../../../src/inspector/_text.ts";
import { Ledger } from "../../../src/inspector/_ledger.ts";
import { redactText } from "../../../src/parts/secrets/redact_text.ts";
import { redactedBy, redactedInAll } from "../../../src/parts/secrets/redacted_by.ts";
import { withoutMembers } from "../../../src/parts/secrets/without_members.ts";
import { FakeReduxDevTools } from "../../support/redux_devtools.ts";

const SECRET = "s3cret";

class User extends Entity {
  id = "";
  name = "";
  token = "";
  static key = "User";
  static redact = ["token", "password"];
}
class Team extends Entity {
  id = "";
  users: User[] = [];
  static key = "Team";
  static schema = { users: [User] };
}
class Page extends Entity {
  id = "";
  token = "";
  static key = "Page";
}
const ANN = { id: "1", name: "Ann", token: SECRET };
let asked: string[] = [];
function ask(name: string, value: unknown) {
  return async () => {
    asked.push(name);
    return await Promise.resolve(value);
  };
}
const getUser = new Endpoint(ask("user", ANN), { name: "getUser", schema: User });
const getTeam = new Endpoint(ask("team", { id: "9", users: [ANN] }), { name: "getTeam", schema: Team });
const getBob = new Endpoint(ask("bob", { id: "2", name: "Bob" }), { name: "getBob", schema: User });
const getPage = new Endpoint(ask("page", { id: "5", token: "next" }), { name: "getPage", schema: Page });
const getSession = new Endpoint(ask("session", { user: { name: "Ann", token: SECRET } }), {
  name: "getSession",
  schema: { user: User },
});
const login = new Endpoint(
  async (_body: { readonly name: string; readonly password: string }) => await Promise.resolve(ANN),
  { name: "login", schema: User, sideEffect: true },
);

/** A store that has met everything. */
async function filled(): Promise<Controller> {
  const controller = new Controller();
  await controller.fetch(login, { name: "Ann", password: SECRET });
  for (const read of [getUser, getTeam, getBob, getPage, getSession]) await controller.fetch(read);
  return controller;
}

Deno.test("17. a state is without the members that a class redacts, at any depth, and other classes keep theirs", async () => {
  const state = stateOf(await filled());
  assert(!JSON.stringify(state).includes(SECRET));
  assertEquals(state.entities.User!["1"], { id: "1", name: "Ann" });
  assertEquals(state.entities.Page!["5"], { id: "5", token: "next" });
  // What has no pk stands in the answer itself.
  assertEquals(state.endpoints[getSession.key()], { user: { name: "Ann" } });
});

Deno.test("17. what lacks a member elsewhere is stale, with all that holds it, and nothing else is", async () => {
  const controller = await filled();
  const here = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(controller))))] });
  const stale = [getUser, getTeam, getBob, getPage, getSession]
    .filter((read) => here.getResponse(read).expiresAt === 0).map(({ name }) => name);
  assertEquals(stale, ["getUser", "getTeam", "getSession"]);
  assert(controller.getResponse(getUser).expiresAt > 0, "where it was left out of nothing, it is as fresh as before");
  // Shown meanwhile is the default of the class, as for what the server did not send.
  assertEquals([here.get(User, "1")?.name, here.get(User, "1")?.token], ["Ann", ""]);
  assertEquals(controller.get(User, "1")?.token, SECRET);
});

Deno.test("17. a page of a server holds no secret, and the browser asks for what lacks one, once", async () => {
  const Name = () => <p>{useSuspense(getUser).name} {useSuspense(getBob).name}</p>;
  let server: Controller | undefined;
  const { html, script } = await renderPage((controller) => (
    <DataProvider controller={server = controller}>
      <Name />
    </DataProvider>
  ));
  assert(html.includes("Ann") && script.includes("Ann"));
  assert(!script.includes(SECRET) && !stateScript(server!).includes(SECRET));
  asked = [];
  const state = JSON.parse(JSON.stringify(stateOf(server!)));
  await using page = mount(
    <DataProvider use={[hydrate(state)]}>
      <Name />
    </DataProvider>,
  );
  assertEquals(page.text, "Ann Bob");
  await settled();
  assertEquals(asked, ["user"]);
});

Deno.test("17. a fixture keeps what a class redacts: it stays in the process", () => {
  const state = mockInitialState([{ endpoint: getUser, args: [], response: ANN }]);
  assertEquals(new Controller({ use: [hydrate(state)] }).get(User, "1")?.token, SECRET);
});

Deno.test("17. the devtools are shown no secret, and time travel brings it back", async () => {
  const extension = new FakeReduxDevTools();
  using controller = new Controller({ managers: [new DevToolsManager()] });
  const { tab } = extension;
  tab.start();
  await controller.fetch(login, { name: "Ann", password: SECRET });
  await controller.fetch(getTeam);
  await controller.fetch(getSession);
  controller.set(User, "1", { name: "Anna", token: `${SECRET}2` });
  assert(tab.actions.length >= 5);
  assert(!JSON.stringify([tab.actions, tab.states]).includes(SECRET));
  const [fetched] = tab.actions;
  assertEquals(fetched!.args, [{ name: "Ann", password: "(redacted)" }]);
  tab.jump(0);
  assertEquals(controller.get(User, "1"), undefined);
  tab.jump(-1);
  assertEquals([controller.get(User, "1")?.name, controller.get(User, "1")?.token], ["Anna", `${SECRET}2`]);
  extension[Symbol.dispose]();
});

Deno.test("17. a recording holds no secret, and its replay knows the same", async () => {
  const controller = new Controller();
  const before = record(controller);
  await controller.fetch(login, { name: "Ann", password: SECRET });
  await controller.fetch(getTeam);
  controller.set(User, "1", { token: `${SECRET}2` });
  const after = stateOf(controller);
  const text = JSON.stringify(before.stop());
  assert(!text.includes(SECRET) && text.includes("(redacted)"));
  const again = replay(JSON.parse(text), { endpoints: [login, getTeam] });
  await again.run();
  assertEquals(stateOf(again.controller), after);
  // One that begins when all of it is there already.
  assert(!JSON.stringify(record(await filled(), { redact: (_name, value) => value }).stop()).includes(SECRET));
});

Deno.test("17. the inspector names what a class redacts and shows none of it, now and in the past", async () => {
  const controller = await filled();
  const ledger = new Ledger(controller, () => {});
  const leave = controller.store.join(ledger);
  const secrets = redactedInAll(controller.store);
  controller.set(User, "1", { name: "Anna", token: `${SECRET}2` });
  const { lines } = recordLines(controller, "User", "", 10);
  assertEquals(lines[0]!.about, '{id: "1", name: "Anna", token: (redacted)}');
  const [moment] = ledger.moments;
  const { before, after } = moment!.patch.records[0]!;
  assertEquals(differences(before!, after!, secrets), 'name: "Ann" → "Anna", token: (redacted) → (redacted)');
  assertEquals(textOf([{ password: SECRET }], 100, secrets), "[{password: (redacted)}]");
  controller.resetEntireStore();
  // What the page shows of another moment never leaves the process.
  assertEquals(stateAt(controller, ledger.moments, 0).entities.User!["1"]!.token, `${SECRET}2`);
  leave();
});

Deno.test("17. a list that was asked for with a secret is in no state, and the devtools name it without", async () => {
  const extension = new FakeReduxDevTools();
  using controller = new Controller({ managers: [new DevToolsManager()] });
  extension.tab.start();
  class Group extends Entity {
    id = "";
    invited: User[] = [];
    static override key = "Group";
    static override schema = {
      invited: new schema.Collection([User], { nestKey: ({ id }: { id: string }) => ({ token: `${SECRET}${id}` }) }),
    };
  }
  const users = new schema.Collection([User]);
  const list = [{ id: "1", name: "Ann" }];
  const byToken = new Endpoint(async (_args: { token: string }) => await Promise.resolve(list), {
    name: "byToken",
    schema: users,
  });
  // The call has no secret among its arguments, and the list has.
  const ofSession = byToken.extend({
    name: "ofSession",
    key: () => "ofSession",
    schema: new schema.Collection([User], { argsKey: () => ({ token: SECRET }) }),
  });
  const all = new Endpoint(async () => await Promise.resolve({ results: list }), {
    name: "all",
    schema: { results: new schema.Collection([User], { argsKey: () => ({ token: `${SECRET}2` }) }) },
  });
  const byName = new Endpoint(async (_args: { name: string }) => await Promise.resolve(list), {
    name: "byName",
    schema: users,
  });
  const group = new Endpoint(async () => await Promise.resolve({ id: "7", invited: list }), {
    name: "group",
    schema: Group,
  });
  await controller.fetch(byToken, { token: SECRET });
  await controller.fetch(ofSession, { token: SECRET });
  for (const read of [all, group]) await controller.fetch(read);
  await controller.fetch(byName, { name: "Ann" });
  assertEquals(controller.store.tables.byKey.get("[User]")!.slots.size, 4);
  const state = JSON.parse(JSON.stringify(stateOf(controller)));
  assert(!JSON.stringify(state).includes(SECRET));
  assertEquals(Object.keys(state.entities["[User]"]), ['{"name":"Ann"}']);
  assertEquals(state.entities.User["1"], { id: "1", name: "Ann" });
  assertEquals(Object.keys(state.endpoints), ["all []", "group []", 'byName [{"name":"Ann"}]']);
  const here = new Controller({ use: [hydrate(state)] });
  assertEquals(here.getResponse(byName, { name: "Ann" }).data?.length, 1);
  assert(here.getResponse(byName, { name: "Ann" }).expiresAt > 0);
  assertEquals([here.getResponse(all), here.getResponse(group)].map(({ expiresAt }) => expiresAt), [0, 0]);
  const told = JSON.stringify([extension.tab.actions, extension.tab.states]);
  assert(!told.includes(SECRET) && told.includes("(redacted)"));
  extension[Symbol.dispose]();
});

Deno.test("17. explain and errors carry no secret where they are printed", async () => {
  const controller = new Controller({ use: [history()] });
  await controller.fetch(getUser);
  assert(!JSON.stringify(explain(controller, getUser)).includes(SECRET));
  const broken = login.extend({ name: "broken", schema: [User] });
  const error = await controller.fetch(broken, { name: "Ann", password: SECRET }).catch((reason: unknown) => reason);
  assert(error instanceof WriteError);
  assertEquals(error.response, ANN);
  assert(!Deno.inspect(error, { depth: 10 }).includes(SECRET) && !JSON.stringify(error).includes(SECRET));
});

Deno.test("17. what is redacted is found through every kind of schema, of a class that is mixed or extended as well", () => {
  class Admin extends User {
    static override key = "Admin";
    static override redact = [...super.redact, "pin"];
  }
  class Account {
    id = "";
  }
  class Mixed extends EntityMixin(Account, { key: "Mixed", redact: ["iban"] }) {}
  assertEquals([...redactedBy({ results: [Admin], next: "" })], ["token", "password", "pin"]);
  const list = new schema.Collection([User]);
  const others = [
    ...[list, list.push, list.remove, new schema.Collection(new schema.Values(User)), list.rows],
    ...[new schema.Lazy(list), new Query(list, (users) => users), new schema.Invalidate(User), new schema.Values(User)],
    ...[new schema.All(User), new schema.Union({ user: User }, "type"), new schema.Object({ users: list })],
  ];
  for (const one of others) assertEquals([...redactedBy(one)], ["token", "password"], String(one));
  assertEquals([...redactedBy(Mixed)], ["iban"]);
  assertEquals([...redactedBy(Page)], []);
  assertEquals([...redactedBy(undefined)], []);
});

Deno.test("17. a text that names a request is without secrets, and an answer that was asked for with one stays here", async () => {
  const names = new Set(["token", "a.b"]);
  for (
    const [text, kept] of [
      [
        'get [{"token":"a\\"b,}c","id":"1"},{"token":5}]',
        'get [{"token":"(redacted)","id":"1"},{"token":"(redacted)"}]',
      ],
      ["GET /me?token=abc&page=2#x", "GET /me?token=(redacted)&page=2#x"],
      ['get [{"a.b":null,"axb":1}] /?axb=1&a.b=2', 'get [{"a.b":"(redacted)","axb":1}] /?axb=1&a.b=(redacted)'],
      ['get [{"mytoken":"1"}] /?mytoken=1', 'get [{"mytoken":"1"}] /?mytoken=1'],
    ]
  ) assertEquals(redactText(text!, names), kept);
  const controller = new Controller({ use: [history()] });
  const getMe = new Endpoint(async (_: { token: string }) => await Promise.resolve(ANN), {
    name: "getMe",
    schema: User,
  });
  await controller.fetch(getMe, { token: SECRET });
  const state = stateOf(controller);
  assertEquals([state.meta, state.endpoints], [{}, {}]);
  const { key, because } = explain(controller, getMe, { token: SECRET });
  assertEquals([key, because?.key], ['getMe [{"token":"(redacted)"}]', 'getMe [{"token":"(redacted)"}]']);
  const lines: string[] = [];
  using logged = new Controller({ managers: [new LogManager({ log: (line) => lines.push(line) })] });
  await logged.fetch(login, { name: "Ann", password: SECRET });
  assert(lines.length > 1 && !lines.join().includes(SECRET), lines.join());
});

Deno.test("17. members are left out of what contains itself, is deep, or has odd names; what has none is the same", () => {
  const names = new Set(["token"]);
  const plain = { a: [{ b: 1 }], at: new Date(0) };
  assert(withoutMembers(plain, names) === plain);
  const round: Record<string, unknown> = { token: 1, "__proto__x": 2 };
  round.self = round;
  const copy = withoutMembers(round, names);
  assert(copy.self === copy && !("token" in copy) && round.token === 1);
  const odd = withoutMembers(JSON.parse('{"__proto__": {"token": 1}, "token": 2}'), names);
  assertEquals(JSON.stringify(odd), '{"__proto__":{}}');
  let deep: unknown = { token: SECRET };
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  let below = withoutMembers(deep, names) as unknown;
  while (Array.isArray(below)) below = below[0];
  assertEquals(below, {});
});

Deno.test("17. a redact that would leave nothing out is a typed error with the cure", () => {
  class Wrong extends Entity {
    id = "";
    static key = "Wrong";
    static override redact = "token" as unknown as string[];
  }
  assertThrows(() => new Controller().set(Wrong, "1", { id: "1" }), SchemaError, 'write `static redact = ["token"]`');
});
