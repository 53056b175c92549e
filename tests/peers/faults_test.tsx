import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, explain, hydrate, OvertakenError, Query, schema, stateOf } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useCache, useFetch, useSuspense } from "@rejoin/data/preact";
import { waitFor } from "@rejoin/data/testing";
import { FakeClock } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";
import { FAULTS } from "./faults.ts";

class Studio extends Entity {
  id = "";
  pk() {
    return this.id;
  }
  static key = "Studio";
}
class Film extends Entity {
  id = "";
  title = "";
  studio: Studio | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Film";
  static schema = { studio: Studio };
}
const all = new Query(new schema.All(Film));

function start(policy: { errorPolicy?: () => "soft" } = {}) {
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Film, ...policy });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Film] });
  const remove = new Endpoint(wire.fn<[id: string]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Film),
    sideEffect: true,
  });
  return { wire, controller, get, list, remove };
}

const idsOf = (films: readonly Film[] | undefined) => films?.map(({ id }) => id).join();

Deno.test("each of the twenty faults has a test that is there", async () => {
  assertEquals([FAULTS.length, new Set(FAULTS.map(({ test }) => test)).size], [20, 20]);
  for (const { fault, file, test } of FAULTS) {
    const text = await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
    // The name stands in one piece behind a quote, or in a template.
    assert(text.split("\n").some((line) => /Deno\.test|test\(/.test(line) && line.includes(test)), `${fault}: ${file}`);
  }
});

Deno.test("a hook never returns a marker in place of data", async () => {
  const { wire, controller, get, remove } = start({ errorPolicy: () => "soft" });
  controller.setResponse(get, { id: "1" }, { id: "1", title: "Alien" });
  const seen = new Set<unknown>();
  const show = (film: Film | undefined) => (seen.add(film), film?.title ?? "nothing");
  const Suspending = () => <>{show(useSuspense(get, { id: "1" }))}</>;
  const Caching = () => <>{show(useCache(get, { id: "1" }))}</>;
  const Fetching = () => <>{show(useFetch(get, { id: "1" })!.value)}</>;
  await using app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…" errorComponent={({ error }) => <>{error.message}</>}>
        <Suspending />
      </AsyncBoundary>
      |<Caching />|<Fetching />
    </DataProvider>,
  );
  await settled();
  assertEquals(app.text, "Alien|Alien|Alien");
  controller.setResponse(remove, "1", "1");
  await settled();
  assertEquals(app.text, "…|nothing|nothing");
  // What was deleted while it was shown is asked for a task later.
  await waitFor(() => assert(wire.calls.length > 0));
  await wire.last.fail(new Error("down"));
  await settled();
  assertEquals(app.text, "down|nothing|nothing");
  for (const value of seen) assert(value === undefined || value instanceof Film);
});

Deno.test("a change that changes nothing is over when it returns", async () => {
  const { controller, get } = start();
  assertEquals(controller.set(Film, "9", (film) => film && { ...film, title: "New" }), undefined);
  controller.expire(get, null);
  controller.invalidate(get, null);
  controller.abort(get, { id: "9" });
  assertThrows(() => controller.set(Film, { id: "" }, { title: "No pk" }));
  await controller.allSettled();
  assertEquals(controller.get(Film, "9"), undefined);
});

Deno.test("an older list that arrives late does not replace a newer one", async () => {
  const { wire, controller, list } = start();
  const older = controller.fetch(list);
  controller.setResponse(list, [{ id: "1", title: "New" }, { id: "2", title: "New" }]);
  await wire.last.reply([{ id: "1", title: "Old" }]);
  assertEquals(idsOf(await older), "1", "the call gets its own rows …");
  assertEquals((await older)[0]!.title, "New", "… as the store holds them");
  assertEquals(idsOf(controller.getResponse(list).data), "1,2");
});

Deno.test("invalidateAll and expireAll reach a key that has only failed", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  for (const verb of ["invalidateAll", "expireAll"] as const) {
    const { wire, controller, get } = start();
    controller.setError(get, { id: "1" }, new Error("down"));
    assertEquals(explain(controller, get, { id: "1" }).wouldFetch, false, "within its time");
    controller[verb](get);
    assertEquals(explain(controller, get, { id: "1" }).wouldFetch, true, verb);
    Promise.resolve(controller.fetchIfStale(get, { id: "1" })).catch(() => {});
    assertEquals(wire.calls.length, 1, verb);
  }
});

Deno.test("an answer of before a reset is never accepted, in one millisecond neither", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  for (const jump of [0, -3_600_000, 3_600_000]) {
    const { wire, controller, get } = start();
    const before = controller.fetch(get, { id: "1" });
    controller.resetEntireStore();
    clock.jump(jump);
    const after = controller.fetch(get, { id: "1" });
    assertEquals(wire.calls.length, 2, "nobody joins what was asked for before");
    await wire.calls[0]!.reply({ id: "1", title: "Of another person" });
    assertEquals((await assertRejects(() => before, OvertakenError)).reason, "reset");
    assertEquals(controller.get(Film, "1"), undefined);
    await wire.calls[1]!.reply({ id: "1", title: "Mine" });
    assertEquals((await after).title, "Mine");
  }
});

Deno.test("what was deleted stays gone through JSON", () => {
  const { controller, get, list, remove } = start();
  controller.setResponse(list, [{ id: "1", title: "One" }, { id: "2", title: "Two" }]);
  controller.setResponse(get, { id: "1" }, { id: "1", title: "One" });
  controller.setResponse(remove, "1", "1");
  const other = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(controller))))] });
  assertEquals([idsOf(other.getResponse(list).data), idsOf(other.get(all))], ["2", "2"]);
  assertEquals([other.get(Film, "1"), other.getResponse(get, { id: "1" }).data], [undefined, undefined]);
});

Deno.test("a state that was handed out never changes", async () => {
  const { wire, controller, get, list, remove } = start();
  controller.setResponse(list, [{ id: "1", title: "One", studio: { id: "7" } }, { id: "2", title: "Two" }]);
  const state = stateOf(controller);
  const rows = controller.getResponse(list).data!;
  const text = JSON.stringify([state, rows]);
  controller.set(Film, "1", { id: "1", title: "New" });
  controller.setResponse(remove, "2", "2");
  controller.invalidate(list);
  const fetched = controller.fetch(get, { id: "3" });
  await wire.last.reply({ id: "3", title: "Three" });
  await fetched;
  controller.resetEntireStore();
  assertEquals(JSON.stringify([state, rows]), text);
});

Deno.test("a write touches the record that it writes, and no other of 10,000", () => {
  const read = new Set<string>();
  class Row extends Entity {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static key = "Row";
  }
  const rows = new Endpoint(() => Promise.resolve([]), { name: "rows", schema: [Row] });
  const controller = new Controller();
  const watched = (id: string) => ({
    id,
    title: id,
    // Kept as it is in the record: whoever copies or compares that, asks for it.
    more: new Proxy({}, { ownKeys: () => (read.add(id), []) }),
  });
  controller.setResponse(rows, Array.from({ length: 10_000 }, (_, index) => watched(String(index))));
  const before = controller.getResponse(rows).data!;
  const { slots } = controller.store.tables.named("Row");
  read.clear();
  controller.set(Row, "5000", { ...watched("5000"), title: "New" });
  assertEquals([...read], ["5000"]);
  assertStrictEquals(controller.store.tables.named("Row").slots, slots, "the table itself");
  const after = controller.getResponse(rows).data!;
  assertEquals(before.filter((row, index) => row !== after[index]).length, 1);
});
