/**
 * Long collections are read by what turned: after every change they hold what a look at each of their items gives, and are
 * the very array, or object, of before when that is the same.
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs } from "../support/property.ts";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

const list = new schema.Collection([Todo]);
const named = new schema.Collection(new schema.Values(Todo));
const endpointOf = <S extends schema.Collection<never> | schema.CollectionChange<never>>(name: string, declared: S) =>
  new Endpoint(async (..._args: readonly unknown[]) => await Promise.resolve(), {
    name,
    schema: declared as unknown as undefined,
    sideEffect: true,
  });
const [push, unshift, remove, assign, removeNamed] = [
  endpointOf("push", list.push as never),
  endpointOf("unshift", list.unshift as never),
  endpointOf("remove", list.remove as never),
  endpointOf("assign", named.assign as never),
  endpointOf("remove named", named.remove as never),
];
const removal = new schema.Invalidate(Todo);

const KINDS = ["set", "set", "delete", "revive", "push", "unshift", "remove", "remove", "move", "refetch"] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly to: number;
}

const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(70), to: fc.nat(70) });

class Session {
  readonly controller = new Controller();
  readonly rows = readerOf<readonly Todo[]>(this.controller, list, {});
  readonly names = readerOf<{ readonly [name: string]: Todo }>(this.controller, named, {});
  ids: string[];
  /** Those that were deleted: the lists name them still. */
  readonly gone = new Set<string>();
  #titles = 0;

  constructor(size: number) {
    this.ids = Array.from({ length: size }, (_, at) => `t${at}`);
    this.#write();
  }

  /** A full answer, of what is there and of pks of what is not. */
  #write(): void {
    const items = this.ids.map((id) => this.gone.has(id) ? id : { id });
    this.controller.set(list, {}, items);
    this.controller.set(named, {}, Object.fromEntries(this.ids.map((id, at) => [id, items[at]])));
  }

  do({ kind, at, to }: Step): void {
    const { controller, gone, ids } = this;
    const id = kind === "push" || kind === "unshift" ? `t${at}` : ids[at % Math.max(1, ids.length)] ?? "t0";
    const title = `title ${++this.#titles}`;
    switch (kind) {
      case "delete":
        gone.add(id);
        return controller.set(removal, id);
      case "set":
      case "revive": {
        const who = kind === "set" ? id : [...gone][at % Math.max(1, gone.size)] ?? id;
        gone.delete(who);
        return controller.set(Todo, who, { id: who, title });
      }
      case "push":
      case "unshift":
        gone.delete(id);
        controller.setResponse(kind === "push" ? push! : unshift!, {}, { id, title });
        controller.setResponse(assign!, {}, { [id]: { id, title } });
        if (!ids.includes(id)) this.ids = kind === "push" ? [...ids, id] : [id, ...ids];
        return;
      case "remove":
        controller.setResponse(remove!, {}, id);
        controller.setResponse(removeNamed!, {}, id);
        this.ids = ids.filter((other) => other !== id);
        return;
      case "move":
        this.ids = ids.filter((other) => other !== id);
        this.ids.splice(to, 0, id);
        return this.#write();
      case "refetch":
        return this.#write();
    }
  }

  verify(before: { rows: readonly Todo[]; names: { readonly [name: string]: Todo } }): void {
    const { controller, gone, ids } = this;
    const expected = ids.filter((id) => !gone.has(id)).map((id) => controller.get(Todo, id)!);
    const rows = this.rows.value;
    assert(rows.length === expected.length && rows.every((todo, at) => todo === expected[at]), "the rows");
    const isSame = before.rows.length === rows.length && before.rows.every((todo, at) => todo === rows[at]);
    assertEquals(before.rows === rows, isSame, "the array of before");
    const names = this.names.value;
    assertEquals(Object.keys(names).sort(), expected.map(({ id }) => id).sort());
    for (const [name, todo] of Object.entries(names)) assert(todo === controller.get(Todo, name), name);
    const wasSame = JSON.stringify(Object.keys(before.names)) === JSON.stringify(Object.keys(names)) &&
      Object.entries(names).every(([name, todo]) => before.names[name] === todo);
    assertEquals(before.names === names, wasSame, "the object of before");
  }
}

Deno.test("a long collection holds what a look at each of its items gives, and is the same while that is", async () => {
  const script = fc.array(step, { minLength: 1, maxLength: 30, size: "max" });
  const property = breathing(fc.constantFrom(2, 40, 60), script, (size, script) => {
    const session = new Session(size);
    for (const each of script) {
      const before = { rows: session.rows.value, names: session.names.value };
      session.do(each);
      session.verify(before);
    }
  });
  await check(property, { name: "collection_rows", runs: runs(1_000, 50_000) });
});
