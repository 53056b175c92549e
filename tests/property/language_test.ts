/**
 * The whole language at random: schemas of entities, arrays, objects, `Values`, unions, collections, `Lazy`, queries, dates
 * and serializers, nested in each other, with values that fit and values that do not.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, denormalize, Endpoint, hydrate, normalize, onCommit, RejoinError, stateOf } from "@rejoin/data";
import { Chance, prototypes } from "../support/hostile.ts";
import { mutate, mutations } from "../support/mutate.ts";
import { assertRead, deepFreeze, Language, partsOf, World } from "../support/random_language.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs } from "../support/property.ts";

/** A language and a world by numbers: small ones are simpler. */
const small = fc.record({
  classes: fc.integer({ min: 1, max: 4 }),
  fields: fc.integer({ min: 0, max: 5 }),
  depth: fc.integer({ min: 0, max: 4 }),
  entities: fc.integer({ min: 1, max: 12 }),
  seed: fc.integer(),
});
type Numbers = typeof small extends fc.Arbitrary<infer T> ? T : never;

function make({ entities, seed, ...size }: Numbers): { language: Language; world: World; chance: Chance } {
  const chance = new Chance(seed);
  const language = new Language(chance, size);
  const world = new World(language, chance, entities);
  return { language, world, chance };
}

const endpointOf = (language: Language) =>
  new Endpoint(async () => await Promise.resolve(), {
    name: "random",
    schema: language.schema as unknown as undefined,
  });

/** Everything that is reached from an object by its members. */
function reachedFrom(start: unknown): Set<unknown> {
  const reached = new Set<unknown>([start]);
  for (const each of reached) {
    if (typeof each !== "object" || each === null || each instanceof Date) continue;
    for (const below of Object.values(each)) if (typeof below === "object") reached.add(below);
  }
  return reached;
}

Deno.test("denormalize(normalize(x)) is x, through JSON, by plain tables and by a store, and x is left alone", async () => {
  const before = prototypes();
  const property = breathing(small, fc.boolean(), (numbers, strict) => {
    const { language, world } = make(numbers);
    // Whoever writes to it throws.
    deepFreeze(world.value);
    const { result, entities } = normalize(language.schema, world.value);
    assertRead(language, world, denormalize(language.schema, result, entities));
    const copy = JSON.parse(JSON.stringify({ result, entities }));
    assertRead(language, world, denormalize(language.schema, copy.result, copy.entities));
    const controller = new Controller({ strict });
    const endpoint = endpointOf(language);
    controller.setResponse(endpoint, world.value);
    assertRead(language, world, controller.getResponse(endpoint).data);
    const later = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(controller))))] });
    assertRead(language, world, later.getResponse(endpoint).data);
  });
  await check(property, { name: "language_round_trip", runs: runs(1_000, 100_000) });
  assertEquals(prototypes(), before);
});

Deno.test("the same again changes nothing, whatever merges: no object, no record, and tells nobody", async () => {
  const property = breathing(small, fc.boolean(), (numbers, isCopied) => {
    const { language, world } = make(numbers);
    const endpoint = endpointOf(language);
    const controller = new Controller();
    controller.setResponse(endpoint, world.value);
    const data: unknown = controller.getResponse(endpoint).data;
    const { entities } = stateOf(controller);
    let replaced = 0;
    onCommit(controller, ({ records }) => replaced += records.filter(({ before, after }) => before !== after).length);
    controller.setResponse(endpoint, isCopied ? structuredClone(world.value) : world.value);
    assertStrictEquals(controller.getResponse(endpoint).data as unknown, data);
    assertEquals(stateOf(controller).entities, entities);
    assertEquals(replaced, 0, "records that were replaced");
  });
  await check(property, { name: "language_again", runs: runs(1_000, 100_000) });
});

Deno.test("of one changed record exactly the objects are new that contain it", async () => {
  const property = breathing(small, fc.nat(), (numbers, which) => {
    const { language, world } = make(numbers);
    const endpoint = endpointOf(language);
    const controller = new Controller();
    controller.setResponse(endpoint, world.value);
    const before = assertRead(language, world, controller.getResponse(endpoint).data);
    const all = world.entities.flatMap((of, at) => of.map((entity) => [at, entity] as const));
    const [at, changed] = all[which % all.length]!;
    controller.set(language.classes[at]!, changed.id as string, { id: changed.id, n: "changed" });
    changed.n = "changed";
    const after = assertRead(language, world, controller.getResponse(endpoint).data);
    for (const [of, entity] of all) {
      const contains = partsOf(language, world, of, entity).has(changed);
      const name = `${entity.type} ${entity.id} of ${changed.type} ${changed.id}`;
      assertEquals(after.get(entity) !== before.get(entity), contains, name);
    }
  });
  await check(property, { name: "language_identity", runs: runs(1_000, 100_000) });
});

Deno.test("a value that does not fit is a typed error that changes nothing, or it is read without a crash", async () => {
  let refused = 0;
  let accepted = 0;
  const before = prototypes();
  const property = breathing(small, mutations, fc.boolean(), (numbers, changes, strict) => {
    const { warn } = console;
    console.warn = () => {};
    try {
      const { language, world } = make(numbers);
      const endpoint = endpointOf(language);
      const controller = new Controller({ strict });
      controller.setResponse(endpoint, world.value);
      const state = stateOf(controller);
      const data: unknown = controller.getResponse(endpoint).data;
      const body = mutate(world.value, changes);
      try {
        controller.setResponse(endpoint, body);
        accepted++;
      } catch (error) {
        refused++;
        assert(RejoinError.is(error) && error.message.length > 0, String(error));
        assertStrictEquals(stateOf(controller), state);
        assertStrictEquals(controller.getResponse(endpoint).data as unknown, data);
        return;
      }
      const read = reachedFrom(controller.getResponse(endpoint).data);
      for (const object of read) {
        if (typeof object !== "object" || object === null) continue;
        const prototype = Object.getPrototypeOf(object);
        const isKnown = [Object.prototype, Array.prototype, Date.prototype, null].includes(prototype) ||
          language.classes.some((entity) => entity.prototype === prototype);
        assert(isKnown, "a foreign prototype");
      }
      controller.setResponse(endpoint, body);
      controller.getResponse(endpoint);
      // What was right is right again.
      controller.setResponse(endpoint, world.value);
      controller.getResponse(endpoint);
    } finally {
      console.warn = warn;
    }
  });
  const count = runs(2_000, 200_000);
  await check(property, { name: "language_broken", runs: count });
  assertEquals(prototypes(), before);
  assert(refused > count / 50 && accepted > count / 20, `${refused} refused, ${accepted} accepted`);
});

Deno.test("H6: graphs of up to 1,000 entities with back edges through every kind of schema end", async () => {
  const large = fc.tuple(
    small,
    fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 60 }) }, {
      weight: 1,
      arbitrary: fc.integer({ min: 60, max: 1_000 }),
    }),
  ).map(([numbers, entities]) => ({ ...numbers, entities }));
  const property = breathing(large, (numbers) => {
    const { language, world } = make(numbers);
    const { result, entities } = normalize(language.schema, world.value);
    assertRead(language, world, denormalize(language.schema, result, entities));
    const endpoint = endpointOf(language);
    const controller = new Controller();
    controller.setResponse(endpoint, world.value);
    const data: unknown = controller.getResponse(endpoint).data;
    assertRead(language, world, data);
    controller.setResponse(endpoint, structuredClone(world.value));
    assertStrictEquals(controller.getResponse(endpoint).data as unknown, data);
  });
  await check(property, { name: "language_graphs", runs: runs(1_000, 10_000) });
});
