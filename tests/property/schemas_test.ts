/** Schemas of every form in each other: what a store reads step by step is what is read from its plain tables at once. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  hydrate,
  normalize,
  Query,
  type Schema,
  schema,
  stateOf,
} from "@rejoin/data";
import { readerOfResponse } from "../contracts/reader.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs } from "../support/property.ts";

class User extends Entity {
  id = "";
  n = 0;
  static key = "User";
}
class Bot extends Entity {
  id = "";
  n = 0;
  boss: User | undefined = undefined;
  static key = "Bot";
  static schema = { boss: User };
}
/** It requires what stands in it. */
class Badge extends Entity {
  id = "";
  n = 0;
  of = User.fromJS() as User | Bot;
  static key = "Badge";
  static schema = { of: new schema.Union({ user: User, bot: Bot }, "type") };
}
const ENTITIES = [User, Bot, Badge] as const;

/** How a schema is made of others. */
type Form =
  | { readonly form: "user" | "bot" | "badge" | "union" | "date" | "text" }
  | { readonly form: "array" | "list" | "values" | "holder" | "query"; readonly of: Form }
  | { readonly form: "object" | "members"; readonly of: readonly (readonly [name: string, of: Form])[] };

const PKS = ["1", "2", "3", "__proto__", "constructor", "toString", "a/b"];
const NAMES = ["a", "b", "__proto__", "constructor", ""];

const { form } = fc.letrec<{ form: Form }>((tie) => ({
  form: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Form[]>(
      ...["user", "bot", "badge", "union", "union", "date", "text"].map((form) => ({ form }) as Form),
    ),
    fc.record({ form: fc.constantFrom("array", "list", "values", "holder", "query"), of: tie("form") }) as fc.Arbitrary<
      Form
    >,
    fc.record({
      form: fc.constantFrom("object", "members"),
      of: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie("form")), {
        minLength: 1,
        maxLength: 3,
        selector: ([name]) => name,
      }),
    }) as fc.Arbitrary<Form>,
  ),
}));

const pk = fc.constantFrom(...PKS);
const n = fc.integer({ min: 0, max: 3 });
const user = fc.record({ id: pk, n }, { requiredKeys: ["id"] });
const bot = fc.record({ id: pk, n, boss: fc.oneof(user, pk, fc.constant(null)) }, { requiredKeys: ["id"] });
const other = fc.constantFrom<unknown>(null, "text", { type: "ad", x: [1] }, { id: "1" }, { type: "constructor" });
const union = fc.oneof(
  user.map((one) => ({ ...one, type: "user" })),
  bot.map((one) => ({ ...one, type: "bot" })),
  bot.map(({ boss }) => ({ boss, type: "bot" })),
  other,
);
const badge = fc.record({ id: pk, n, of: union }, { requiredKeys: ["id"] });

/** The class that holds a schema in a member: one for each, with a table of its own. */
function holderOf(held: Schema, at: string): typeof Entity {
  return class extends Entity {
    id = "";
    held: unknown = undefined;
    static key = `Holder ${at}`;
    static schema = { held } as never;
  };
}

function schemaOf(of: Form, at = ""): Schema {
  switch (of.form) {
    case "user":
      return User;
    case "bot":
      return Bot;
    case "badge":
      return Badge;
    case "union":
      return new schema.Union({ user: User, bot: Bot }, "type");
    case "date":
      return Date;
    case "text":
      return (value: unknown) => String(value);
    case "array":
      return new schema.Array(schemaOf(of.of, at));
    case "list":
      return [schemaOf(of.of, at)];
    case "values":
      return new schema.Values(schemaOf(of.of, at));
    case "query":
      return new Query(schemaOf(of.of, at));
    case "holder":
      return holderOf(schemaOf(of.of, `${at}.held`), at);
    default: {
      const members = Object.fromEntries(of.of.map(([name, below]) => [name, schemaOf(below, `${at}.${name}`)]));
      return of.form === "members" ? members : new schema.Object(members);
    }
  }
}

function valueOf(of: Form): fc.Arbitrary<unknown> {
  switch (of.form) {
    case "user":
      return user;
    case "bot":
      return bot;
    case "badge":
      return badge;
    case "union":
      return union;
    case "date":
      return fc.constantFrom("2026-01-01T00:00:00.000Z", null);
    case "text":
      return fc.constantFrom("x", "", null);
    case "query":
      return valueOf(of.of);
    case "array":
    case "list":
      return fc.array(fc.oneof({ weight: 5, arbitrary: valueOf(of.of) }, fc.constantFrom(null, undefined)), {
        maxLength: 4,
      });
    case "values":
      return fc.dictionary(fc.constantFrom(...NAMES), valueOf(of.of), { maxKeys: 3 });
    case "holder":
      return fc.record({ id: pk, held: valueOf(of.of) }, { requiredKeys: ["id"] });
    default:
      return fc.tuple(...of.of.map(([, below]) => valueOf(below))).map((values) =>
        Object.fromEntries(of.of.map(([name], at) => [name, values[at]]))
      );
  }
}

type Step = { readonly set: object; readonly entity: number } | { readonly gone: string; readonly entity: number } | {
  readonly again: number;
};
const entity = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ set: user, entity }),
  fc.record({ gone: pk, entity }),
  fc.record({ again: fc.integer({ min: 0, max: 1 }) }),
);

const story = form.chain((of) =>
  fc.record({
    of: fc.constant(of),
    bodies: fc.tuple(valueOf(of), valueOf(of)),
    steps: fc.array(step, { maxLength: 8 }),
    strict: fc.boolean(),
  })
);

/** What a reader gets, in a text that tells classes and absence. */
function textOf(read: unknown, above: readonly unknown[] = []): string {
  if (read === undefined) return "undefined";
  if (typeof read !== "object" || read === null || read instanceof Date) return JSON.stringify(read);
  if (above.includes(read)) return "…";
  const path = [...above, read];
  if (Array.isArray(read)) return `[${read.map((item) => textOf(item, path))}]`;
  const name = read instanceof Entity ? (read.constructor as typeof Entity).key : "";
  return `${name}{${
    Object.keys(read).sort().map((key) =>
      `${JSON.stringify(key)}:${textOf(Object.getOwnPropertyDescriptor(read, key)!.value, path)}`
    )
  }}`;
}

/** The entities with a pk in an answer: each must be the one object that everybody reads. */
function checkIdentity(controller: Controller, read: unknown): void {
  if (typeof read !== "object" || read === null) return;
  if (ENTITIES.some((one) => read instanceof one) && (read as User).id !== "") {
    assertStrictEquals(controller.get(read.constructor as typeof User, (read as User).id), read);
  }
  for (const below of Object.values(read)) checkIdentity(controller, below);
}

Deno.test("schemas in each other read step by step what they read at once, and equal answers change nothing", async () => {
  let kept = 0;
  const { warn } = console;
  // Of entities without a pk.
  console.warn = () => {};
  using stack = new DisposableStack();
  stack.defer(() => console.warn = warn);
  await check(
    breathing(story, ({ of, bodies, steps, strict }) => {
      const declared = schemaOf(of) as typeof User;
      const controller = new Controller({ strict });
      const endpoint = new Endpoint(async () => await Promise.resolve(), { name: "any", schema: declared });
      const key = endpoint.key();
      const original = bodies.map((body) => textOf(body));
      const reader = readerOfResponse<unknown>(controller, endpoint);
      const compare = () => {
        const state = stateOf(controller);
        const { entities, endpoints, entitiesMeta } = state;
        // Tables alone do not tell what was deleted from what was never here.
        const isWhole = Object.keys(entitiesMeta).every((name) =>
          Object.keys(entitiesMeta[name]!).length === Object.keys(entities[name] ?? {}).length
        );
        if (isWhole) assertEquals(textOf(reader.value), textOf(denormalize(declared, endpoints[key], entities)));
        const copy = new Controller({ use: [hydrate(state)] });
        assertEquals(textOf(reader.value), textOf(copy.getResponse(endpoint).data));
        checkIdentity(controller, reader.value);
      };
      const answer = (at: number) => {
        if (bodies[at] !== undefined) controller.setResponse(endpoint, bodies[at]);
      };
      answer(0);
      const plain = normalize(declared, bodies[0]);
      const { entities, endpoints } = stateOf(controller);
      assertEquals(textOf(endpoints[key]), textOf(plain.result));
      for (const name of Object.keys(plain.entities)) {
        assertEquals(textOf(entities[name]), textOf(plain.entities[name]));
      }
      compare();
      const [state, before, { told }] = [stateOf(controller), reader.value, reader];
      answer(0);
      assertStrictEquals(reader.value, before);
      assertEquals([reader.told, textOf(stateOf(controller).entities)], [told, textOf(state.entities)]);
      for (const one of steps) {
        const last = reader.value;
        const toldBefore = reader.told;
        if ("again" in one) answer(one.again);
        else if ("set" in one) controller.set(ENTITIES[one.entity] as typeof User, one.set as User, one.set);
        else {
          const drop = new Endpoint(async () => await Promise.resolve(), {
            name: "drop",
            schema: new schema.Invalidate(ENTITIES[one.entity] as typeof User),
            sideEffect: true,
          });
          controller.setResponse(drop, one.gone);
        }
        compare();
        if (reader.value === last) kept++;
        else assert(reader.told > toldBefore || textOf(reader.value) === textOf(last));
      }
      assertEquals(bodies.map((body) => textOf(body)), original);
    }),
    { name: "schemas", runs: runs(2_000, 200_000) },
  );
  assert(kept > 0);
});
