// Mutations of every verb and shape, answered by a server that says much, little, nothing or something else: whatever is
// fresh afterwards is what the server has.
import { assert, assertEquals } from "@std/assert";
import { type AnyEndpoint, Controller, createResource, Entity, resource, schema } from "@rejoin/data";
import { Resource } from "@rejoin/data/legacy";
import * as fc from "fast-check";
import { check, runs } from "../support/property.ts";

class Thing extends Entity {
  id = "";
  kind = "";
  title = "";
  body = "";
  listId = "";
  assignee: string | null | undefined = undefined;
  static key = "Thing";
}
/** The same in the form of 5.0. */
class Old extends Resource {
  id = "";
  kind = "";
  title = "";
  body = "";
  listId = "";
  assignee: string | null | undefined = undefined;
  override pk() {
    return this.id;
  }
  static override key = "Thing";
  static override urlRoot = "http://api.example/things";
}
class Summary extends Entity {
  id = "";
  title = "";
  static key = "Thing";
}
class User extends Entity {
  id = "";
  static key = "User";
}
class Other extends Entity {
  id = "";
  kind = "";
  static key = "Other";
}

type Row = Record<string, unknown> & { readonly id: string };
const MEMBERS = ["title", "body", "listId", "assignee", "kind"];
const kinds = { thing: Thing, other: Other };
const OWNERS = [
  Thing,
  new schema.Union(kinds, "kind"),
  new schema.Union(kinds, ({ kind }: { kind: string }) => kind.toLowerCase()),
];

/** What an endpoint is said to answer with: the class itself where it is `undefined`. */
const SHAPES: Record<string, (of: unknown) => unknown> = {
  itself: (of) => of,
  data: (data) => ({ data }),
  object: (data) => new schema.Object({ data, ok: false } as never),
  besideUser: (data) => ({ data, user: User }),
  rows: (of) => ({ data: [of] }),
  row: (of) => [of],
  two: (of) => ({ next: of, data: of }),
  deep: (data) => ({ a: { data } }),
  summary: () => Summary,
  wrappedSummary: () => ({ data: Summary }),
  union: () => OWNERS[1],
};

const INNER: Record<string, (row: Row, some: readonly string[], sent: object) => unknown> = {
  full: (row) => row,
  part: (row, some) => Object.fromEntries(Object.entries(row).filter(([name]) => name === "id" || some.includes(name))),
  terse: ({ id }) => ({ id }),
  echo: (_row, _some, sent) => sent,
  array: (row) => [row],
  terseArray: ({ id }) => [{ id }],
  results: (row) => ({ results: [row] }),
  null: () => null,
  empty: () => ({}),
  ok: () => "OK",
  one: () => 1,
  pk: ({ id }) => id,
};

const OUTER: Record<string, (inner: unknown, second: unknown) => unknown> = {
  itself: (inner) => inner,
  data: (data) => ({ data }),
  besideUser: (data) => ({ data, user: { id: "1" } }),
  deep: (data) => ({ a: { data } }),
  next: (data, next) => ({ next, data }),
};

const of = (names: object) => fc.constantFrom(...Object.keys(names));
const member = fc.oneof(fc.constantFrom("x", "y"), fc.constant(null));
const steps = fc.array(
  fc.record({
    verb: fc.constantFrom("update", "partialUpdate", "create", "delete", "push", "unshift", "move"),
    shape: of(SHAPES),
    keepsVerb: fc.boolean(),
    id: fc.constantFrom("1", "2", "3"),
    sent: fc.record({ title: member, body: member, assignee: member, listId: fc.constantFrom("a", "b") }, {
      requiredKeys: [],
    }),
    inner: of(INNER),
    outer: of(OUTER),
    some: fc.subarray(MEMBERS),
  }),
  { minLength: 1, maxLength: 4 },
);

type Endpoint = AnyEndpoint & { extend(options: object): Endpoint };

function live(
  owner: number,
  form: "resource" | "createResource" | "5.0",
  given: typeof steps extends fc.Arbitrary<infer S> ? S : never,
): void {
  const rows = new Map<string, Row>();
  for (const id of ["1", "2", "3"]) {
    rows.set(id, {
      id,
      kind: "thing",
      title: `t${id}`,
      body: `b${id}`,
      listId: id === "1" ? "a" : "b",
      assignee: "ann",
    });
  }
  const isCollection = form === "resource";
  const of = form === "5.0" ? Old : OWNERS[owner];
  const options = { urlPrefix: "http://api.example", path: "/things/:id", schema: of as typeof Thing };
  const things = (form === "5.0"
    ? {
      get: Old.detail(),
      getList: Old.list(),
      update: Old.update(),
      partialUpdate: Old.partialUpdate(),
      create: Old.create(),
      delete: Old.delete(),
    }
    : isCollection
    ? resource(options)
    : createResource(options)) as unknown as Record<"get" | "getList", Endpoint>;
  using controller = new Controller();
  const isIn = (row: Row, args: object) => Object.entries(args).every(([name, value]) => row[name] === value);
  const lists = isCollection ? [{}, { listId: "a" }, { listId: "b" }] : [{}];
  for (const args of lists) {
    controller.setResponse(things.getList, args, [...rows.values()].filter((row) => isIn(row, args)));
  }
  for (const row of rows.values()) controller.setResponse(things.get, { id: row.id }, row);
  let next = 10;
  for (const { verb, shape, keepsVerb, id, sent: some, ...reply } of given) {
    const isVerb = !Object.hasOwn(things, verb);
    if (isVerb && !isCollection) continue;
    const list = things.getList as unknown as Record<string, Endpoint> & { readonly schema: Record<string, unknown> };
    const endpoint = isVerb ? list[verb]! : (things as unknown as Record<string, Endpoint>)[verb]!;
    const isNew = verb === "create" || verb === "push" || verb === "unshift";
    // Who makes or replaces one of a union says which.
    const sent = { ...some, ...(isNew || verb === "update") && { kind: "thing" } };
    const before = rows.get(id);
    if (!isNew && before === undefined) continue;
    const row = { ...verb !== "update" && !isNew && before, ...sent, id: isNew ? String(next++) : id };
    if (verb === "delete") rows.delete(id);
    else rows.set(row.id, row);
    const said = OUTER[reply.outer]!(INNER[reply.inner]!(row, reply.some, sent), rows.get("2") ?? null);
    const extended = verb === "delete"
      ? shape === "data" ? { data: new schema.Invalidate(options.schema) } : undefined
      // Twice the same verb in one answer makes no sense.
      : SHAPES[shape]!(isVerb && keepsVerb && shape !== "two" ? list.schema[verb] : options.schema);
    const isSame = extended === undefined || (shape === "itself" && !(isVerb && !keepsVerb));
    const called = isSame ? endpoint : endpoint.extend({ schema: extended });
    const args = isNew ? [sent] : verb === "delete" ? [{ id }] : [{ id }, sent];
    try {
      controller.setResponse(called, ...args, said);
    } catch {
      // What cannot be stored is refused here. Of a call, the lists and the record are expired.
      return;
    }
    for (const known of new Set([...rows.keys(), "1", "2", "3"])) {
      const { data, expiresAt } = controller.getResponse(things.get, { id: known });
      if (data === undefined || expiresAt <= Date.now()) continue;
      const truth = rows.get(known);
      assert(truth !== undefined, `${known} is gone`);
      const shown = MEMBERS.map((name) => (data as Row)[name] || undefined);
      assertEquals(shown, MEMBERS.map((name) => truth[name] || undefined), known);
    }
    if (!isCollection) continue;
    for (const args of lists) {
      const { data, expiresAt } = controller.getResponse(things.getList, args);
      if (data === undefined || expiresAt <= Date.now()) continue;
      const truth = [...rows.values()].filter((row) => isIn(row, args)).map(({ id }) => id);
      assertEquals((data as Row[]).map(({ id }) => id).sort(), truth.sort(), JSON.stringify(args));
    }
  }
}

Deno.test("13.A1 whatever a mutation is answered, and in whatever wrapper, what is fresh is what the server has", async () => {
  await check(
    fc.asyncProperty(
      fc.nat({ max: OWNERS.length - 1 }),
      fc.constantFrom("resource", "createResource", "5.0"),
      steps,
      // deno-lint-ignore require-await -- so that jobs end between cases
      async (owner, form, given) => {
        live(owner, form, given);
      },
    ),
    { name: "mutation_replies", runs: runs(2_000, 200_000) },
  );
});
