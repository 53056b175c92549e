/** What persistence, tabs and a queue of writes will need of the core: each with a part of a few lines. */
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  AbortOptimistic,
  Controller,
  Endpoint,
  Entity,
  explain,
  history,
  onCommit,
  resource,
  RestEndpoint,
} from "@rejoin/data";
import { describeCall, type Flight, type Part } from "@rejoin/data/extend";
import { clock } from "../../src/deps/clock.ts";

class Article extends Entity {
  id = "";
  title = "";
  votes = 0;
  static key = "Article";
}
const get = new Endpoint(({ id }: { id: string }) => network.ask(`get ${id}`), { name: "get", schema: Article });
const patch = new Endpoint(({ id, ...body }: { id: string; title: string }) => network.ask(`patch ${id}`, body), {
  name: "patch",
  schema: Article,
  sideEffect: true,
  getOptimisticResponse: (_, body) => body,
});

/** Requests that wait until a test answers them. */
const network = {
  waiting: new Map<string, (reply: unknown) => void>(),
  ask(name: string, _body?: unknown): Promise<unknown> {
    return new Promise((resolve) => this.waiting.set(name, resolve));
  },
  async answer(name: string, reply: unknown): Promise<void> {
    this.waiting.get(name)!(reply);
    this.waiting.delete(name);
    await new Promise((resolve) => setTimeout(resolve));
  },
};

Deno.test("1. a commit is base writes as plain data, apart from layers, with what it is and the names that were given", async () => {
  const controller = new Controller();
  const log: unknown[] = [];
  onCommit(controller, ({ records, names, expiresAt, fetchedAt }, { type }) => {
    if (type === "optimistic") return assertEquals(records, []);
    const writes = records.map(({ key, pk, after }) => `${key} ${pk} ${after?.title}`);
    log.push([type, writes, names.map(([, pk]) => pk), expiresAt > fetchedAt]);
  });
  const Articles = resource({ path: "/articles/:id", schema: Article, optimistic: true });
  const create = Articles.create.extend({ fetch: () => network.ask("create") as Promise<never> });
  const made = controller.fetch(create, { title: "New" });
  await network.answer("create", { id: "7", title: "New" });
  await made;
  controller.set(Article, { id: "8" }, { id: "8", title: "By hand" });
  assertEquals(log, [
    ["setResponse", ["Article 7 New"], ["7"], true],
    ["set", ["Article 8 By hand"], [], true],
  ]);
});

Deno.test("2. a part hears what starts, what it writes, what is over, and a reset", async () => {
  const heard: string[] = [];
  const part: Part = {
    started: ({ key }) => void heard.push(`started ${key}`),
    ended: ({ key }) => void heard.push(`ended ${key}`),
    committed: (_, action) => void heard.push((action as { type: string }).type),
  };
  const controller = new Controller({ use: [part] });
  const call = controller.fetch(patch, { id: "1", title: "Two" });
  await network.answer("patch 1", { id: "1", title: "Two" });
  await call;
  controller.resetEntireStore();
  const key = patch.key({ id: "1", title: "Two" });
  assertEquals(heard, [`started ${key}`, "optimistic", "setResponse", `ended ${key}`, "reset"]);
});

Deno.test("3. what another tab wrote is put in before a given mutation; a part holds logs for what it still awaits", async () => {
  const flights: Flight[] = [];
  const controller = new Controller({ use: [{ started: (flight) => void flights.push(flight) }] });
  const { sequence } = controller.store;
  controller.set(Article, { id: "1" }, { id: "1", title: "One", votes: 1 });
  const call = controller.fetch(patch, { id: "1", title: "Mine" });
  const seq = sequence.before(flights[0]!.ticket!);
  // Until it is known what the other tab wrote, nothing later folds away.
  const held = { seq };
  sequence.show(held);
  await network.answer("patch 1", { id: "1", title: "Mine" });
  await call;
  assert(controller.store.logs.size > 0);
  const other = {
    type: "set",
    schema: Article,
    args: [{ id: "1" }],
    value: { id: "1", title: "Theirs", votes: 2 },
  } as const;
  controller.dispatch({ ...other, seq, date: clock.now() });
  sequence.settle(held);
  controller.store.fold();
  assertEquals({ ...controller.get(Article, { id: "1" }) }, { id: "1", title: "Mine", votes: 2 });
  assertEquals(controller.store.logs.size, 0);
});

Deno.test("4. on a miss, storage is asked together with the network, and never lies over what came since", async () => {
  const disk = (delays: Promise<unknown>): Part => {
    let { store, dispatch } = {} as Controller;
    return {
      init: (controller) => ({ store, dispatch } = controller),
      perform(action, next) {
        if (
          action.type === "fetch" && !action.endpoint.sideEffect &&
          store.entries.get(action.key, action.endpoint) === undefined
        ) {
          // A read like any other: what is written meanwhile is later.
          const ticket = store.sequence.start(false);
          delays.then((response) => {
            const { endpoint, args, key } = action;
            dispatch({ type: "setResponse", endpoint, args, key, response, seq: ticket.seq, date: clock.now() });
            store.sequence.settle(ticket);
            store.fold();
          });
        }
        return next(action);
      },
    };
  };
  const early = new Controller({ use: [disk(Promise.resolve({ id: "1", title: "Kept" }))] });
  const first = early.fetch(get, { id: "1" });
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(early.get(Article, { id: "1" })?.title, "Kept");
  await network.answer("get 1", { id: "1", title: "New" });
  assertEquals([(await first).title, early.get(Article, { id: "1" })?.title], ["New", "New"]);

  const { promise, resolve } = Promise.withResolvers();
  const late = new Controller({ use: [disk(promise)] });
  const second = late.fetch(get, { id: "1" });
  await network.answer("get 1", { id: "1", title: "New" });
  await second;
  resolve({ id: "1", title: "Kept", votes: 5 });
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals({ ...late.get(Article, { id: "1" }) }, { id: "1", title: "New", votes: 5 });
  assertEquals(late.store.logs.size, 0);
});

Deno.test("5. a request is held, shared, answered from elsewhere or refused before it is sent", async () => {
  const shared = new Map<string, Promise<unknown>>();
  const door = Promise.withResolvers<void>();
  const admit: Part = {
    async perform(action, next) {
      if (action.type !== "fetch") return next(action);
      if (action.key.includes("no")) throw new Error("refused");
      await door.promise;
      const known = shared.get(action.key);
      if (known) return known;
      const answer = next(action) as Promise<unknown>;
      shared.set(action.key, answer);
      return answer;
    },
  };
  const [one, two] = [new Controller({ use: [admit] }), new Controller({ use: [admit] })];
  const both = [one.fetch(get, { id: "1" }), two.fetch(get, { id: "1" })];
  assertEquals(network.waiting.size, 0);
  door.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals([...network.waiting.keys()], ["get 1"]);
  await network.answer("get 1", { id: "1", title: "Once" });
  const [first, second] = await Promise.all(both);
  assertStrictEquals(first, second);
  await assertRejects(() => one.fetch(get, { id: "no" }), Error, "refused");
});

Deno.test("6. a layer needs no request: it is shown, confirmed with its name or dropped", () => {
  const controller = new Controller();
  const { store } = controller;
  const draft = (title: string) => {
    const endpoint = patch.extend({
      getOptimisticResponse(snapshot, body) {
        if (body.title === "") throw new AbortOptimistic();
        return { ...body, id: snapshot.temporaryId() };
      },
    });
    const seq = store.sequence.take();
    const args = [{ id: "", title }] as const;
    const layer = { endpoint, args, seq, date: clock.now(), temporary: { ids: [], shown: undefined } };
    store.sequence.show(layer);
    controller.dispatch({ type: "optimistic", layer, seq, date: clock.now() });
    const key = endpoint.key(...args);
    return {
      confirm: (response: unknown) =>
        controller.dispatch({ type: "setResponse", endpoint, args, key, response, layer, seq, date: clock.now() }),
      drop: () => controller.dispatch({ type: "abandon", layers: [layer], seq, date: clock.now() }),
      end: () => store.sequence.settle(layer),
    };
  };
  const titles = () => [...store.tables.named("Article").slots.values()].flatMap(({ rec }) => rec?.title ?? []);
  const [one, two] = [draft("Kept"), draft("Lost")];
  assertEquals(titles(), ["Kept", "Lost"]);
  two.drop();
  two.end();
  one.confirm({ id: "9", title: "Kept" });
  one.end();
  assertEquals(titles(), ["Kept"]);
  assertEquals(controller.get(Article, { id: "9" })?.title, "Kept");
});

Deno.test("7. a call is described apart from being sent, without what getHeaders adds", async () => {
  const save = new RestEndpoint({
    urlPrefix: "https://example.com",
    path: "/articles/:id",
    method: "PUT",
    requestInit: { headers: { "X-App": "notes" } },
    getHeaders: (headers) => ({ ...headers, authorization: "secret" }),
  });
  assertEquals(await describeCall(save, { id: "5" }, { title: "One" }), {
    method: "PUT",
    url: "https://example.com/articles/5",
    headers: { "X-App": "notes", "Content-Type": "application/json" },
    body: '{"title":"One"}',
  });
});

Deno.test("8. who is signed in is one value of a part: another one forgets everything, and what flies", async () => {
  const identity = (): Part & { become(user: string): void } => {
    let controller: Controller;
    let user = "";
    return {
      init: (own) => void (controller = own),
      become(next) {
        if (next !== user) controller.resetEntireStore();
        user = next;
      },
    };
  };
  const who = identity();
  const controller = new Controller({ use: [who] });
  who.become("ann");
  const late = controller.fetch(get, { id: "1" });
  who.become("bob");
  await network.answer("get 1", { id: "1", title: "Ann's" });
  await assertRejects(() => late, Error, "reset");
  assertEquals(controller.get(Article, { id: "1" }), undefined);
});

Deno.test("9. a class has a shape that a store on disk can compare: members, kinds, keys", () => {
  class Author extends Entity {
    id = "";
    static key = "Author";
  }
  class Post extends Article {
    author = Author.fromJS();
    static override key = "Post";
    static schema = { author: Author };
  }
  class Edited extends Post {
    editor = Author.fromJS();
    static override schema = { author: Author, editor: Author };
  }
  const { graph } = new Controller().store;
  const shapeOf = (entity: typeof Post) => {
    const plan = graph.planOf(entity as never);
    return JSON.stringify([
      plan.key,
      Object.keys(entity.defaults),
      plan.fields.all.map(({ name, kind, schema }) => [name, kind, (schema as typeof Author).key]),
    ]);
  };
  assertEquals(shapeOf(Post), '["Post",["id","title","votes","author"],[["author","entity","Author"]]]');
  assert(shapeOf(Post) !== shapeOf(Edited));
});

Deno.test("10. explain says where a read comes from: a disk, another tab, or the network", async () => {
  const controller = new Controller({ use: [history()] });
  const from = () => {
    const { because } = explain(controller, get, { id: "1" });
    return [because?.type, because?.origin];
  };
  const call = { endpoint: get, args: [{ id: "1" }], key: get.key({ id: "1" }) };
  const answer = { type: "setResponse", ...call, response: { id: "1", title: "Kept" } } as const;
  const { sequence } = controller.store;
  controller.dispatch({ ...answer, origin: "disk", seq: sequence.take(), date: clock.now() });
  assertEquals(from(), ["setResponse", "disk"]);
  const read = controller.fetch(get, { id: "1" });
  await network.answer("get 1", { id: "1", title: "New" });
  await read;
  assertEquals(from(), ["setResponse", undefined]);
});
