/**
 * Lists that grow by themselves, beside a server that has a moment of application between start and reply: what starts,
 * what the server does and what it answers come in any order, and after each step every list is what a naive client shows
 * that replays all it was ever told, in order of place.
 *
 * What the model allows, and why:
 * - A list is as old as its last full answer. Between two of them it follows only the changes that this client made: what
 *   others do elsewhere is seen with the next full answer.
 * - A search text (`q`) means nothing to the client: what is created joins no such list, a moved item stays where it is.
 * - Whether an item belongs to a list is decided by what the server said of it in the reply of the change, and by what is
 *   written over it by hand in the moment it is.
 * - A reply that is lost has changed nothing here, whatever the server did.
 * - A deleted record is in no list, whoever names it, until something that stands later brings it again.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, OvertakenError, schema, stateOf } from "@rejoin/data";
import { type Reader, readerOf } from "../contracts/reader.ts";
import { FakeClock, flush } from "../support/clock.ts";
import {
  changeLists,
  judgeLists,
  type ListArgs,
  type ListDemand,
  listKey,
  ListServer,
  matches,
  type ServerTodo,
  writesOfList,
} from "../support/list_server.ts";
import { type Item, type Members, Model } from "../support/model.ts";
import { check, runs } from "../support/property.ts";

class Todo extends Entity {
  id = "";
  owner = "";
  status = "";
  title = "";
  static key = "Todo";
}
class Owner extends Entity {
  id = "";
  todos: Todo[] = [];
  static key = "Owner";
  static schema = {
    todos: new schema.Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }),
  };
}

const todos = new schema.Collection([Todo]);
const removal = new schema.Invalidate(Todo);
const LISTS: readonly ListArgs[] = [
  {},
  { owner: "1" },
  { owner: "2" },
  { status: "open" },
  { owner: "1", status: "done" },
  { q: "x" },
];

const OPS = [
  ["list", 5],
  ["owner", 2],
  ["push", 4],
  ["unshift", 2],
  ["move", 4],
  ["remove", 2],
  ["delete", 2],
  ["set", 1],
  ["setList", 1],
  ["elsewhere", 2],
  ["reset", 1],
  ["jump", 1],
  ["apply", 7],
  ["answer", 12],
  ["lose", 2],
] as const;

type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(11),
  fc.nat(15),
);

/** A request on the wire. */
interface Sent {
  readonly demand: ListDemand;
  readonly item: Item;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** What the server answered, when it has. */
  answer?: { readonly reply: unknown };
  isOver: boolean;
}

class Session {
  readonly server = new ListServer();
  readonly model = new Model();
  readonly controller = new Controller();
  readonly clock = new FakeClock();
  readonly sent: Sent[] = [];
  readonly failures: unknown[] = [];
  unsettled = 0;
  /** Todos that this client created and knows to be created, since the last reset, and nobody has touched since. */
  created: { readonly id: string; readonly todo: Members; readonly item: Item }[] = [];
  #texts = 0;
  readonly #watched: { readonly reader: Reader<readonly Todo[] | undefined>; last: unknown; told: number }[];

  readonly list = new Endpoint((args: ListArgs) => this.send({ type: "list", args }, `list ${listKey(args)}`), {
    name: "list",
    schema: todos,
  });
  readonly owner = new Endpoint((id: string) => this.send({ type: "owner", id }, `owner ${id}`), {
    name: "owner",
    schema: Owner,
  });

  constructor() {
    this.#watched = LISTS.map((args) => {
      const reader = readerOf<readonly Todo[] | undefined>(this.controller, todos, args);
      return { reader, last: reader.value, told: 0 };
    });
  }

  /** Called by the product in the moment it calls the endpoint. */
  send(demand: ListDemand, key?: string, layer?: Item["layer"]): Promise<unknown> {
    const item = this.model.start({ isMutation: key === undefined, key, layer });
    return new Promise((resolve, reject) => this.sent.push({ demand, item, resolve, reject, isOver: false }));
  }

  follow(promise: Promise<unknown>): void {
    this.unsettled++;
    promise.catch((error: Error) => {
      const isExpected = error instanceof OvertakenError || error.message === "404" || error.message === "lost";
      if (!isExpected) this.failures.push(error);
    }).finally(() => this.unsettled--);
  }

  mutate(demand: ListDemand, shown: Members | undefined): void {
    const verb = demand.type as "push" | "unshift" | "move" | "remove" | "delete";
    const { body = {}, id } = demand as { body?: Members; id?: string };
    const endpoint = new Endpoint(
      (_params: object, _body: object) =>
        this.send(demand, undefined, shown && ((below) => changeLists(demand, shown, below))),
      {
        name: verb,
        schema: (verb === "delete" ? removal : todos[verb]) as typeof todos.push,
        sideEffect: true,
        getOptimisticResponse: shown && (() => shown),
      },
    );
    this.follow(this.controller.fetch(endpoint, id === undefined ? {} : { id }, body));
  }

  body(b: number): Members {
    return {
      owner: b & 1 ? "1" : "2",
      status: b & 2 ? "open" : "done",
      title: `${b & 4 ? "x" : "y"} ${++this.#texts}`,
    };
  }

  touch(id: string): void {
    this.created = this.created.filter((one) => one.id !== id);
  }

  /** Does one thing; what it means depends on what there is. */
  do([name, a, b]: Op): void {
    const { controller, model, server } = this;
    const { ids } = server;
    const id = ids[a % ids.length]!;
    const args = LISTS[a % LISTS.length]!;
    const shows = b >= 8;
    switch (name) {
      case "list":
        return this.follow(controller.fetch(this.list, args));
      case "owner":
        return this.follow(controller.fetch(this.owner, b & 1 ? "1" : "2"));
      case "push":
      case "unshift": {
        const body = this.body(b);
        return this.mutate({ type: name, body }, shows ? { ...body, id: `own ${this.#texts}` } : undefined);
      }
      case "move": {
        this.touch(id);
        const body = this.body(b);
        return this.mutate({ type: name, id, body }, shows ? { ...body, id } : undefined);
      }
      case "remove":
      case "delete":
        this.touch(id);
        return this.mutate({ type: name, id }, shows ? { id } : undefined);
      case "set": {
        this.touch(id);
        const { status } = this.body(b) as { status: string };
        controller.set(Todo, { id }, { status });
        const todo = { ...model.tables(false).get("Todo")?.get(id), id, status };
        return model.write([{ table: "Todo", pk: id, members: { id, status } }], undefined, undefined, (below) => {
          return judgeLists(todo, ["id", "status"], below);
        });
      }
      case "setList": {
        const rows = server.list(args);
        controller.setResponse(this.list, args, structuredClone(rows));
        return model.write(writesOfList(args, rows), `list ${listKey(args)}`);
      }
      case "elsewhere":
        this.touch(id);
        return void server.apply(b & 8 ? { type: "delete", id } : { type: "move", id, body: this.body(b) });
      case "reset":
        if (b > 3) return;
        for (const { item } of this.sent) if (item.state === "flying") model.drop(item);
        model.reset();
        this.created = [];
        return controller.resetEntireStore();
      case "jump":
        return this.clock.jump((b - 8) * 86_400_000);
      case "apply": {
        const waiting = this.sent.filter(({ answer }) => answer === undefined);
        const sent = waiting[a % Math.max(1, waiting.length)];
        return sent && this.apply(sent);
      }
      case "answer":
      case "lose": {
        const open = this.sent.filter(({ isOver }) => !isOver);
        const sent = open[a % Math.max(1, open.length)];
        return sent && this.answer(sent, name === "lose", b % 2 === 0);
      }
    }
  }

  apply(sent: Sent): void {
    sent.answer = { reply: this.server.apply(sent.demand) };
  }

  answer(sent: Sent, isLost: boolean, isApplied: boolean): void {
    const { demand, item, resolve, reject } = sent;
    if (sent.answer === undefined && (!isLost || isApplied)) this.apply(sent);
    sent.isOver = true;
    const reply = sent.answer?.reply as Members | undefined;
    if (isLost) reject(new Error("lost"));
    else if (reply === undefined) reject(new Error("404"));
    else resolve(structuredClone(reply));
    const { model } = this;
    if (item.state !== "flying") return;
    if (isLost || reply === undefined) return model.drop(item);
    if (demand.type === "list") return model.answer(item, writesOfList(demand.args, reply as never), "");
    if (demand.type === "owner") {
      return model.answer(item, writesOfList({ owner: demand.id }, reply.todos as ServerTodo[]), "");
    }
    model.answer(item, [], undefined, (below) => changeLists(demand, reply, below));
    if (demand.type !== "push" && demand.type !== "unshift") return;
    // Whoever named it before it was confirmed has changed it already.
    const isTouched = this.sent.some((other) => (other.demand as { id?: unknown }).id === reply.id) ||
      !this.server.todos.some(({ id, title }) => id === reply.id && title === reply.title);
    const isSet = model.order.some(({ byHand, key, writes }) =>
      byHand && key === undefined && writes.some(({ table, pk }) => table === "Todo" && pk === reply.id)
    );
    if (!isTouched && !isSet) this.created.push({ id: reply.id as string, todo: reply, item });
  }

  /** Compares every list with the model, and with what was promised of those that nobody has touched. */
  verify(): void {
    if (this.failures.length > 0) throw this.failures[0];
    const { controller, model } = this;
    const tables = model.tables(true);
    LISTS.forEach((args, at) => {
      const list = tables.get("List")?.get(listKey(args));
      const shown = controller.get(todos, args as never) as readonly Todo[] | undefined;
      const name = `the list ${JSON.stringify(args)}`;
      const expected = (list?.items as string[] | undefined)?.filter((id) => tables.get("Todo")?.has(id));
      assertEquals(shown?.map(({ id }) => id), expected, name);
      assertStrictEquals(controller.getResponse(this.list, args).data, shown, `${name} by its endpoint`);
      this.#verifyItems(args, shown, name);
      const watched = this.#watched[at]!;
      const { last, reader, told } = watched;
      assertStrictEquals(reader.value, shown, name);
      const isSame = last === shown ||
        (Array.isArray(last) && Array.isArray(shown) && last.length === shown.length &&
          last.every((todo, index) => todo === shown[index]));
      assertEquals(last === shown, isSame, `${name} is another array when it holds others`);
      assertEquals(reader.told > told, last !== shown, `who reads ${name} is told when it is another`);
      watched.last = shown;
      watched.told = reader.told;
    });
    for (const id of ["1", "2"]) {
      const owner = controller.get(Owner, id);
      // A member that is stored reads as the list that everybody has.
      if (owner !== undefined) assertStrictEquals(owner.todos, controller.get(todos, { owner: id }));
    }
    const { entities } = stateOf(controller);
    const base = model.tables(false).get("Todo");
    assertEquals({ ...entities.Todo }, Object.fromEntries(base ?? []), "the records");
    assertEquals(controller.store.sequence.size, model.flying.length, "in flight");
    if (model.flying.length > 0) return;
    const { logs, tableChanges, layers, covered } = controller.store;
    assertEquals([logs.size, tableChanges.length, layers.length, covered.size], [0, 0, 0, 0], "at rest");
  }

  #verifyItems(args: ListArgs, shown: readonly Todo[] | undefined, name: string): void {
    if (shown === undefined) return;
    const ids = shown.map(({ id }) => id);
    assertEquals(new Set(ids).size, ids.length, `${name} has each once`);
    for (const { id, todo, item } of this.created) {
      const match = matches(args, todo);
      if (match === false) assert(!ids.includes(id), `${name} has ${id}, which does not match`);
      // What was written by hand after the create had started may be older than it and counts as newer.
      const isWritten = this.model.order.slice(this.model.order.indexOf(item)).some((other) =>
        other.byHand && other.key === `list ${listKey(args)}` && !other.writes.some(({ pk }) => pk === id)
      );
      if (match && !isWritten) assert(ids.includes(id), `${name} has lost ${id}, which the server has`);
    }
  }

  /** Everything comes to an end, and once more every list is read. */
  async finish(): Promise<void> {
    await this.#answerAll();
    for (const args of LISTS) this.follow(this.controller.fetch(this.list, args));
    await this.#answerAll();
    assertEquals(this.unsettled, 0, "promises that have not settled");
    for (const args of LISTS) {
      const shown = this.controller.get(todos, args as never) as readonly Todo[];
      assertEquals(shown.map((todo) => ({ ...todo })), this.server.list(args), "the server's truth");
    }
    assertEquals(this.clock.pending, 0, "timers");
  }

  async #answerAll(): Promise<void> {
    for (const sent of this.sent) {
      if (sent.isOver) continue;
      this.answer(sent, false, true);
      await flush();
      this.verify();
    }
  }
}

/** Runs one interleaving. */
async function interleave(ops: readonly Op[]): Promise<void> {
  const session = new Session();
  using _ = session.clock.install();
  for (const each of ops) {
    session.do(each);
    await flush();
    session.verify();
  }
  await session.finish();
}

Deno.test("lists are those of a naive client when requests, effects and answers interleave, and the server's in the end", async () => {
  await check(fc.asyncProperty(fc.array(op, { maxLength: 40, size: "max" }), interleave), {
    name: "collection_model",
    runs: runs(1_000, 100_000),
  });
});

Deno.test("a list that shows the same while a deleted item comes into it is the same array, also after the next reply", async () => {
  await interleave([
    ["move", 0, 1],
    ["owner", 0, 0],
    ["list", 0, 0],
    ["apply", 0, 0],
    ["list", 3, 0],
    ["list", 8, 0],
    ["answer", 6, 0],
    ["push", 0, 3],
    ["move", 0, 0],
    ["answer", 7, 0],
    ["delete", 0, 8],
    ["apply", 3, 0],
    ["lose", 0, 0],
  ]);
});
