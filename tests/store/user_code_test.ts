import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, type EntityMeta, RejoinError, schema, stateOf } from "@rejoin/data";
import { Wire } from "../support/wire.ts";

/** What the statics of the classes below do before they do their work: throw, or read, or write. */
let meddle: (point: string, pk: unknown) => void = () => {};

class Part extends Entity {
  id = "";
  size = 0;
  constructor() {
    super();
    meddle("constructor", undefined);
  }
  pk() {
    meddle("pk", this.id);
    return this.id;
  }
  static key = "Part";
  static process(value: { id: string }) {
    meddle("process", value.id);
    return { ...value };
  }
  static merge(existing: object, incoming: { id: string }) {
    meddle("merge", incoming.id);
    return { ...existing, ...incoming };
  }
  static shouldUpdate(_: EntityMeta, __: EntityMeta, existing: { id: string }) {
    meddle("shouldUpdate", existing.id);
    return true;
  }
  static validate(record: { id: string }) {
    meddle("validate", record.id);
    return undefined;
  }
  static createIfValid(record: { id: string }) {
    meddle("createIfValid", record.id);
    return super.createIfValid(record);
  }
}

class Whole extends Entity {
  id = "";
  part: Part | undefined = undefined;
  parts: Part[] = [];
  when = new Date(0);
  pk() {
    return this.id;
  }
  static key = "Whole";
  static schema = {
    part: Part,
    parts: [Part],
    when: (value: string) => {
      meddle("serializer", value);
      return new Date(value);
    },
  };
}

const list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Whole] });
const response = (size: number) => [
  { id: "1", part: { id: "a", size }, parts: [{ id: "a", size }, { id: "b", size }], when: `2020-01-0${size}` },
  { id: "2", part: { id: "b", size }, parts: [{ id: "c", size }], when: "2020-01-01" },
];
const sizes = (controller: Controller) =>
  controller.getResponse(list).data?.map(({ part, parts }) => [part?.size, ...parts.map(({ size }) => size)]);

const POINTS = ["constructor", "pk", "process", "shouldUpdate", "merge", "validate", "createIfValid", "serializer"];

for (const point of POINTS) {
  Deno.test(`${point} may throw at any of its calls: nothing is half written, and later reads are right`, async () => {
    for (let at = 0;; at++) {
      const wire = new Wire();
      const controller = new Controller();
      const read = new Endpoint(wire.fn("list"), { name: "list", schema: [Whole] });
      meddle = () => {};
      controller.setResponse(list, response(1));
      const before = controller.getResponse(list).data;
      const base = stateOf(controller).entities;
      const update = new Endpoint(wire.fn("update"), {
        name: "update",
        schema: Whole,
        sideEffect: true,
        getOptimisticResponse: () => ({ id: "1", part: { id: "a", size: 5 } }),
      });
      let calls = 0;
      meddle = (where) => {
        if (where === point && calls++ === at) throw new Error(`${point} ${at}`);
      };
      // A layer, a read and a read of everything, with one error somewhere in between.
      const updating = controller.fetch(update);
      updating.catch(() => {});
      const [updateCall] = wire.calls;
      const reading = controller.fetch(read);
      reading.catch(() => {});
      await wire.last.reply(response(2));
      const outcome = await reading.then(() => undefined, (error: Error) => error);
      try {
        controller.getResponse(list);
        controller.get(new schema.All(Part));
      } catch (error) {
        assertEquals((error as Error).message, `${point} ${at}`);
      }
      const wasReached = calls > at;
      meddle = () => {};

      const isWritten = stateOf(controller).entities.Part!.a!.size === 2;
      if (outcome !== undefined) assertEquals(outcome.message, `${point} ${at}`);
      if (!isWritten) assertEquals(stateOf(controller).entities, base, `call ${at}`);
      else {
        const written = Object.values(stateOf(controller).entities.Part!).map(({ size }) => size);
        assertEquals(written, [2, 2, 2]);
      }
      const shown = controller.store.layers.length === 1 ? 5 : isWritten ? 2 : 1;
      const rest = isWritten ? 2 : 1;
      assertEquals(sizes(controller), [[shown, shown, rest], [rest, rest]], `call ${at}`);
      await updateCall!.fail();
      assertEquals(sizes(controller), [[rest, rest, rest], [rest, rest]], `call ${at}`);
      if (!isWritten) assertEquals(controller.getResponse(list).data!.length, before!.length);
      assertEquals([controller.store.sequence.size, controller.store.layers.length, controller.store.logs.size], [
        0,
        0,
        0,
      ]);

      const again = controller.fetch(read);
      await wire.last.reply(response(3));
      await again;
      assertEquals(sizes(controller), [[3, 3, 3], [3, 3]], `call ${at}`);
      if (!wasReached) {
        assert(at > 0, `${point} was never called`);
        break;
      }
    }
  });
}

for (const point of ["pk", "process", "shouldUpdate", "merge"]) {
  Deno.test(`${point} may read the store while a write is computed, and sees it as it was before`, () => {
    const controller = new Controller();
    const all = new schema.All(Part);
    meddle = () => {};
    controller.setResponse(list, response(1).slice(0, 1));
    assertEquals(controller.get(all)!.map(({ id }) => id), ["a", "b"]);
    const seen = new Set<string>();
    let isInside = false;
    meddle = (where) => {
      if (where !== point || isInside) return;
      isInside = true;
      // Also such as nobody has: the reader waits for them from now on.
      const reads = ["a", "b", "c", "d"].map((pk) => controller.get(Part, pk)?.size);
      seen.add(JSON.stringify([reads, controller.get(all)?.length]));
      isInside = false;
    };
    controller.setResponse(list, [...response(2), {
      id: "3",
      part: { id: "c", size: 2 },
      parts: [{ id: "d", size: 2 }],
    }]);
    meddle = () => {};
    assertEquals([...seen], ["[[1,1,null,null],2]"]);
    assertEquals(controller.get(all)!.map(({ id, size }) => `${id}${size}`).sort(), ["a2", "b2", "c2", "d2"]);
    assertStrictEquals(controller.get(Part, "c"), controller.getResponse(list).data![1]!.parts[0]);
    controller.set(Part, { id: "c" }, { size: 3 });
    assertEquals(controller.getResponse(list).data![1]!.parts[0]!.size, 3);
    assertEquals(controller.get(all)!.length, 4);
  });

  Deno.test(`${point} may not change the store while a write is computed`, async () => {
    const controller = new Controller();
    meddle = () => {};
    controller.setResponse(list, response(1));
    const state = stateOf(controller);
    const changes: (() => void)[] = [
      () => controller.set(Part, { id: "z" }, { size: 1 }),
      () => controller.invalidate(list),
      () => controller.resetEntireStore(),
    ];
    for (const change of changes) {
      let isInside = false;
      meddle = (where) => {
        if (where !== point || isInside) return;
        isInside = true;
        try {
          change();
        } finally {
          isInside = false;
        }
      };
      assertThrows(
        () => controller.setResponse(list, response(2)),
        RejoinError,
        "while another change is being computed",
      );
      const read = new Endpoint(() => Promise.resolve(response(2)), { name: "other", schema: [Whole] });
      await assertRejects(() => controller.fetch(read), RejoinError, "may read the store");
      meddle = () => {};
      assertEquals(stateOf(controller).entities, state.entities);
    }
    controller.setResponse(list, response(2));
    assertEquals(sizes(controller), [[2, 2, 2], [2, 2]]);
  });
}

Deno.test("getOptimisticResponse may not change the store: its layer is dropped, and the request goes on", async () => {
  const controller = new Controller();
  meddle = () => {};
  controller.setResponse(list, response(1));
  const { entities } = stateOf(controller);
  const wire = new Wire();
  const update = new Endpoint(wire.fn("update"), {
    name: "update",
    schema: Part,
    sideEffect: true,
    getOptimisticResponse() {
      controller.set(Part, { id: "b" }, { size: 9 });
      return { id: "a", size: 9 };
    },
  });
  const updating = controller.fetch(update);
  assertEquals([stateOf(controller).entities, sizes(controller)], [entities, [[1, 1, 1], [1, 1]]]);
  await wire.last.reply({ id: "a", size: 2 });
  assertEquals((await updating).size, 2);
});

Deno.test("a second occurrence is merged with the first when a reader has asked for the record in between", () => {
  const controller = new Controller();
  const parts = new Endpoint(() => Promise.resolve([]), { name: "parts", schema: [Part] });
  meddle = (where, pk) => {
    if (where === "process" && pk === "y") controller.get(Part, "x");
  };
  controller.setResponse(parts, [{ id: "x", size: 1 }, { id: "y" }, { id: "x", extra: true }]);
  meddle = () => {};
  assertEquals(stateOf(controller).entities.Part!.x, { id: "x", size: 1, extra: true });
  assertEquals(controller.get(new schema.All(Part))!.map(({ id }) => id).sort(), ["x", "y"]);
});

Deno.test("a record stands once in All when a reader has asked for it and for All while it was written", () => {
  const controller = new Controller();
  const parts = new Endpoint(() => Promise.resolve([]), { name: "parts", schema: [Part] });
  const all = new schema.All(Part);
  meddle = () => {};
  controller.set(Part, { id: "w" }, {});
  let isInside = false;
  meddle = (where, pk) => {
    if (where !== "process" || pk !== "y" || isInside) return;
    isInside = true;
    controller.get(Part, "x");
    assertEquals(controller.get(all)!.length, 1);
    isInside = false;
  };
  controller.setResponse(parts, [{ id: "x", size: 1 }, { id: "y" }]);
  meddle = () => {};
  assertEquals(controller.get(all)!.map(({ id }) => id), ["w", "x", "y"]);
  assertStrictEquals(controller.get(all)![1], controller.get(Part, "x"));
});

Deno.test("records with hostile pks and members pass through logs, layers, deletes and reads like any other", async () => {
  class Plain extends Entity {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static key = "constructor";
  }
  const all = new schema.All(Plain);
  for (const id of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "0", "a:b", " "]) {
    const wire = new Wire();
    const controller = new Controller();
    const read = new Endpoint(wire.fn("read"), { name: "read", schema: [Plain] });
    const update = new Endpoint(wire.fn("update"), {
      name: "update",
      schema: Plain,
      sideEffect: true,
      getOptimisticResponse: () => ({ id, title: "shown" }),
    });
    const remove = new Endpoint(wire.fn("remove"), {
      name: "remove",
      schema: new schema.Invalidate(Plain),
      sideEffect: true,
    });
    assertEquals([controller.get(Plain, id), controller.get(all)], [undefined, undefined]);
    const reading = controller.fetch(read);
    const updating = controller.fetch(update);
    assertEquals(controller.get(Plain, { id })?.title, "shown");
    const hostile = JSON.parse(
      `{ "id": ${JSON.stringify(id)}, "title": "late", "__proto__": { "polluted": 1 }, "pk": "own", "toString": 5 }`,
    );
    await wire.calls[0]!.reply([hostile]);
    const [article] = await reading;
    await wire.calls[1]!.reply({ id, title: "confirmed" });
    assertEquals((await updating).title, "confirmed");
    assertEquals([article!.pk(), article instanceof Plain], [id, true]);
    const record = stateOf(controller).entities["constructor" as string]![id]!;
    assertEquals([record.title, record.pk, Object.hasOwn(record, "__proto__")], ["confirmed", "own", true]);
    assertEquals((article as unknown as { polluted?: number }).polluted, undefined);
    assertEquals(controller.get(all)?.length, 1);
    const removing = controller.fetch(remove);
    await wire.last.reply({ id });
    await removing;
    assertEquals([controller.get(Plain, id), controller.get(all)], [undefined, []]);
    assertEquals(Object.keys(Object.prototype), []);
  }
  assertEquals(({} as { polluted?: number }).polluted, undefined);
});
