/**
 * Random schemas of the whole language, values that fit them, and what a reader must get of these: slow and obvious.
 *
 * A value is made of a *world*: a number of entities, each with one set of members, that refer to each other through every
 * kind of schema, forwards and back. Wherever one occurs, it is the same object, a copy, or its bare pk.
 *
 * @module
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Entity, type EntityStatics, type FieldSchemas, Query, type Schema, schema } from "@rejoin/data";
import type { Chance } from "./hostile.ts";

/** What stands somewhere: a schema, as data. */
export type Shape =
  | { readonly kind: "entity"; readonly at: number }
  | { readonly kind: "union"; readonly of: readonly number[] }
  | { readonly kind: "array" | "schemaArray"; readonly of: Shape }
  | { readonly kind: "object" | "schemaObject"; readonly members: readonly (readonly [string, Shape])[] }
  | { readonly kind: "values"; readonly of: Shape }
  | { readonly kind: "list" | "named"; readonly of: Shape; readonly id: number }
  | { readonly kind: "lazy" | "query" | "count"; readonly of: Shape }
  | { readonly kind: "date" | "wrap" }
  | { readonly kind: "literal"; readonly value: string | number | null };

/** How large a language may be. */
export interface LanguageSize {
  /** How many entity classes, at least 1. */
  readonly classes: number;
  /** How many members of each have a schema. */
  readonly fields: number;
  /** How deep schemas nest between two entities. */
  readonly depth: number;
}

type Members = Record<string, unknown>;

const FIELDS: readonly string[] = ["f0", "f1", "f2", "length", "name", "\u2028", "then"];
const NAMES: readonly string[] = ["a", "b", "1", "__proto__", "toString", "constructor", ""];

/** A schema and the classes that it is made of. */
export class Language {
  /** What a response is. */
  readonly schema: Schema;
  /** The same as data. */
  readonly root: Shape;
  readonly classes: readonly EntityStatics[];
  /** The members of each class that have a schema. */
  readonly fields: readonly (readonly (readonly [string, Shape])[])[];
  readonly #chance: Chance;
  readonly #schemas = new Map<Shape, Schema>();
  #collections = 0;

  /**
   * @param chance Decides everything.
   * @param size How large it may be.
   */
  constructor(chance: Chance, { classes, fields, depth }: LanguageSize) {
    this.#chance = chance;
    this.classes = Array.from({ length: classes }, (_, at) => makeClass(at, chance.below(3) === 0));
    this.fields = this.classes.map(() => {
      const names = FIELDS.slice(0, chance.below(fields + 1));
      const shapes = names.map((name): readonly [string, Shape] => [name, this.#shape(depth, false)]);
      return [...shapes, ["links", { kind: "array", of: this.#entity() }]];
    });
    this.classes.forEach((entity, at) => {
      const declared = this.fields[at]!.map(([name, shape]) => [name, this.schemaOf(shape)] as const);
      Object.defineProperty(entity, "schema", { value: Object.fromEntries(declared) as FieldSchemas });
    });
    const all = this.classes.map((_, at): readonly [string, Shape] => [
      `all ${at}`,
      { kind: "array", of: { kind: "entity", at } },
    ]);
    this.root = { kind: "object", members: [["top", this.#shape(depth, false)], ...all] };
    this.schema = this.schemaOf(this.root);
  }

  #entity(): Shape {
    return { kind: "entity", at: this.#chance.below(this.classes.length) };
  }

  #item(): Shape {
    const chance = this.#chance;
    if (chance.below(3) > 0) return this.#entity();
    return { kind: "union", of: this.classes.map((_, at) => at).filter((at) => at === 0 || chance.below(2) === 0) };
  }

  /** @param isRepeated It stands several times in one entity: there is no place for more than one list of its own. */
  #shape(depth: number, isRepeated: boolean): Shape {
    const chance = this.#chance;
    const kind = chance.below(depth > 0 ? 16 : 4);
    if (kind < 2) return this.#item();
    if (kind === 2) return { kind: "date" };
    if (kind === 3) return { kind: "wrap" };
    if (kind < 7) {
      return { kind: chance.below(2) ? "array" : "schemaArray", of: this.#shape(depth - 1, true) };
    }
    if (kind < 9) {
      const members = chance.several(2, () => this.#shape(depth - 1, isRepeated))
        .map((shape, at): readonly [string, Shape] => [`m${at}`, shape]);
      const literal: Shape = { kind: "literal", value: chance.pick(["text", 0, null]) };
      return {
        kind: chance.below(2) ? "object" : "schemaObject",
        members: [["first", this.#shape(depth - 1, isRepeated)], ...members, ["literal", literal]],
      };
    }
    if (kind < 11) return { kind: "values", of: this.#shape(depth - 1, true) };
    if (kind < 13 && !isRepeated) {
      return { kind: chance.below(2) ? "list" : "named", of: this.#item(), id: this.#collections++ };
    }
    if (kind === 13) return { kind: "lazy", of: this.#plain(depth - 1) };
    if (kind === 14) return { kind: "query", of: this.#shape(depth - 1, isRepeated) };
    return { kind: "count", of: { kind: "array", of: this.#shape(depth - 1, true) } };
  }

  /** What is kept as itself: containers of pks. */
  #plain(depth: number): Shape {
    const chance = this.#chance;
    if (depth <= 0 || chance.below(2)) return this.#item();
    if (chance.below(2)) return { kind: "array", of: this.#plain(depth - 1) };
    return { kind: "values", of: this.#plain(depth - 1) };
  }

  /** The schema of a shape: always the same one. */
  schemaOf(shape: Shape): Schema {
    let made = this.#schemas.get(shape);
    if (made === undefined) this.#schemas.set(shape, made = this.#make(shape));
    return made;
  }

  #make(shape: Shape): Schema {
    switch (shape.kind) {
      case "entity":
        return this.classes[shape.at]!;
      case "union":
        return new schema.Union(Object.fromEntries(shape.of.map((at) => [`tag ${at}`, this.classes[at]!])), "type");
      case "array":
        return [this.schemaOf(shape.of)];
      case "schemaArray":
        return new schema.Array(this.schemaOf(shape.of));
      case "object":
      case "schemaObject": {
        const members = Object.fromEntries(shape.members.map(([name, member]) => [
          name,
          member.kind === "literal" ? member.value : this.schemaOf(member),
        ]));
        return shape.kind === "object" ? members as Schema : new schema.Object(members);
      }
      case "values":
        return new schema.Values(this.schemaOf(shape.of));
      case "list":
        return new schema.Collection([this.schemaOf(shape.of)], { key: `list ${shape.id}` });
      case "named":
        return new schema.Collection(new schema.Values(this.schemaOf(shape.of)), { key: `named ${shape.id}` });
      case "lazy":
        return new schema.Lazy(this.schemaOf(shape.of));
      case "query":
        return new Query(this.schemaOf(shape.of));
      case "count":
        return new Query(this.schemaOf(shape.of), (items) => ({ count: (items as readonly unknown[]).length }));
      case "date":
        return Date;
      case "wrap":
        return (value: unknown) => ({ wrapped: value });
      case "literal":
        throw new Error("a literal is no schema");
    }
  }
}

/** Every third class has a merge that concatenates. */
function makeClass(at: number, concatenates: boolean): EntityStatics {
  class Random extends Entity {
    id = "";
    type = "";
    static key = `T${at}`;
  }
  if (concatenates) {
    Random.merge = (existing: { links?: unknown[] }, incoming: { links?: unknown[] }) => ({
      ...existing,
      ...incoming,
      ...incoming.links && { links: [...existing.links ?? [], ...incoming.links] },
    });
  }
  return Random as unknown as EntityStatics;
}

/** Entities with their members, and a response that is made of them. */
export class World {
  /** A response that fits the schema of the language. */
  readonly value: Members;
  /** By class: every entity, as the server would send it. */
  readonly entities: readonly (readonly Members[])[];
  readonly #chance: Chance;

  /**
   * @param language What it fits.
   * @param chance Decides everything.
   * @param size How many entities, at least 1.
   */
  constructor(language: Language, chance: Chance, size: number) {
    this.#chance = chance;
    const entities: Members[][] = language.classes.map(() => []);
    for (let id = 0; id < size; id++) {
      const at = chance.below(entities.length);
      entities[at]!.push({
        id: chance.below(3) ? `${id}` : `id ${id}`,
        type: `tag ${at}`,
        n: chance.pick([0, "n", null]),
      });
    }
    this.entities = entities;
    entities.forEach((of, at) => {
      for (const entity of of) {
        for (const [name, shape] of language.fields[at]!) {
          // Absent now and then: then the class says what it is.
          if (chance.below(6) === 0) continue;
          const value = name === "links" ? this.#value(shape) : this.#nullable(shape);
          // A list that is concatenated holds records: what is none, it would hold once more each time.
          entity[name] = name === "links" ? (value as unknown[]).filter((item) => item !== null) : value;
        }
      }
    });
    const { members } = language.root as { members: readonly (readonly [string, Shape])[] };
    const all = entities.map((of, at) => [members[at + 1]![0], of]);
    this.value = { top: this.#value(members[0]![1]), ...Object.fromEntries(all) };
  }

  #nullable(shape: Shape): unknown {
    return this.#chance.below(15) === 0 ? null : this.#value(shape);
  }

  #value(shape: Shape): unknown {
    const chance = this.#chance;
    switch (shape.kind) {
      case "entity": {
        const of = this.entities[shape.at]!;
        if (of.length === 0) return null;
        const entity = chance.pick(of);
        const form = chance.below(5);
        return form === 0 ? entity.id : entity;
      }
      case "union": {
        const of = this.entities[chance.pick(shape.of)]!;
        if (of.length > 0 && chance.below(8) > 0) return chance.pick(of);
        return chance.pick([null, { type: "no tag", x: 1 }, "text", { x: { y: [] } }]);
      }
      case "array":
      case "schemaArray":
        return once(chance.several(3, () => this.#nullable(shape.of)));
      case "list":
        return once(chance.several(4, () => this.#value(shape.of)).filter((item) => item !== null));
      case "values":
      case "named":
        return Object.fromEntries(chance.several(3, () => [chance.pick(NAMES), this.#value(shape.of)] as const));
      case "object":
      case "schemaObject":
        return Object.fromEntries(
          shape.members.filter(([, { kind }]) => kind !== "literal" || chance.below(2) > 0)
            .map(([name, member]) => [name, member.kind === "literal" ? "given" : this.#nullable(member)]),
        );
      case "lazy":
      case "query":
      case "count":
        return this.#value(shape.of);
      case "date":
        return chance.pick(["2026-01-02T03:04:05.000Z", new Date(86_400_000), 1_000]);
      case "wrap":
        return chance.pick(["text", 1, true]);
      case "literal":
        return "given";
    }
  }
}

/** A list of entities names each once. */
function once(items: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const named = item as Partial<Members> | null;
    const identity = typeof item === "object" && typeof named?.id === "string" ? named.id : item;
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}

/**
 * Whether what was read is what was written: every object where it belongs, an entity as one instance wherever it occurs.
 *
 * @param language What it was written and read by.
 * @param world What was written.
 * @param read What a reader got.
 * @returns The instance of each entity.
 * @throws {AssertionError} With the path of what differs.
 */
export function assertRead(language: Language, world: World, read: unknown): Map<Members, object> {
  const instances = new Map<Members, object>();
  const stack: (readonly [shape: Shape, value: unknown, read: unknown, path: string])[] = [
    [language.root, world.value, read, ""],
  ];
  const byId = world.entities.map((of) => new Map(of.map((entity) => [entity.id, entity])));
  const expectEntity = (at: number, value: unknown, read: unknown, path: string): void => {
    const entity = typeof value === "string" ? byId[at]!.get(value)! : value as Members;
    const instance = instances.get(entity);
    if (instance !== undefined) return assertStrictEquals(read, instance, `${path}: one instance`);
    assert(typeof read === "object" && read !== null, `${path} is ${read}`);
    assertStrictEquals(Object.getPrototypeOf(read), language.classes[at]!.prototype, path);
    instances.set(entity, read);
    for (const name of ["id", "type", "n"]) {
      assertStrictEquals((read as Members)[name], entity[name], `${path}.${name}`);
    }
    for (const [name, shape] of language.fields[at]!) {
      if (Object.hasOwn(entity, name)) stack.push([shape, entity[name], (read as Members)[name], `${path}.${name}`]);
      else assert((read as Members)[name] === undefined, `${path}.${name} is absent`);
    }
  };
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [shape, value, read, path] = next;
    if (value === null) {
      assertStrictEquals(read, null, path);
      continue;
    }
    switch (shape.kind) {
      case "entity":
        expectEntity(shape.at, value, read, path);
        break;
      case "union": {
        const tag = typeof value === "object" ? String((value as Members).type) : "";
        const at = shape.of.find((one) => `tag ${one}` === tag);
        if (at === undefined) assertEquals(read, value, path);
        else expectEntity(at, value, read, path);
        break;
      }
      case "array":
      case "schemaArray":
      case "list": {
        const items = value as readonly unknown[];
        assert(Array.isArray(read), `${path} is no array`);
        assertEquals(read.length, items.length, `${path}.length`);
        items.forEach((item, at) => stack.push([shape.of, item, read[at], `${path}[${at}]`]));
        break;
      }
      case "values":
      case "named": {
        assertEquals(Object.keys(read as object).sort(), Object.keys(value as object).sort(), path);
        for (const [name, item] of Object.entries(value as object)) {
          const own = Object.getOwnPropertyDescriptor(read, name)!.value;
          stack.push([shape.of, item, own, `${path}.${name}`]);
        }
        break;
      }
      case "object":
      case "schemaObject":
        for (const [name, member] of shape.members) {
          const own = (read as Members)[name];
          if (member.kind !== "literal") stack.push([member, (value as Members)[name], own, `${path}.${name}`]);
          else {assertStrictEquals(
              own,
              Object.hasOwn(value as object, name) ? "given" : member.value,
              `${path}.${name}`,
            );}
        }
        break;
      case "lazy":
        assertEquals(read, keysOf(shape.of, value), `${path}: keys`);
        break;
      case "query":
        stack.push([shape.of, value, read, path]);
        break;
      case "count":
        assertEquals(read, { count: (value as readonly unknown[]).length }, path);
        break;
      case "date":
        assert(read instanceof Date && read.getTime() === new Date(value as string).getTime(), `${path} is ${read}`);
        break;
      case "wrap":
        assertEquals(read, { wrapped: value }, path);
        break;
      default:
        assertEquals(read, value, path);
    }
  }
  return instances;
}

/**
 * The entities that the object of one entity is made of, itself included: what it holds, and what queries in it compute
 * from; not what a `Lazy` keeps.
 *
 * @param language What says so.
 * @param world Where it stands.
 * @param at Its class.
 * @param entity As the server sent it.
 */
export function partsOf(language: Language, world: World, at: number, entity: Members): ReadonlySet<Members> {
  const parts = new Set<Members>();
  const stack: (readonly [shape: Shape, value: unknown])[] = [[{ kind: "entity", at }, entity]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [shape, value] = next;
    if (value === null || value === undefined || shape.kind === "lazy") continue;
    if (shape.kind === "entity") {
      const part = typeof value === "string"
        ? world.entities[shape.at]!.find(({ id }) => id === value)!
        : value as Members;
      if (parts.has(part)) continue;
      parts.add(part);
      for (const [name, field] of language.fields[shape.at]!) stack.push([field, part[name]]);
    } else if (shape.kind === "union") {
      const tagged = shape.of.find((one) => `tag ${one}` === (value as Members).type);
      if (tagged !== undefined) stack.push([{ kind: "entity", at: tagged }, value]);
    } else if ("members" in shape) {
      for (const [name, member] of shape.members) stack.push([member, (value as Members)[name]]);
    } else if (shape.kind === "query" || shape.kind === "count") {
      stack.push([shape.of, value]);
    } else if ("of" in shape) {
      for (const item of Object.values(value)) stack.push([shape.of, item]);
    }
  }
  return parts;
}

/** What is kept of a value that a `Lazy` does not read. */
function keysOf(shape: Shape, value: unknown): unknown {
  if (value === null || typeof value === "string") return value;
  switch (shape.kind) {
    case "entity":
      return (value as Members).id;
    case "union": {
      const { id, type } = value as Members;
      return shape.of.some((at) => `tag ${at}` === type) ? { id, schema: type } : value;
    }
    case "array":
      return (value as readonly unknown[]).map((item) => keysOf(shape.of, item));
    case "values":
      return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, keysOf(shape.of, item)]));
    default:
      throw new Error(`no keys of ${shape.kind}`);
  }
}

/** Freezes a value and all that is in it: whoever writes to it throws. */
export function deepFreeze<T>(value: T): T {
  const stack: unknown[] = [value];
  for (let at = stack.pop(); at !== undefined || stack.length > 0; at = stack.pop()) {
    if (typeof at !== "object" || at === null || Object.isFrozen(at)) continue;
    Object.freeze(at);
    stack.push(...Object.values(at));
  }
  return value;
}
