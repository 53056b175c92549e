/**
 * Compares writing and reading with a naive model, which merges records with `Object.assign` and joins them again at
 * each read. A read must be equal to the model's, and the same object if the model's is equal to its last one.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize } from "@rejoin/data";
import { randomOf, RUNS } from "./random.ts";

class Person extends Entity {
  id = "";
  name = "";
  born = new Date(0);
  friends: Person[] = [];
  best: Person | undefined = undefined;
  static override key = "Person";
  static override schema = {};
}
class Work extends Entity {
  id = "";
  title = "";
  author: Person | undefined = undefined;
  credits: { cast: Person[]; by: Person | undefined } = { cast: [], by: undefined };
  static override key = "Work";
  static override schema = { author: Person, credits: { cast: [Person], by: Person } };
}
Person.schema = { friends: [Person], best: Person, born: Date };
const page = { works: [Work], featured: Person, next: "" };
const getPage = new Endpoint(() => Promise.resolve(), { name: "getPage", schema: page });

type Rec = Record<string, unknown>;
const REFERENCES = ["friends", "best", "author", "credits", "works", "featured", "cast", "by"];

/** The records by class and id, merged member by member. */
class Model {
  readonly tables: { readonly Person: Map<string, Rec>; readonly Work: Map<string, Rec> } = {
    Person: new Map(),
    Work: new Map(),
  };
  write(value: unknown, table: "Person" | "Work"): string {
    if (typeof value !== "object" || value === null) return String(value);
    const { id, ...members } = value as Rec, rec = this.tables[table].get(`${id}`) ?? {};
    this.tables[table].set(`${id}`, rec);
    for (const [name, one] of Object.entries({ id, ...members })) rec[name] = this.part(name, one);
    return `${id}`;
  }
  part(name: string, value: unknown): unknown {
    if (!REFERENCES.includes(name) || value == null) return value;
    if (name === "credits") {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.part(name, one)]));
    }
    const table = name === "works" ? "Work" : "Person";
    return Array.isArray(value) ? value.map((one) => this.write(one, table)) : this.write(value, table);
  }
  /** A record as a tree of plain values, cut off at a depth because of cycles. */
  read(id: unknown, table: "Person" | "Work", depth: number): unknown {
    const rec = this.tables[table].get(`${id}`),
      defaults: Rec = table === "Work" ? { ...new Work() } : { ...new Person() };
    if (id === null || !rec) return id === null ? null : undefined;
    if (!depth) return `${table} ${id}`;
    return Object.fromEntries(
      Object.entries({ ...defaults, ...rec }).map((
        [name, one],
      ) => [name, name in rec ? this.join(name, one, depth) : one]),
    );
  }
  join(name: string, value: unknown, depth: number): unknown {
    if (name === "born") return new Date(value as string);
    if (!REFERENCES.includes(name) || value == null) return value;
    if (name === "credits") {
      const { cast, by, ...rest } = value as Rec;
      return {
        ...rest,
        cast: cast === undefined ? [] : this.join("cast", cast, depth),
        by: this.join("by", by, depth),
      };
    }
    const table = name === "works" ? "Work" : "Person", one = (id: unknown) => this.read(id, table, depth - 1);
    return Array.isArray(value) ? value.map(one).filter((one) => one !== undefined) : one(value);
  }
}

/** The read value as a tree like the model's. */
function treeOf(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => treeOf(one, depth));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const isRecord = value instanceof Entity;
  if (isRecord && !depth) return `${value.constructor.name} ${Reflect.get(value, "id")}`;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, treeOf(one, isRecord ? depth - 1 : depth)]),
  );
}

/**
 * A random reply. Ids repeat, so that records meet, also in cycles. Each record occurs with members only once, because
 * the order of two occurrences is not specified.
 */
function replyOf(pick: (below: number) => number): Rec {
  const some = <T>(make: () => T): T[] => Array.from({ length: pick(4) }, make);
  const maybe = (members: Rec, name: string, make: () => unknown) => pick(3) && (members[name] = make());
  const whole = new Set<string>(), isNew = (name: string) => whole.size < whole.add(name).size;
  const person = (depth: number): unknown => {
    const id = `${pick(6)}`;
    if (!depth || !pick(4) || !isNew(`Person ${id}`)) return pick(12) ? id : null;
    const members: Rec = { id };
    maybe(members, "name", () => `name ${pick(3)}`);
    maybe(members, "born", () => new Date(pick(3)).toJSON());
    maybe(members, "friends", () => some(() => person(depth - 1)).filter((one) => one !== null));
    maybe(members, "best", () => person(depth - 1));
    return members;
  };
  const work = () => {
    const id = `${pick(4)}`, members: Rec = { id };
    if (!isNew(`Work ${id}`)) return id;
    maybe(members, "title", () => `title ${pick(3)}`);
    maybe(members, "author", () => person(2));
    maybe(members, "credits", () => ({ cast: some(() => person(1)).filter((one) => one !== null), by: person(1) }));
    return members;
  };
  const reply: Rec = { works: some(work) };
  maybe(reply, "featured", () => person(3));
  maybe(reply, "next", () => `${pick(2)}`);
  return reply;
}

Deno.test("what was written reads as in a naive model, and equal is identical", () => {
  for (let seed = 0; seed < RUNS; seed++) {
    const pick = randomOf(seed), controller = new Controller(), model = new Model();
    let last: unknown, lastTree: unknown;
    for (let step = 0; step < 6; step++) {
      const reply = replyOf(pick);
      const text = JSON.stringify(reply);
      controller.setResponse(getPage, reply);
      assertEquals(JSON.stringify(reply), text, "the reply is not changed");
      const kept = Object.fromEntries(Object.entries(reply).map(([name, one]) => [name, model.part(name, one)]));
      const expected = Object.fromEntries(
        Object.entries({ works: [], featured: undefined, next: "", ...kept }).map(([name, one]) => [
          name,
          model.join(name, one, 4),
        ]),
      );
      const { data } = controller.getResponse(getPage), tree = treeOf(data, 3);
      assertEquals(tree, treeOf(expected, 3), `seed ${seed}, step ${step}`);
      controller.setResponse(getPage, JSON.parse(text));
      assertStrictEquals(controller.getResponse(getPage).data, data, `seed ${seed}, step ${step}`);
      if (last && JSON.stringify(tree) !== JSON.stringify(lastTree)) assert(last !== data);
      [last, lastTree] = [data, tree];
      const { result, entities } = normalize(page, reply);
      assertEquals(JSON.stringify(normalize(page, reply, [], { entities })), JSON.stringify({ result, entities }));
      assert(denormalize(page, result, entities));
    }
  }
});
