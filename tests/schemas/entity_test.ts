import { entitiesOf } from "./_reader.ts";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize } from "@rejoin/data";

class User extends Entity {
  id = "";
  first = "";
  last = "";
  tags: string[] = [];
  #secret = "kept";
  pk() {
    return this.id;
  }
  get name(): string {
    return `${this.first} ${this.last}`;
  }
  greet(): string {
    return `I am ${this.name}`;
  }
  reveal(): string {
    return this.#secret;
  }
  static key = "User";
}

/** The instance that is read for one record. */
function instanceOf<T extends typeof User>(entity: T, record: object): T["prototype"] {
  const { result, entities } = normalize(entity, record);
  return denormalize(entity, result, entities) as T["prototype"];
}

Deno.test("an instance has the constructor, getters, methods and private fields of its class", () => {
  const user = instanceOf(User, { id: "1", first: "Ann", last: "Lee" });
  assertInstanceOf(user, User);
  assertEquals([user.constructor, user.name, user.greet(), user.reveal()], [User, "Ann Lee", "I am Ann Lee", "kept"]);
});

Deno.test("an instance has defaults for absent members, and shares them with no other instance", () => {
  const one = instanceOf(User, { id: "1" });
  const two = instanceOf(User, { id: "2", first: "Bo" });
  assertEquals([one.first, two.first, one.tags], ["", "Bo", []]);
  assert(one.tags !== two.tags);
});

Deno.test("an instance keeps members that its class does not declare", () => {
  const user = instanceOf(User, { id: "1", first: "Ann", avatar_url: "/1.png", nested: { a: [1] } });
  assertEquals({ ...user } as unknown, {
    id: "1",
    first: "Ann",
    last: "",
    tags: [],
    avatar_url: "/1.png",
    nested: { a: [1] },
  });
});

const RESERVED: readonly string[] = [
  ...["pk", "name", "greet", "constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"],
  ...["isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "__defineGetter__", "__lookupSetter__"],
];

for (const member of RESERVED) {
  Deno.test(`a member ${member}, a name of the prototype, is stored in the record and not put on the instance`, () => {
    const body = JSON.parse(`{"id": "1", "first": "Ann", ${JSON.stringify(member)}: {"isAdmin": true}}`);
    const { result, entities } = normalize(User, body);
    const record = entities.User!["1"]!;
    assert(Object.hasOwn(record, member));
    assertEquals(record[member], { isAdmin: true });
    assertStrictEquals(Object.getPrototypeOf(record), Object.prototype);
    for (const tables of [entities, JSON.parse(JSON.stringify(entities))]) {
      const user = denormalize(User, result, tables)!;
      assertStrictEquals(Object.getPrototypeOf(user), User.prototype);
      assert(!Object.hasOwn(user, member));
      assertEquals([user.pk(), user.name, "isAdmin" in user], ["1", "Ann ", false]);
    }
    const controller = new Controller();
    controller.set(User, { id: "1" }, body);
    controller.set(User, { id: "1" }, JSON.parse(`{"last": "Lee", ${JSON.stringify(member)}: 7}`));
    assertEquals(controller.get(User, { id: "1" })!.greet(), "I am Ann Lee");
    assertStrictEquals(controller.get(User, { id: "1" })!.constructor, User);
    assertEquals(entitiesOf(controller).User!["1"]![member], 7);
  });
}

Deno.test("a member with a name of the prototype is not put on an instance without a pk either", () => {
  const body = JSON.parse(`[{"first": "Ann", "__proto__": {"isAdmin": true}, "pk": 5}]`);
  const { result, entities } = normalize([User], body);
  for (const kept of [result, JSON.parse(JSON.stringify(result))]) {
    const [user] = denormalize([User], kept, entities)!;
    assertStrictEquals(Object.getPrototypeOf(user), User.prototype);
    assertEquals([user!.greet(), user!.pk()], ["I am Ann ", ""]);
  }
});

Deno.test("a member that one class declares and another class has as a getter is not put on the other's instance", () => {
  class Plain extends Entity {
    id = "";
    static key = "User";
  }
  const { entities } = normalize(Plain, { id: "1", name: "from the server", greet: 1 });
  const user = denormalize(User, "1", entities)!;
  assertEquals([user.name, user.greet()], [" ", "I am  "]);
});

Deno.test("fromJS makes an instance with the given members, and defaults where they are absent or undefined", () => {
  const user = User.fromJS({ first: "Ann", last: undefined });
  assertInstanceOf(user, User);
  assertEquals([user.first, user.last, user.id, user.reveal()], ["Ann", "", "", "kept"]);
});

Deno.test("fromJS ignores members with names of the prototype", () => {
  const user = User.fromJS(JSON.parse(`{"__proto__": {"isAdmin": true}, "pk": 1, "name": 2, "id": "7"}`));
  assertStrictEquals(Object.getPrototypeOf(user), User.prototype);
  assertEquals([user.pk(), user.name, "isAdmin" in user], ["7", " ", false]);
});

Deno.test("initializers may make instances of other entities, 50 levels deep", () => {
  class Leaf extends Entity {
    id = "leaf";
    static key = "Leaf";
  }
  let inner: typeof Leaf = Leaf;
  for (let level = 0; level < 50; level++) {
    const below = inner;
    inner = class extends Leaf {
      child = below.fromJS();
      static override key = `Level${level}`;
    };
  }
  let depth = 0;
  let at: { child?: unknown } = inner.fromJS() as { child?: unknown };
  for (; at.child !== undefined; at = at.child as { child?: unknown }) depth++;
  assertEquals(depth, 50);
});

Deno.test("an error that a constructor throws reaches the reader unchanged", () => {
  class Strange extends Entity {
    id = "";
    bytes = new Array(Number("-1"));
    static key = "Strange";
  }
  assertThrows(() => normalizeAndRead(Strange), RangeError, "Invalid array length");
});

function normalizeAndRead(entity: typeof Entity & { new (): Entity }): unknown {
  return denormalize(entity, "1", { [(entity as unknown as { key: string }).key]: { 1: { id: "1" } } });
}

Deno.test("process, pk(), merge and validate get plain objects, and all but process get processed data", () => {
  const seen: [string, boolean, unknown][] = [];
  const note = (step: string, value: object) => {
    seen.push([step, Object.getPrototypeOf(value) === Object.prototype, { ...value }]);
  };
  class Watched extends Entity {
    id = "";
    n = 0;
    pk() {
      note("pk", this);
      return this.id;
    }
    static key = "Watched";
    static process(value: { ID: string }) {
      note("process", value);
      const { ID, ...rest } = value;
      return { ...rest, id: ID };
    }
    static merge(existing: object, incoming: object) {
      note("existing", existing);
      note("incoming", incoming);
      return { ...existing, ...incoming };
    }
    static validate(record: object) {
      note("validate", record);
    }
  }
  const controller = new Controller();
  const getWatched = new Endpoint(async (id: string) => await Promise.resolve(id), { name: "get", schema: Watched });
  controller.setResponse(getWatched, "1", { ID: "1", n: 1 });
  controller.setResponse(getWatched, "1", { ID: "1", n: 2 });
  controller.get(Watched, "1");
  assert(seen.length > 0 && seen.every(([, isPlain]) => isPlain), JSON.stringify(seen));
  for (const step of ["process", "pk", "existing", "incoming", "validate"]) {
    assert(seen.some(([name]) => name === step), `${step} was not called`);
  }
  const processed = { id: "1", n: 2 };
  assertEquals(seen.filter(([step]) => step === "incoming").at(-1)![2], processed);
  assertEquals(seen.filter(([step]) => step === "validate").at(-1)![2], processed);
});
