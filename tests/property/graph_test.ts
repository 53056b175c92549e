/**
 * Identity and validity against a naive model: an object is another one exactly when a record that is reachable from it
 * has changed, and no object ever holds one that is incomplete.
 */
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, Query, schema } from "@rejoin/data";
import { type Reader, readerOf } from "../contracts/reader.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs } from "../support/property.ts";

const NOBODY = { id: "nobody" } as unknown as Node;

class Node extends Entity {
  id = "";
  n = 0;
  bad = false;
  next: Node | undefined = undefined;
  needs: Node = NOBODY;
  list: Node[] = [];
  deep: { one?: Node | undefined; many: Node[] } = { many: [] };
  pk() {
    return this.id;
  }
  static key = "Node";
  static schema: {
    next: typeof Node;
    needs: typeof Node;
    list: (typeof Node)[];
    deep: { one: typeof Node; many: (typeof Node)[] };
  };
  static validate(record: { bad?: boolean }) {
    return record.bad === true;
  }
}
Node.schema = { next: Node, needs: Node, list: [Node], deep: { one: Node, many: [Node] } };

/** The same records, of which it embeds nothing and refuses none. */
class Brief extends Entity {
  id = "";
  n = 0;
  pk() {
    return this.id;
  }
  static key = "Node";
}

const write = new Endpoint(async (_body: unknown) => await Promise.resolve(), {
  name: "write",
  schema: [Node],
  sideEffect: true,
});
const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Node),
  sideEffect: true,
});
const getAll = new Query(new schema.All(Node));

interface Row {
  n?: number;
  bad?: boolean;
  next?: string | null;
  needs?: string | null;
  list?: readonly string[];
  deep?: { one?: string | null | undefined; many: readonly string[] };
}

/** One step: what is written, deleted or written again, and who looks afterwards. */
interface Step {
  readonly kind: "write" | "delete" | "again" | "nested";
  readonly id: string;
  readonly row: Row;
  readonly readers: number;
}

const SIZE = 9;
const ids = Array.from({ length: SIZE }, (_, index) => String(index));
/** One that never arrives. */
const id = fc.constantFrom(...ids, "never");
const rows: fc.Arbitrary<Row> = fc.record({
  n: fc.nat(2),
  bad: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  next: fc.option(id),
  needs: fc.option(id),
  list: fc.array(id, { maxLength: 4 }),
  deep: fc.record({ one: fc.option(id), many: fc.array(id, { maxLength: 2 }) }),
}, { requiredKeys: [] });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("write", "write", "write", "delete", "again", "nested"),
    id: fc.constantFrom(...ids),
    row: rows,
    readers: fc.nat(2 ** SIZE - 1),
  }),
  { minLength: 1, maxLength: 60, size: "max" },
);

/** What must be, computed anew each time in the simplest way. */
class Model {
  readonly rows = new Map<string, Row>();
  /** What was deleted, and is not named since by what needs it. */
  readonly deleted = new Set<string>();
  readonly versions = new Map<string, number>();
  /** How often a record has come and gone, as its class sees it. */
  readonly turns = new Map<string, number>();
  #version = 0;
  #complete: ReadonlySet<string> = new Set();

  write(id: string, row: Row): void {
    this.deleted.delete(id);
    for (const named of [row.needs, row.deep?.one]) if (typeof named === "string") this.deleted.delete(named);
    const before = this.rows.get(id);
    const clean = { ...row, ...(row.list === undefined ? {} : { list: [...new Set(row.list)] }) };
    const after = { ...before, ...clean };
    if (before !== undefined && JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))) return;
    this.rows.set(id, after);
    this.versions.set(id, ++this.#version);
  }

  delete(id: string): void {
    this.rows.delete(id);
    this.deleted.add(id);
  }

  /** The records that have all they require: what is left when nothing more can be taken away. */
  complete(): Set<string> {
    const complete = new Set([...this.rows].filter(([, row]) => !row.bad).map(([id]) => id));
    for (let changed = true; changed;) {
      changed = false;
      for (const id of complete) {
        const { needs } = this.rows.get(id)!;
        if (typeof needs !== "string" || complete.has(needs)) continue;
        // What was never here is missed by nobody.
        if (this.rows.has(needs) || this.deleted.has(needs)) changed = complete.delete(id);
      }
    }
    for (const id of ids) {
      if (complete.has(id) !== this.#complete.has(id)) this.turns.set(id, (this.turns.get(id) ?? 0) + 1);
    }
    return this.#complete = complete;
  }

  /** Everything that an object is made of: the versions of the records in it, and which of their references it shows. */
  signature(root: string, complete: ReadonlySet<string>): string | undefined {
    return this.#sign(root, complete, () => "");
  }

  /** The same, with how often each has come and gone: an object that missed one, or was gone itself, may be made again. */
  history(root: string, complete: ReadonlySet<string>): string | undefined {
    return this.#sign(root, complete, (id) => `#${this.turns.get(id)}`);
  }

  #sign(root: string, complete: ReadonlySet<string>, turnsOf: (id: string) => string): string | undefined {
    if (!complete.has(root)) return undefined;
    const seen = new Set([root]);
    for (const id of seen) for (const kid of refs(this.rows.get(id)!)) if (complete.has(kid)) seen.add(kid);
    return [...seen].sort().map((id) => {
      const shown = refs(this.rows.get(id)!).map((kid) => complete.has(kid) ? kid : `-${turnsOf(kid)}`);
      return `${id}@${this.versions.get(id)}${turnsOf(id)} ${shown.join()}`;
    }).join("; ");
  }
}

function sorted(row: Row): unknown {
  return Object.entries(row).sort(([a], [b]) => a < b ? -1 : 1);
}

function refs(row: Row): string[] {
  return [row.next, row.needs, ...row.list ?? [], row.deep?.one, ...row.deep?.many ?? []]
    .filter((id) => typeof id === "string");
}

/** Compares an object with the model, and what it holds with what everybody reads. */
function assertHolds(node: Node, model: Model, complete: ReadonlySet<string>, object: (id: string) => unknown): void {
  const row = model.rows.get(node.id)!;
  const one = (id: string | null | undefined) => typeof id === "string" ? object(id) : id;
  const many = (list: readonly string[]) => list.filter((id) => complete.has(id)).map(object);
  const same = (actual: readonly unknown[], expected: readonly unknown[]) => {
    assertEquals(actual.length, expected.length);
    actual.forEach((item, index) => assertStrictEquals(item, expected[index]));
  };
  assertEquals([node.n, node.bad], [row.n ?? 0, row.bad ?? false]);
  assertStrictEquals(node.next, one(row.next));
  assertStrictEquals(node.needs, row.needs === undefined ? NOBODY : one(row.needs));
  same(node.list, many(row.list ?? []));
  if (row.deep === undefined) return;
  assertStrictEquals(node.deep.one, one(row.deep.one));
  same(node.deep.many, many(row.deep.many));
}

function play(script: readonly Step[], strict: boolean): void {
  const controller = new Controller({ strict });
  const model = new Model();
  const last = new Map<
    string,
    { object: Node | undefined; signature: string | undefined; history: string | undefined }
  >();
  const briefs = new Map<string, { object: Brief | undefined; version: number | undefined }>();
  const watched = new Map<string, { reader: Reader<unknown>; told: number; signature: string | undefined }>();
  for (const id of ids.slice(0, 4)) {
    watched.set(id, { reader: readerOf(controller, Node, id), told: 0, signature: undefined });
  }
  for (const { kind, id, row, readers } of script) {
    if (kind === "delete") {
      model.delete(id);
      controller.setResponse(remove, id, id);
    } else if (kind === "again") {
      controller.setResponse(write, id, [...model.rows].map(([id, row]) => ({ id, ...structuredClone(row) })));
      for (const [id, row] of model.rows) model.write(id, row);
    } else if (kind === "nested") {
      // The row arrives inside another one.
      const outer = String((Number(id) + 1) % SIZE);
      model.write(outer, { next: id });
      model.write(id, row);
      controller.setResponse(write, id, [{ id: outer, next: { id, ...row } }]);
    } else {
      model.write(id, row);
      controller.setResponse(write, id, [{ id, ...row }]);
    }
    const complete = model.complete();
    for (const [id, watch] of watched) {
      const signature = model.signature(id, complete);
      if (signature !== watch.signature) watch.told++;
      watch.signature = signature;
      assertEquals(watch.reader.told, watch.told, `${id} was told ${watch.reader.told} times, not ${watch.told}`);
    }
    const object = (id: string) => controller.get(Node, id);
    for (let index = 0; index < SIZE; index++) {
      if ((readers >> index) % 2 === 0) continue;
      const id = ids[index]!;
      const node = object(id);
      const signature = model.signature(id, complete);
      const history = model.history(id, complete);
      assertEquals(node !== undefined, signature !== undefined, `${id} is complete: ${signature !== undefined}`);
      const before = last.get(id);
      if (before !== undefined && before.object !== undefined && node !== undefined) {
        if (before.signature !== signature) assertNotStrictEquals(node, before.object);
        else if (before.history === history) assertStrictEquals(node, before.object);
      }
      last.set(id, { object: node, signature, history });
      if (node !== undefined) assertHolds(node, model, complete, object);
      const brief = controller.get(Brief, id);
      const version = model.rows.has(id) ? model.versions.get(id) : undefined;
      const beforeBrief = briefs.get(id);
      if (beforeBrief !== undefined) assertEquals(beforeBrief.object === brief, beforeBrief.version === version);
      briefs.set(id, { object: brief, version });
    }
    if (readers % 3 === 0) {
      const all = controller.get(getAll) ?? [];
      assertEquals(all.map(({ id }) => id).sort(), [...complete].sort());
      for (const node of all) assertStrictEquals(node, object(node.id));
    }
  }
}

Deno.test("an object is new exactly when a record that is reachable from it has changed, and holds nothing incomplete", async () => {
  const property = breathing(steps, fc.boolean(), (script, strict) => play(script, strict));
  await check(property, { name: "graph_identity", runs: runs(300, 30_000) });
});

const step = (id: string, row: Row, readers = 0): Step => ({ kind: "write", id, row, readers });

Deno.test("an object follows a part that somebody else has read anew, though the part is dirty again and comes out the same", () => {
  // 0 is read; 1 in it arrives and is read alone; what 1 may hold arrives, and is refused. Then 0 is read.
  play([
    step("5", { next: "6" }, 2 ** 5),
    step("6", { list: ["7"] }, 2 ** 6),
    step("8", { bad: true }),
    step("7", { needs: "8" }, 2 ** 5),
    step("8", { bad: false }, 2 ** 5 + 2 ** 6),
  ], false);
});

Deno.test("an object that holds what is refused does not change with what that holds", () => {
  play([
    step("3", { bad: true }),
    step("1", { next: "0" }),
    step("0", { next: "8", needs: "3" }, 2 ** 1),
    step("8", {}, 2 ** 1),
    step("8", { n: 1 }, 2 ** 1),
    step("3", { bad: false }, 2 ** 1),
  ], false);
});

Deno.test("a list is new exactly when one of its rows is, and its rows are the objects that everybody reads", async () => {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Brief] });
  const page = new Endpoint(async () => await Promise.resolve({}), {
    name: "page",
    schema: { groups: [{ rows: [Brief], title: "" }], next: "" },
  });
  const script = fc.array(fc.record({ id: fc.nat(29), n: fc.nat(3), read: fc.boolean() }), { maxLength: 40 });
  const property = breathing(script, fc.boolean(), (writes, strict) => {
    const controller = new Controller({ strict });
    const rows = Array.from({ length: 30 }, (_, id) => ({ id, n: 0 }));
    controller.setResponse(list, rows);
    controller.setResponse(page, { groups: [0, 10, 20].map((from) => ({ rows: rows.slice(from, from + 10) })) });
    const values = rows.map(() => 0);
    let before = {
      list: controller.getResponse(list).data!,
      page: controller.getResponse(page).data!,
      values: [...values],
    };
    for (const { id, n, read } of writes) {
      controller.set(Brief, `${id}`, { id: `${id}`, n });
      values[id] = n;
      if (!read) continue;
      const after = {
        list: controller.getResponse(list).data!,
        page: controller.getResponse(page).data!,
        values: [...values],
      };
      assertEquals(after.list.map(({ n }) => n), values);
      const same = (from: number, to: number) =>
        after.list.slice(from, to).every((row, index) => row === before.list[from + index]);
      assertEquals(after.list === before.list, same(0, 30));
      assertEquals(after.page === before.page, same(0, 30));
      after.page.groups.forEach((group, index) => {
        const from = index * 10;
        assertEquals(group.rows === before.page.groups[index]!.rows, same(from, from + 10));
        assertEquals(group === before.page.groups[index], same(from, from + 10));
        group.rows.forEach((row, at) => assertStrictEquals(row, after.list[from + at]));
      });
      for (const [index, n] of values.entries()) {
        if (n !== before.values[index]) assert(after.list[index] !== before.list[index]);
      }
      before = after;
    }
  });
  await check(property, { name: "graph_lists", runs: runs(300, 30_000) });
});
