import { assert, assertEquals } from "@std/assert";
import { flush } from "../support/clock.ts";
import { Film, film, open } from "./_cinema.ts";

Deno.test("requests are noted with state, duration and what they failed with", async () => {
  using cinema = open();
  const { controller, ledger, get, wire, clock } = cinema;
  const [one, two, three] = ["1", "2", "3"].map((id) => controller.fetch(get, id).catch((error) => error));
  ledger.refresh();
  assertEquals(ledger.requests.map(({ key, state, took }) => [key, state, took]), [
    ["GET /films/1", "pending", undefined],
    ["GET /films/2", "pending", undefined],
    ["GET /films/3", "pending", undefined],
  ]);
  assertEquals(ledger.inFlight, 3);
  await clock.tickAsync(40);
  await wire.calls[0]!.reply(film("1"));
  await clock.tickAsync(60);
  await wire.calls[1]!.fail(new TypeError("no network"));
  controller.abort(get, "3");
  await Promise.all([one, two, three]);
  await flush();
  assertEquals(ledger.requests.map(({ state, took, error }) => [state, took, error.split(":")[0]]), [
    ["done", 40, ""],
    ["failed", 100, "TypeError"],
    ["ended", 100, "AbortError"],
  ]);
  assertEquals(ledger.inFlight, 0);
  assert(cinema.changes >= 7);
});

Deno.test("what is in flight when the ledger begins is there, and a reset gives it up", async () => {
  using cinema = open();
  const { controller, get, leave, wire } = cinema;
  leave();
  const answer = controller.fetch(get, "1").catch((error) => error);
  const { Ledger } = await import("../../src/inspector/_ledger.ts");
  const ledger = new Ledger(controller, () => {});
  controller.store.join(ledger);
  assertEquals(ledger.requests.length, 1);
  controller.resetEntireStore();
  await answer;
  await flush();
  assertEquals([ledger.requests[0]!.state, ledger.inFlight, wire.calls.length], ["ended", 0, 1]);
});

Deno.test("a pending mutation is a layer, which falls back when it is refused", async () => {
  using cinema = open();
  const { controller, ledger, rate, wire } = cinema;
  controller.set(Film, "1", film("1") as never);
  const refused = controller.fetch(rate, "1", 5).catch(() => {});
  const kept = controller.fetch(rate, "2", 4);
  assertEquals(ledger.requests.map(({ hasLayer, isRolledBack }) => [hasLayer, isRolledBack]), [
    [true, false],
    [true, false],
  ]);
  assertEquals(ledger.shown.map(({ pk, record }) => [pk, record?.rating]), [["1", 5], ["2", 4]]);
  await wire.calls[0]!.fail();
  await wire.calls[1]!.reply(film("2", { rating: 4 }));
  await Promise.all([refused, kept]);
  await flush();
  assertEquals(ledger.requests.map(({ state, isRolledBack }) => [state, isRolledBack]), [
    ["failed", true],
    ["done", false],
  ]);
  assertEquals([ledger.shown, controller.get(Film, "1")?.rating], [[], 1]);
});

Deno.test("commits are noted with what they changed, and what they were about", async () => {
  using cinema = open();
  const { controller, ledger, get, wire } = cinema;
  const answer = controller.fetch(get, "1");
  await wire.last.reply(film("1"));
  await answer;
  controller.set(Film, "1", { id: "1", title: "New" } as never);
  controller.expire(get, "1");
  assertEquals(ledger.moments.map(({ type, subject }) => [type, subject]), [
    ["setResponse", "GET /films/1"],
    ["set", "Film"],
    ["expire", ""],
  ]);
  const [first, second] = ledger.moments;
  assertEquals(first!.patch.records.map(({ key, pk }) => `${key} ${pk}`).sort(), ["Film 1", "Genre drama"]);
  assertEquals(second!.patch.records.map(({ before, after }) => [before?.title, after?.title]), [["Film 1", "New"]]);
  ledger.rest(true);
  controller.set(Film, "1", { title: "Not noted" } as never);
  ledger.rest(false);
  assertEquals(ledger.moments.length, 3);
});

Deno.test("so many are remembered, by their number and by what they keep", async () => {
  using cinema = open();
  const { controller, ledger, get } = cinema;
  for (let id = 0; id < 250; id++) controller.fetch(get, String(id)).catch(() => {});
  assertEquals([ledger.requests.length, ledger.requests[0]!.key], [200, "GET /films/50"]);
  assertEquals(ledger.inFlight, 250);
  controller.resetEntireStore();
  await flush();
  assertEquals(ledger.inFlight, 0);
  for (let turn = 0; turn < 1_100; turn++) controller.set(Film, "1", { id: "1", rating: turn } as never);
  assertEquals(ledger.moments.length, 1_000);
  assertEquals(ledger.moments.at(-1)!.patch.records[0]!.after?.rating, 1_099);
  for (let turn = 0; turn < 12; turn++) {
    const rows = Array.from({ length: 10_000 }, (_, at) => film(String(at), { rating: turn }));
    controller.setResponse(cinema.list, { films: rows });
  }
  const kept = ledger.moments.reduce((sum, { patch }) => sum + patch.records.length, 0);
  assert(kept <= 100_000 && kept >= 80_000, `${kept} changes`);
});
