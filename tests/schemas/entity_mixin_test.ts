import { assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import {
  type AnyEntity,
  Controller,
  denormalize,
  Entity,
  EntityMixin,
  normalize,
  schema,
  validateRequired,
} from "@rejoin/data";
import { isEntity } from "../../src/store/schema.ts";
import { same } from "../support/same.ts";

/** A class of another library, with a private field, a getter, a setter, statics, and a parameter. */
class Person {
  static readonly species: string = "homo sapiens";
  static merge(): never {
    throw new Error("The base has a merge of its own, which is something else");
  }
  login = "";
  given = "";
  family = "";
  readonly #salutation: string;
  constructor(salutation: string = "Dear") {
    this.#salutation = salutation;
  }
  get name(): string {
    return `${this.given} ${this.family}`;
  }
  set name(_name: string) {
    throw new Error("Data must never reach a setter");
  }
  letter(): string {
    return `${this.#salutation} ${this.name}`;
  }
}

const ada = { login: "ada", given: "Ada", family: "Lovelace" };

function read<E extends AnyEntity>(entity: E, record: object): E["prototype"] {
  const { result, entities } = normalize(entity, record);
  return denormalize(entity, result, entities) as E["prototype"];
}

Deno.test("EntityMixin makes an entity of a class: instances belong to both, and private fields and getters work", () => {
  class User extends EntityMixin(Person, { pk: "login", key: "User" }) {
    isAdmin = false;
  }
  const user = read(User, { ...ada, isAdmin: true });
  same<typeof user, User>();
  assertInstanceOf(user, User);
  assertInstanceOf(user, Person);
  assertEquals([user.letter(), user.isAdmin, user.pk()], ["Dear Ada Lovelace", true, "ada"]);
  assertEquals([User.key, User.species, isEntity(User), user instanceof Entity], ["User", "homo sapiens", true, false]);
});

Deno.test("EntityMixin takes all statics as options, and needs no subclass", () => {
  const User = EntityMixin(Person, {
    pk: (value, _parent, _key, args) => args?.[0] === "upper" ? value.login.toUpperCase() : value.login,
    key: "User",
    schema: { joined: Date },
    process: (value: object) => ({ ...value, processed: true }),
    merge: (existing: object, incoming: object) => ({ ...existing, ...incoming, merged: true }),
    validate: (record: object) => validateRequired(record, { given: "" }),
  });
  const { result, entities } = normalize([User], [{ login: "ada" }, ada], ["upper"]);
  assertEquals(result, ["ADA", "ADA"]);
  assertEquals(entities.User!.ADA, { ...ada, processed: true, merged: true });
  assertEquals(denormalize(User, "ADA", entities)!.letter(), "Dear Ada Lovelace");
  assertEquals(denormalize(User, "x", { User: { x: { login: "x" } } }), undefined);
  assertEquals([User.name, new User("Hello").letter()], ["Person", "Hello  "]);
});

Deno.test("EntityMixin uses the pk() of the base, else its member `id`", () => {
  class Tagged {
    tag = "";
    pk(): string {
      return `#${this.tag}`;
    }
  }
  class Numbered {
    id = 0;
  }
  assertEquals(normalize(EntityMixin(Tagged, { key: "Tagged" }), { tag: "a" }).result, "#a");
  assertEquals(normalize(EntityMixin(Numbered, { key: "Numbered" }), { id: 7 }).result, "7");
  class Own extends EntityMixin(Person, { key: "Own" }) {
    pk() {
      return this.family;
    }
  }
  assertEquals(normalize(Own, ada).result, "Lovelace");
});

Deno.test("EntityMixin replaces statics of the base with those of an entity, unless the base is an entity", () => {
  const User = EntityMixin(Person, { pk: "login", key: "User" });
  assertEquals(Object.keys(normalize([User], [ada, ada]).entities.User!), ["ada"]);
  class Film extends Entity {
    id = "";
    title = "";
    static key = "Film";
    static pk(value: { id: string }) {
      return `film ${value.id}`;
    }
    static validate(record: object) {
      return validateRequired(record, { title: "" });
    }
  }
  const Detail = EntityMixin(Film, { pk: "title" });
  assertStrictEquals(Detail.validate, Film.validate);
  assertEquals([Detail.key, normalize(Detail, { id: "1", title: "Solaris" }).result], ["Film", "Solaris"]);
  assertEquals(normalize(Film, { id: "1", title: "Solaris" }).result, "film 1");
});

Deno.test("a subclass of EntityMixin replaces statics without `override`, and `super` reaches them", () => {
  class User extends EntityMixin(Person, { pk: "login", validate: (record: object) => validateRequired(record, ada) }) {
    static key = "User";
    static schema = { self: Date };
    static validate(record: object) {
      return super.validate(record) || "never";
    }
    static process(value: object) {
      return { ...super.process(value, value, undefined, []), given: "Augusta" };
    }
  }
  assertEquals([User.validate({}), User.validate(ada)], ["Missing key login", "never"]);
  assertEquals(normalize(User, ada).entities.User!.ada!.given, "Augusta");
});

Deno.test("EntityMixin stores members with names of the base's prototype, and calls no setter with them", () => {
  class User extends EntityMixin(Person, { pk: "login", key: "User" }) {}
  const hostile = JSON.parse(
    `{"login": "ada", "name": "x", "letter": 1, "__proto__": {"isAdmin": true}, "constructor": 2}`,
  );
  const { entities } = normalize(User, hostile);
  const user = denormalize(User, "ada", entities)!;
  assertEquals(JSON.stringify(entities.User!.ada), JSON.stringify(hostile));
  assertEquals([user.name, user.letter(), "isAdmin" in user], [" ", "Dear  ", false]);
  assertEquals(User.fromJS({ login: "x" }).letter(), "Dear  ");
});

Deno.test("a class of EntityMixin works nested in entities, in arrays, in All and in reads by pk", () => {
  class User extends EntityMixin(Person, { pk: "login", key: "User" }) {}
  class Team extends Entity {
    id = "";
    lead = User.fromJS();
    members: User[] = [];
    static key = "Team";
    static schema = { lead: User, members: [User] };
  }
  const controller = new Controller();
  controller.set(Team, "1", { id: "1", lead: ada, members: [ada, "bob"] } as never);
  const team = controller.get(Team, "1")!;
  assertStrictEquals(team.lead, team.members[0]);
  assertEquals([team.lead.letter(), team.members.length], ["Dear Ada Lovelace", 1]);
  assertEquals(controller.get(new schema.All(User))!.length, 1);
  assertStrictEquals(controller.get(User, { login: "ada" }), team.lead);
});
