import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { computed, effect, signal } from "@preact/signals-core";
import { Controller, Endpoint, Entity, ExpiryStatus, Query, schema } from "@rejoin/data";
import { readResponse } from "@rejoin/data/signals";
import { FakeClock } from "../support/clock.ts";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

const getFilm = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title: `Film ${id}` }), {
  name: "getFilm",
  schema: Film,
});
const all = new Query(new schema.All(Film), (films) => films.map(({ title }) => title).join());

Deno.test("readResponse runs an effect again when the answer is another one, and only then", async () => {
  const controller = new Controller();
  const seen: (string | undefined)[] = [];
  const stop = effect(() => void seen.push(readResponse(controller, getFilm, { id: "1" }).data?.title));
  await controller.fetch(getFilm, { id: "1" });
  await controller.fetch(getFilm, { id: "1" });
  await controller.fetch(getFilm, { id: "2" });
  controller.set(Film, { id: "1" }, { title: "Alien" });
  controller.set(Film, { id: "1" }, { title: "Alien" });
  stop();
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  assertEquals(seen, [undefined, "Film 1", "Alien"]);
});

Deno.test("readResponse tells of invalidation, of a stale mark and of an error", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller();
  const seen: unknown[] = [];
  const stop = effect(() => {
    const { data, expiryStatus, expiresAt } = readResponse(controller, getFilm, { id: "1" });
    seen.push([data?.title, expiryStatus, expiresAt > clock.now()]);
  });
  controller.setResponse(getFilm, { id: "1" }, { id: "1", title: "Alien" });
  controller.expireAll(getFilm);
  controller.invalidate(getFilm, { id: "1" });
  controller.setError(getFilm, { id: "1" }, new Error("no luck"));
  stop();
  assertEquals(seen, [
    [undefined, ExpiryStatus.Invalid, false],
    ["Alien", ExpiryStatus.Valid, true],
    ["Alien", ExpiryStatus.Valid, false],
    [undefined, ExpiryStatus.Invalid, false],
    [undefined, ExpiryStatus.Invalid, true],
  ]);
});

Deno.test("readResponse gives the same as the controller, and nothing when it is inactive", () => {
  using _ = new FakeClock().install();
  const controller = new Controller();
  controller.setResponse(getFilm, { id: "1" }, { id: "1", title: "Alien" });
  const read = readResponse(controller, getFilm, { id: "1" });
  assertEquals(read, controller.getResponse(getFilm, { id: "1" }));
  assertStrictEquals(read.data, controller.get(Film, "1"));
  let runs = 0;
  const stop = effect(() => {
    runs++;
    assertEquals(readResponse(controller, getFilm, null).data, undefined);
  });
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  stop();
  assertEquals(runs, 1);
});

Deno.test("readResponse reads a Query", () => {
  const controller = new Controller();
  const titles = computed(() => readResponse(controller, all).data);
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push(titles.value));
  controller.set(Film, { id: "1" }, { title: "Alien" });
  controller.set(Film, { id: "2" }, { title: "Brazil" });
  stop();
  assertEquals(seen, [undefined, "Alien", "Alien,Brazil"]);
});

Deno.test("readResponse follows signals that its arguments come from", () => {
  const controller = new Controller();
  controller.setResponse(getFilm, { id: "1" }, { id: "1", title: "Alien" });
  controller.setResponse(getFilm, { id: "2" }, { id: "2", title: "Brazil" });
  const id = signal("1");
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push(readResponse(controller, getFilm, { id: id.value }).data?.title));
  id.value = "2";
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  controller.set(Film, { id: "2" }, { title: "Brasil" });
  stop();
  assertEquals(seen, ["Alien", "Brazil", "Brasil"]);
});

Deno.test("readResponse never fetches", () => {
  const controller = new Controller();
  let calls = 0;
  const counted = new Endpoint(() => Promise.resolve(++calls), { name: "counted" });
  const stop = effect(() => void readResponse(controller, counted));
  controller.invalidateAll(counted);
  stop();
  assertEquals(calls, 0);
  assert(controller.store.sequence.size === 0);
});
