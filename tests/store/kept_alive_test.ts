import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, resource, schema } from "@rejoin/data";
import { readQuery } from "@rejoin/data/signals";
import { effect } from "@preact/signals-core";

class Film extends Entity {
  id = "";
  title = "";
  director = "";
  static key = "Film";
}
class Director extends Entity {
  id = "";
  static key = "Director";
  static films = new schema.HasMany(() => Film, "director");
  static others = new schema.HasMany(() => Film, "director");
}

/** More than are kept unwatched. */
const MANY = 1_100;

for (const isEmpty of [false, true]) {
  Deno.test(`13.C8 a relation that was let go of is read as before${isEmpty ? ", also when it is empty by then" : ""}`, () => {
    const controller = new Controller();
    controller.set(Film, "1", { id: "1", title: "a", director: "0" });
    const ids = () => [Director.films, Director.others].map((films) => controller.get(films, "0")!.map(({ id }) => id));
    assertEquals(ids(), [["1"], ["1"]]);
    // Turned, and not read: so it is let go of.
    controller.set(Film, "1", { title: "b" });
    for (let at = 1; at < MANY; at++) controller.get(Director.others, String(at));
    if (isEmpty) controller.set(Film, "1", { director: "none" });
    for (let turn = 0; turn < 2; turn++) assertEquals(ids(), isEmpty ? [[], []] : [["1"], ["1"]]);
    controller.set(Film, "2", { id: "2", director: "0" });
    assertEquals(ids(), isEmpty ? [["2"], ["2"]] : [["1", "2"], ["1", "2"]]);
    assertEquals(controller.get(Director.films, "0")!.at(-1)!.id, "2");
  });
}

/** Runs in a process that can collect garbage when it is asked to. */
function testOfGarbage(name: string, test: (collect: () => Promise<void>) => Promise<void>): void {
  Deno.test(name, async () => {
    const { gc } = globalThis as unknown as { gc?: () => void };
    if (gc !== undefined) {
      return await test(async () => {
        for (let turn = 0; turn < 5; turn++) {
          // What a weak reference gave is kept until the turn of the event loop ends.
          await new Promise((resolve) => setTimeout(resolve, 0));
          gc();
        }
      });
    }
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--v8-flags=--expose-gc", "--filter", name, import.meta.url],
    }).output();
    const text = new TextDecoder();
    assertEquals(success, true, text.decode(stdout) + text.decode(stderr));
  });
}

testOfGarbage("13.C8 an inactive reader of one store does not keep another store", async (collect) => {
  const here = new Controller();
  const reader = (controller: Controller) =>
    effect(() => {
      readQuery(controller, Film, null);
      readQuery(controller, Director.films, undefined as unknown as string);
    });
  const dropped = (() => {
    const there = new Controller();
    const stop = reader(there);
    const others = reader(here);
    stop();
    // Until now it was of both.
    return { ref: new WeakRef(there), others };
  })();
  await collect();
  assertEquals(dropped.ref.deref(), undefined);
  dropped.others();
});

testOfGarbage("13.C8 a change made by addWith is not kept once it is done", async (collect) => {
  const FilmResource = resource({ path: "/films/:id", schema: Film });
  const list = FilmResource.getList.schema;
  const controller = new Controller();
  controller.setResponse(FilmResource.getList, []);
  const merges: WeakRef<object>[] = [];
  const prepend = (id: string) => {
    const merge = (existing: unknown, incoming: unknown) => [...incoming as string[], ...existing as string[]];
    merges.push(new WeakRef(merge));
    const add = new Endpoint(async (film: { id: string }) => await Promise.resolve(film), {
      name: "prepend",
      sideEffect: true,
      schema: list.addWith(merge),
    });
    controller.setResponse(add, { id }, { id });
  };
  for (let at = 0; at < 20; at++) prepend(String(at % 4));
  // The engine, or the store, may still hold the last one.
  controller.set(Film, "0", { title: "b" });
  await collect();
  assertEquals(merges.filter((merge) => merge.deref() !== undefined).length <= 2, true);
  assertEquals(controller.getResponse(FilmResource.getList).data!.map(({ id }) => id), ["3", "2", "1", "0"]);
});
