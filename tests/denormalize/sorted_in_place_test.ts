import { assertEquals } from "@std/assert";
import { type AnySchema, Controller, Endpoint, Entity, Query, schema, Sorter } from "@rejoin/data";

class Task extends Entity {
  id = "";
  rank = 0;
  title = "";
  owner = "";
  static key = "Task";
}
class Owner extends Entity {
  id = "";
  static key = "Owner";
  static tasks = new schema.HasMany(() => Task, "owner");
}

const all = new schema.All(Task);
const getAll = new Endpoint(async () => await Promise.resolve([]), { name: "getAll", schema: all });
const getList = new Endpoint(async () => await Promise.resolve([]), { name: "getList", schema: [Task] });
const getPage = new Endpoint(async () => await Promise.resolve({}), {
  name: "getPage",
  schema: { items: [Task], total: 0 },
});
const getRows = new Endpoint(async () => await Promise.resolve([]), {
  name: "getRows",
  schema: new schema.Collection([Task]),
});

const COUNT = 40;
const rows = Array.from(
  { length: COUNT },
  (_, at) => ({ id: String(at), rank: (at * 7) % COUNT, title: "", owner: "o" }),
);
const byRank = (a: Task, b: Task) => a.rank - b.rank;

/** Everything that gives the rows in an array. */
const READS: { readonly [name: string]: (controller: Controller) => Task[] } = {
  "an All": (controller) => controller.get(all)!,
  "a list": (controller) => controller.getResponse(getList).data!,
  "a member of an object": (controller) => controller.getResponse(getPage).data!.items,
  "a Collection": (controller) => controller.getResponse(getRows).data!,
  "a HasMany": (controller) => controller.get(Owner.tasks, "o")!,
};

function filled(strict = false): Controller {
  const controller = new Controller({ strict });
  controller.setResponse(getAll, rows);
  controller.setResponse(getList, rows);
  controller.setResponse(getPage, { items: rows, total: COUNT });
  controller.setResponse(getRows, rows);
  return controller;
}

const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));

for (const [name, read] of Object.entries(READS)) {
  Deno.test(`13.C7 ${name} that somebody sorts in place holds each row once after the next change`, () => {
    for (
      const spoil of [
        (list: Task[]) => list.sort(byRank),
        (list: Task[]) => list.reverse(),
        (list: Task[]) => list.pop(),
        (list: Task[]) => list.splice(3, 1),
      ]
    ) {
      for (const changed of ["0", "5", "17", "39"]) {
        const controller = filled();
        spoil(read(controller));
        controller.set(Task, changed, { title: "changed" });
        const after = read(controller);
        assertEquals(ids(after), rows.map(({ id }) => id));
        assertEquals(after.filter(({ title }) => title === "changed").map(({ id }) => id), [changed]);
      }
    }
  });

  Deno.test(`13.C7 ${name} that is sorted in place between a change and the next reading holds each row once`, () => {
    const controller = filled();
    const list = read(controller);
    controller.set(Task, "5", { title: "changed" });
    // Somebody else reads the row first.
    controller.get(Task, "5");
    list.sort(byRank);
    assertEquals(ids(read(controller)), rows.map(({ id }) => id));
    read(controller).reverse();
    controller.set(Task, "6", { title: "changed" });
    controller.get(Task, "6");
    controller.set(Task, "6", { title: "again" });
    const after = read(controller);
    assertEquals(ids(after), rows.map(({ id }) => id));
    assertEquals(after.filter(({ title }) => title !== "").map(({ title }) => title).sort(), ["again", "changed"]);
  });
}

const joined = { tasks: all, owner: Owner } as const;

/** Queries whose process sorts in place. */
const SORTS: { readonly [name: string]: AnySchema } = {
  "of an All": new Query(all, (tasks) => tasks.sort(byRank)),
  "of several by name": new Query(joined, ({ tasks = [] }) => tasks.sort(byRank)),
  "of a Collection": new Query(getRows.schema, (tasks) => tasks.sort(byRank)),
};

for (const [name, query] of Object.entries(SORTS)) {
  for (const strict of [false, true]) {
    Deno.test(`13.C7 a query ${name} may sort in place what it gets, ${strict ? "strict" : "not strict"}`, () => {
      const controller = filled(strict);
      const read = () => controller.get(query as typeof all)!;
      const order = controller.get(all)!.map(({ id }) => id);
      const sorted = rows.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id);
      assertEquals(read().map(({ id }) => id), sorted);
      for (const changed of ["0", "5", "17"]) {
        controller.set(Task, changed, { title: "changed" });
        assertEquals(read().map(({ id }) => id), sorted);
        assertEquals(controller.get(all)!.map(({ id }) => id), order);
        assertEquals(controller.getResponse(getRows).data!.map(({ id }) => id), order);
      }
      assertEquals(read().filter(({ title }) => title === "changed").length, 3);
    });
  }
}

Deno.test("13.C7 a declared order over a list that somebody sorts in place stays right", () => {
  const controller = filled();
  const best = new Query(all, { Sorter, sort: byRank });
  const sorted = rows.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id);
  assertEquals(controller.get(best)!.map(({ id }) => id), sorted);
  for (const changed of ["3", "0", "39", "20"]) {
    controller.get(all)!.reverse();
    controller.get(best)!.reverse();
    controller.set(Task, changed, { title: "changed" });
    assertEquals(controller.get(best)!.map(({ id }) => id), sorted);
  }
});

Deno.test("13.C7 a declared order stays right, whatever somebody does in place to what it gives or is made of", () => {
  const spoils: readonly ((list: Task[]) => unknown)[] = [
    (list) => list.pop(),
    (list) => list.shift(),
    (list) => list.splice(3, 5),
    (list) => list.push(list[0]!),
    (list) => list.unshift(list.pop()!),
    (list) => list.length = 0,
  ];
  const changes: readonly ((controller: Controller) => void)[] = [
    (controller) => controller.set(Task, "5", { title: "changed" }),
    (controller) => controller.set(Task, "40", { id: "40", rank: 3, title: "new" }),
    (controller) => controller.set(new schema.Invalidate(Task), "17"),
  ];
  const expected = filled();
  const best = new Query(all, { Sorter, sort: byRank });
  const names = (controller: Controller) => controller.get(best)!.map(({ id, title }) => `${id} ${title}`);
  for (const change of changes) change(expected);
  for (const spoil of spoils) {
    for (const spoiled of [all, best]) {
      const controller = filled();
      controller.get(best);
      for (const change of changes) {
        spoil(controller.get(spoiled)!);
        change(controller);
        controller.get(best);
      }
      assertEquals(names(controller), names(expected), `${spoil}`);
    }
  }
});
