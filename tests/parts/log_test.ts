/** Logs of what happens in a store: as lines, in the Redux DevTools, and `explain` for one read. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  Controller,
  defaultManagers,
  DevToolsManager,
  Endpoint,
  Entity,
  explain,
  LogManager,
  NetworkError,
  resource,
  type StoreEvent,
} from "@rejoin/data";
import { FakeReduxDevTools } from "../support/redux_devtools.ts";

class Film extends Entity {
  id = "";
  title = "";
  text = "";
  static key = "Film";
}
const json = (value: unknown, init?: ResponseInit) => () => Promise.resolve(Response.json(value, init));
const make = (fetchResponse: () => Promise<Response>) =>
  resource({ urlPrefix: "https://api.test", path: "/films/:id", schema: Film, fetchResponse });
const film = { id: "1", title: "Alien", text: "" };
const refuse = (status: number) => () =>
  Promise.reject(Object.assign(new NetworkError(602, ["GET", "", status]), { status }));

Deno.test("LogManager: a line for each outcome, with key or name, time and records", async () => {
  const lines: string[] = [];
  using controller = new Controller({ use: [new LogManager({ log: (line) => lines.push(line) })] });
  const { get, getList, partialUpdate, delete: remove } = make(json(film));
  await controller.fetch(get, { id: "1" });
  await controller.fetch(partialUpdate, { id: "1" }, { title: "Aliens" });
  controller.set(Film, { id: "2" }, { title: "Brazil" });
  await controller.fetch(remove, { id: "1" });
  await controller.fetch(getList.extend({ fetchResponse: json(Array.from("abcdefg", (id) => ({ id }))) }));
  await controller.fetch(get.extend({ fetchResponse: refuse(404) }), { id: "3" }).catch(() => {});
  controller.resetEntireStore();
  const plain = lines.map((line) => line.replace(/[\d.]+ ms/, "5 ms"));
  assertEquals(plain, [
    "rejoin setResponse GET https://api.test/films/1 · 5 ms · Film 1",
    "rejoin setResponse Film.partialUpdate · 5 ms · Film 1",
    "rejoin set · Film 2",
    "rejoin setResponse Film.delete · 5 ms · -Film 1",
    "rejoin setResponse GET https://api.test/films · 5 ms · Film a, Film b, Film c, Film d, Film e, and 2 more",
    plain[5]!,
    "rejoin reset",
  ]);
  assertMatch(plain[5]!, /^rejoin setError GET \S+\/3 · 5 ms · failed: NetworkError: .*404/);
});

Deno.test("LogManager: filter gets the events, those of requests that start, too", async () => {
  const events: StoreEvent[] = [];
  using controller = new Controller({
    use: [new LogManager({ log: (_, event) => events.push(event), filter: ({ type }) => type === "fetch" })],
  });
  await controller.fetch(make(json(film)).get, { id: "1" });
  assertEquals(events.map(({ type, args }) => [type, args]), [["fetch", [{ id: "1" }]]]);
});

Deno.test("members in static redact are in no line and no argument", async () => {
  class Account extends Entity {
    id = "";
    token = "";
    static key = "Account";
    static redact = ["token"];
  }
  const said: unknown[] = [];
  using controller = new Controller({ use: [new LogManager({ log: (...all) => said.push(all), filter: () => true })] });
  const AccountResource = resource({
    urlPrefix: "https://api.test",
    path: "/accounts/:token",
    schema: Account,
    fetchResponse: (url) => Promise.reject(Object.assign(new NetworkError(601, ["GET", url]), {})),
    retry: 0,
  });
  await controller.fetch(AccountResource.get, { token: "s3cr/t" }).catch(() => {});
  await controller.fetch(AccountResource.create, { token: "s3cr/t" }).catch(() => {});
  const { getList } = AccountResource, page = getList.extend({ schema: { results: [Account] } });
  for (const list of [getList, page]) await controller.fetch(list as typeof page, { token: "s3cr/t" }).catch(() => {});
  // No record of the class inside of this one has arrived.
  class Shop extends Entity {
    id = "";
    owner = Account.fromJS();
    static key = "Shop";
    static schema = { owner: Account };
  }
  using other = new Controller({ use: [new LogManager({ log: (...all) => said.push(all), filter: () => true })] });
  const fetchResponse = json({ id: "1" });
  const { create } = resource({ urlPrefix: "https://api.test", path: "/shops/:id", schema: Shop, fetchResponse });
  await other.fetch(create, { owner: { token: "s3cr/t" } as Account });
  const text = JSON.stringify(said);
  assert(said.length >= 6 && !text.includes("s3cr"), text);
});

Deno.test("DevToolsManager: what came before the panel opened is one action, then each event with its state", async () => {
  using tools = new FakeReduxDevTools();
  const controller = new Controller({ use: [new DevToolsManager({ name: "Cinema", maxAge: 2 })] }), { tab } = tools;
  for (const id of ["1", "2", "3"]) controller.set(Film, { id }, film);
  assertEquals([tab.options.name, tab.actions.length], ["Cinema", 0]);
  tab.start();
  controller.set(Film, { id: "9" }, { title: "Final" });
  await controller.fetch(make(json(film)).get, { id: "1" });
  assertEquals(tab.actions.map(({ type }) => type), [
    "earlier",
    "set",
    "fetch GET https://api.test/films/1",
    "setResponse GET https://api.test/films/1",
  ]);
  assertEquals((tab.actions[0] as unknown as { actions: unknown[] }).actions.length, 2);
  assert(!tab.states[1]!.includes("Draft") && tab.states[2]!.includes("Final"));
  tab.stop();
  controller.set(Film, { id: "1" }, { title: "unseen" });
  assertEquals(tab.actions.length, 4);
  controller.cleanup();
  assertEquals(tab.listeners, 0);
});

Deno.test("without the extension DevToolsManager does nothing; defaultManagers leaves out what is false", () => {
  using controller = new Controller({ use: defaultManagers() });
  controller.set(Film, { id: "1" }, film);
  assertEquals(
    [{}, { devTools: false }, { focus: false }, { devTools: false, focus: false }].map((options) =>
      defaultManagers(options as never).length
    ),
    [2, 1, 1, 0],
  );
});

Deno.test("explain: what is kept, since when, until when, why it is stale, and what is missing", async () => {
  const controller = new Controller(), { get, partialUpdate } = make(json(film)), args = { id: "1" };
  const of = () => explain(controller, get, args);
  assertEquals([of().state, of().source, of().wouldFetch], ["missing", "nothing", true]);
  assertMatch(of().text, /^"Film.get" is missing: nothing is kept of it; a component that reads it asks the server$/);

  controller.set(Film, args, { title: "Alien" });
  assertEquals([of().state, of().gap], ["incomplete", { entity: "Film", pk: "1", missing: ["text"] }]);
  assertMatch(of().text, /Film "1" is there without text/);

  const asked = controller.fetch(get, args);
  assertEquals([of().isInFlight, of().wouldFetch], [true, false]);
  await asked;
  const { state, source, fetchedAt, expiresAt } = of();
  assertEquals([state, source], ["fresh", "answer"]);
  assert(Math.abs(fetchedAt! - Date.now()) < 1e4 && expiresAt! - fetchedAt! === 60_000);

  controller.expire(get, args);
  assertMatch(of().text, /is stale: it was marked stale/);
  await controller.fetch(get, args);
  await controller.fetch(partialUpdate.extend({ fetchResponse: json({ id: "1" }) }), args, { title: "b" });
  assertMatch(of().text, /is stale: a mutation/);
  controller.invalidate(get, args);
  assertEquals([of().state, of().wouldFetch], ["invalid", true]);
});

Deno.test("explain: an error, an endless lifetime, and a call with null", async () => {
  const controller = new Controller(), failing = make(refuse(404)).get;
  await assertRejects(() => controller.fetch(failing, { id: "1" }));
  assertMatch(explain(controller, failing, { id: "1" }).text, /is failed: it failed with NetworkError/);
  const ever = new Endpoint(() => Promise.resolve(1), { name: "ever", dataExpiryLength: Infinity });
  await controller.fetch(ever);
  const { expiresAt, text } = explain(controller, ever);
  assertEquals([expiresAt, text], [null, '"ever" is fresh for ever']);
  assertEquals(explain(controller, ever, null).state, "inactive");
});
