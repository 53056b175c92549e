import "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Query, schema } from "@rejoin/data";
import { useQuery } from "@rejoin/data/preact";
import { renderDataHook } from "@rejoin/data/testing";
import { fill, Film, Genre } from "./_cinema.tsx";

const all = new schema.All(Film);

Deno.test("useQuery reads an entity by its pk, whether it is a part of an object or not", async () => {
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien" });
  await using hook = renderDataHook(
    () => [useQuery(Film, { id: "1" }), useQuery(Film, "1"), useQuery(Film, { id: "2" })],
    { controller },
  );
  const film = controller.get(Film, { id: "1" });
  const [byObject, byPk, none] = hook.result.current!;
  assertStrictEquals(byObject, film);
  assertStrictEquals(byPk, film);
  assertEquals(none, undefined);
});

Deno.test("useQuery follows its arguments and its schema", async () => {
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien", genre: { id: "1", name: "Horror" } }, { id: "2", title: "Brazil" });
  await using hook = renderDataHook(({ of, id }: { of: typeof Film | typeof Genre; id: string }) => {
    const value = useQuery(of, { id }) as { title?: string; name?: string } | undefined;
    return value?.title ?? value?.name ?? "none";
  }, { controller, initialProps: { of: Film, id: "1" } });
  hook.rerender({ of: Film, id: "2" });
  await hook.settled();
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await hook.settled();
  assertEquals(hook.result.history, ["Alien", "Brazil"]);
  hook.rerender({ of: Genre, id: "1" });
  hook.rerender({ of: Genre, id: "5" });
  await hook.settled();
  controller.set(Genre, { id: "5" }, { name: "Comedy" });
  await hook.settled();
  assertEquals(hook.result.history.slice(2), ["Horror", "none", "Comedy"]);
});

Deno.test("useQuery reads a whole table: undefined until it is known, then in order of arrival", async () => {
  const controller = new Controller();
  await using hook = renderDataHook(() => useQuery(all)?.map(({ title }) => title), { controller });
  fill(controller);
  await hook.settled();
  fill(controller, { id: "2", title: "B" }, { id: "1", title: "A" });
  await hook.settled();
  controller.resetEntireStore();
  await hook.settled();
  assertEquals(hook.result.history, [undefined, [], ["B", "A"], undefined]);
});

Deno.test("useQuery reads a Query with its arguments, and nothing more renders when the outcome is the same", async () => {
  const controller = new Controller();
  const named = new Query(
    all,
    (films, { genre }: { genre: string }) => films.filter((film) => film.genre?.id === genre),
  );
  fill(controller, { id: "1", title: "A", genre: { id: "x", name: "X" } }, {
    id: "2",
    title: "B",
    genre: { id: "y", name: "Y" },
  });
  await using hook = renderDataHook(() => useQuery(named, { genre: "x" })?.map(({ title }) => title), { controller });
  controller.set(Film, { id: "2" }, { title: "C" });
  await hook.settled();
  assertEquals(hook.result.history, [["A"]]);
  controller.set(Film, { id: "2" }, { genre: "x" as never });
  await hook.settled();
  assertEquals(hook.result.history, [["A"], ["A", "C"]]);
});

Deno.test("useQuery gives undefined when its first argument is null", async () => {
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien" });
  await using hook = renderDataHook(() => useQuery(Film, null), { controller });
  assertEquals(hook.result.history, [undefined]);
});
