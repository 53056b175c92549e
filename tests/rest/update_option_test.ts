import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, schema, type Snapshot, snapshotOf, stateOf } from "@rejoin/data";
import { readerOfResponse } from "../contracts/reader.ts";
import { Wire } from "../support/wire.ts";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

/** A list of films, and mutations that say what becomes of it. */
function setUp() {
  const wire = new Wire();
  const controller = new Controller();
  const list = new Endpoint(wire.fn<[{ genre?: string }?]>("list"), { schema: { films: [Film], total: 0 } });
  const listed = list.extend({ name: "list" });
  type Listed = { films: string[]; total: number };
  const create = new Endpoint(wire.fn<[body: object]>("create"), {
    name: "create",
    sideEffect: true,
    schema: Film,
    update: (id: string) => ({
      [listed.key({})]: ({ films, total }: Listed) => ({ films: [id, ...films], total: total + 1 }),
    }),
  });
  const titles = () => controller.getResponse(listed, {}).data?.films.map(({ title }) => title);
  const fill = async (...films: object[]) => {
    const call = controller.fetch(listed, {});
    await wire.last.reply({ films, total: films.length });
    await call;
  };
  return { wire, controller, list: listed, create, titles, fill };
}
const alien = { id: "1", title: "Alien" };
const aliens = { id: "2", title: "Aliens" };

Deno.test("update changes another answer in the commit of its own", async () => {
  const { wire, controller, list, create, titles, fill } = setUp();
  await fill(alien);
  const reader = readerOfResponse<{ films: Film[]; total: number }>(controller, list, {});
  const before = reader.value;
  const call = controller.fetch(create, { title: "Aliens" });
  await wire.last.reply(aliens);
  const created = await call;
  assertEquals([titles(), reader.value.total, reader.told], [["Aliens", "Alien"], 2, 1]);
  assertStrictEquals(reader.value.films[0], created);
  assertStrictEquals(reader.value.films[1], before.films[0]);
  controller.cleanup();
});

Deno.test("an answer that nobody has, or that was invalidated, is not made up", async () => {
  const { wire, controller, list, create, titles, fill } = setUp();
  const make = async () => {
    const call = controller.fetch(create, {});
    await wire.last.reply(aliens);
    await call;
  };
  await make();
  assertEquals([titles(), stateOf(controller).endpoints], [undefined, {} as never]);
  await fill(alien);
  controller.invalidate(list, {});
  await make();
  assertEquals(titles(), undefined);
  controller.cleanup();
});

Deno.test("a delete takes its record out of a list, with what depends on it", async () => {
  const { wire, controller, list, fill } = setUp();
  await fill(alien, aliens);
  const remove = new Endpoint(wire.fn<[{ id: string }]>("remove"), {
    name: "remove",
    sideEffect: true,
    schema: new schema.Invalidate(Film),
    update: (id: string) => ({
      [list.key({})]: ({ films, total }: { films: string[]; total: number }) => ({
        films: films.filter((film) => film !== id),
        total: total - 1,
      }),
    }),
  });
  const call = controller.fetch(remove, { id: "1" });
  await wire.last.reply({ id: "1" });
  await call;
  const { films, total } = controller.getResponse(list, {}).data!;
  assertEquals([films.map(({ id }) => id), total], [["2"], 1]);
  controller.cleanup();
});

Deno.test("what throws in update changes nothing, and the call succeeds all the same", async () => {
  const { wire, controller, create, titles, fill, list } = setUp();
  await fill(alien);
  for (
    const update of [
      () => {
        throw new Error("broken");
      },
      () => ({
        [list.key({})]: () => {
          throw new Error("broken");
        },
      }),
      () => null as never,
      () => ({ [list.key({})]: "no function" as never }),
    ]
  ) {
    const call = controller.fetch(create.extend({ update }), {});
    await wire.last.reply(aliens);
    assertEquals([(await call).title, titles()], ["Aliens", ["Alien"]]);
  }
  const refused = controller.fetch(create, {});
  const rejected = assertRejects(() => refused, Error, "refused");
  await wire.last.fail(new Error("refused"));
  await rejected;
  assertEquals(titles(), ["Alien"]);
  controller.cleanup();
});

Deno.test("a list that was asked for before and comes after does not take the new record away, and is asked for again", async () => {
  const { wire, controller, list, create, titles, fill } = setUp();
  await fill(alien);
  const late = controller.fetch(list, {});
  const asked = wire.last;
  const made = controller.fetch(create, {});
  await wire.last.reply(aliens);
  await made;
  const { mark } = controller.store.response(list, [{}], list.key({})).read(controller.store.graph);
  await asked.reply({ films: [alien], total: 1 });
  assertEquals((await late).films.map(({ title }) => title), ["Alien"]);
  assertEquals(titles(), ["Aliens", "Alien"]);
  assertEquals(controller.getResponse(list, {}).expiresAt, 0);
  const after = controller.store.response(list, [{}], list.key({})).read(controller.store.graph);
  assertEquals(after.mark, mark + 1);
  await fill(alien, aliens);
  assertEquals(titles(), ["Alien", "Aliens"]);
  controller.cleanup();
});

Deno.test("names of keys are data: a key called __proto__ is one like others", async () => {
  const { wire, controller, fill } = setUp();
  await fill(alien);
  const odd = new Endpoint(wire.fn("odd"), { schema: [Film], key: () => "__proto__", name: "odd" });
  const first = controller.fetch(odd);
  await wire.last.reply([alien]);
  await first;
  const rename = new Endpoint(wire.fn("rename"), {
    name: "rename",
    sideEffect: true,
    schema: Film,
    update: (id: string) => ({ ["__proto__"]: (ids: string[]) => [...ids, id], constructor: () => [] }),
  });
  const call = controller.fetch(rename);
  await wire.last.reply(aliens);
  await call;
  assertEquals(controller.getResponse(odd).data?.map(({ id }) => id), ["1", "2"]);
  controller.cleanup();
});

Deno.test("bound arguments reach update", async () => {
  const { wire, controller, list, fill } = setUp();
  await fill(alien);
  const seen: unknown[] = [];
  const rename = new Endpoint(wire.fn<[{ id: string }, { title: string }]>("rename"), {
    name: "rename",
    sideEffect: true,
    schema: Film,
    update(...args: unknown[]) {
      seen.push(args);
      return { [list.key({})]: (before: object) => before };
    },
  });
  const call = controller.fetch(rename.bind(undefined, { id: "1" }), { title: "x" });
  await wire.last.reply({ id: "1", title: "x" });
  await call;
  assertEquals(seen, [["1", { id: "1" }, { title: "x" }]]);
  controller.cleanup();
});

/** The list of {@linkcode setUp}, and a create that shows at once what it expects. */
function setUpOptimistic() {
  const { create: plain, ...app } = setUp();
  const create = plain.extend({
    getOptimisticResponse: (snapshot: Snapshot, body: object) => ({ id: snapshot.temporaryId(), ...body }),
  });
  return { ...app, create };
}

Deno.test("13.E9 update runs for the optimistic answer, too: the list has the row at once, and once", async () => {
  const { wire, controller, list, create, titles, fill } = setUpOptimistic();
  await fill(alien);
  const reader = readerOfResponse<{ films: Film[]; total: number }>(controller, list, {});
  const call = controller.fetch(create, { title: "Aliens" });
  assertEquals([titles(), reader.value.total, reader.told], [["Aliens", "Alien"], 2, 1]);
  // Nothing of it is in the base.
  assertEquals(Object.values(stateOf(controller).endpoints), [{ films: ["1"], total: 1 }]);
  controller.set(Film, "1", { title: "Alien!" });
  assertEquals([titles(), reader.value.total, reader.told], [["Aliens", "Alien!"], 2, 2]);
  await wire.last.reply(aliens);
  await call;
  assertEquals([titles(), reader.value.total], [["Aliens", "Alien!"], 2]);
  assertEquals(Object.values(stateOf(controller).endpoints), [{ films: ["2", "1"], total: 2 }]);
  controller.cleanup();
});

Deno.test("13.E9 what update showed goes exactly when the mutation fails; those of others stay", async () => {
  const { wire, controller, create, titles, fill } = setUpOptimistic();
  await fill(alien);
  const calls = ["A", "B"].map((title) => controller.fetch(create, { title }));
  const [a, b] = wire.calls.slice(-2);
  assertEquals(titles(), ["B", "A", "Alien"]);
  await Promise.all([assertRejects(() => calls[0]!), a!.fail()]);
  assertEquals(titles(), ["B", "Alien"]);
  await b!.reply({ id: "3", title: "B" });
  await calls[1];
  assertEquals(titles(), ["B", "Alien"]);
  controller.cleanup();
});

Deno.test("13.E9 a list that comes while the mutation is in flight has what update shows", async () => {
  const { wire, controller, list, create, titles, fill } = setUpOptimistic();
  const first = controller.fetch(list, {});
  const listed = wire.last;
  const call = controller.fetch(create, { title: "Aliens" });
  const created = wire.last;
  assertEquals(titles(), undefined, "an answer that nobody has is not made up");
  await listed.reply({ films: [alien], total: 1 });
  await first;
  assertEquals(titles(), ["Aliens", "Alien"]);
  await fill(alien, { id: "9", title: "Nine" });
  assertEquals(titles(), ["Aliens", "Alien", "Nine"]);
  controller.invalidate(list, {});
  assertEquals(titles(), undefined);
  await fill(alien);
  assertEquals(titles(), ["Aliens", "Alien"]);
  await created.reply(aliens);
  await call;
  assertEquals(titles(), ["Aliens", "Alien"]);
  controller.resetEntireStore();
  assertEquals(titles(), undefined);
  controller.cleanup();
});

Deno.test("13.E9 snapshots, and optimistic functions, see what update shows", async () => {
  const { wire, controller, list, create, fill } = setUpOptimistic();
  await fill(alien);
  const before = snapshotOf(controller);
  const call = controller.fetch(create, { title: "Aliens" });
  const after = snapshotOf(controller);
  let seen: unknown;
  const look = new Endpoint(wire.fn("look"), {
    name: "look",
    sideEffect: true,
    schema: Film,
    getOptimisticResponse: (snapshot: Snapshot) => {
      seen = (snapshot.getResponse(list, {}).data as { total: number }).total;
      throw snapshot.abort;
    },
  });
  const looking = controller.fetch(look);
  await wire.last.reply({ id: "1" });
  await looking;
  await wire.calls.at(-2)!.reply(aliens);
  await call;
  const totals = [before, after].map((snapshot) => snapshot.getResponse(list, {}).data?.total);
  assertEquals([totals, seen], [[1, 2], 2]);
  controller.cleanup();
});

Deno.test("13.E9 an update that throws shows nothing of itself, and its record is shown all the same", async () => {
  const { wire, controller, list, titles, create, fill } = setUpOptimistic();
  await fill(alien);
  const broken = create.extend({
    update: () => ({
      [list.key({})]: () => {
        throw new Error("broken");
      },
    }),
  });
  const call = controller.fetch(broken, { title: "Aliens" });
  assertEquals([titles(), controller.get(new schema.All(Film))?.length], [["Alien"], 2]);
  await wire.last.reply(aliens);
  await call;
  assertEquals(titles(), ["Alien"]);
  controller.cleanup();
});

for (const known of ["not there", "invalid"]) {
  Deno.test(`a list that is ${known} and on its way when update would change it comes stale`, async () => {
    const { wire, controller, list, create, titles, fill } = setUp();
    if (known === "invalid") {
      await fill(alien);
      controller.invalidate(list, {});
    }
    const listing = controller.fetch(list, {});
    const asked = wire.last;
    const creating = controller.fetch(create, {});
    await wire.last.reply(aliens);
    await creating;
    await asked.reply({ films: [alien], total: 1 });
    await listing;
    assertEquals([titles(), controller.getResponse(list, {}).expiresAt], [["Alien"], 0]);
    await fill(aliens, alien);
    assertEquals(controller.getResponse(list, {}).expiresAt > Date.now(), true);
    controller.cleanup();
  });
}

Deno.test("a list that came while the mutation was in flight may have its change already, and is asked for again", async () => {
  const { wire, controller, list, create, fill } = setUp();
  const isFresh = () => controller.getResponse(list, {}).expiresAt > Date.now();
  const listing = controller.fetch(list, {});
  const asked = wire.last;
  const creating = controller.fetch(create, {});
  const sent = wire.last;
  await asked.reply({ films: [aliens, alien], total: 2 });
  await listing;
  assertEquals(isFresh(), true);
  await sent.reply(aliens);
  await creating;
  assertEquals(isFresh(), false);
  await fill(aliens, alien);
  assertEquals(isFresh(), true);
  // Of one that was there before, nothing is in doubt.
  const again = controller.fetch(create, {});
  await wire.last.reply({ id: "3", title: "Alien 3" });
  await again;
  assertEquals(isFresh(), true);
  controller.cleanup();
});
