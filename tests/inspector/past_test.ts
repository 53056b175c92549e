import { assertEquals } from "@std/assert";
import type { State } from "@rejoin/data";
import { hydrate, memory, stateOf } from "@rejoin/data";
import { stateAt } from "../../src/inspector/_past.ts";
import { Chance, RESERVED } from "../support/hostile.ts";
import { flush } from "../support/clock.ts";
import { Film, film, Genre, open } from "./_cinema.ts";

/** What is compared: records and results; tables without records are as good as none. */
function plain({ entities, endpoints }: State): unknown {
  const tables = named(entities).filter(([, records]) => Object.keys(records).length > 0);
  return [tables.map(([key, records]) => [key, named(records)]), named(endpoints)];
}

/** Names and values, by name. */
function named<T>(table: { readonly [name: string]: T }): [string, T][] {
  return Object.entries(table).sort(([a], [b]) => a < b ? -1 : 1);
}

/** The same with what pending mutations show. */
function shownOn(state: State, shown: readonly { key: string; pk: string; record: unknown }[]): unknown {
  const bare = <T extends object>(table?: T): T => Object.assign(Object.create(null), table);
  const entities = bare(state.entities) as { [key: string]: { [pk: string]: unknown } };
  for (const { key, pk, record } of shown) {
    const records = entities[key] = bare(entities[key]);
    if (record === undefined) delete records[pk];
    else records[pk] = record;
  }
  return plain({ ...state, entities: entities as State["entities"] });
}

Deno.test("every commit of random sessions can be looked at again, and looking changes nothing", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const chance = new Chance(seed * 7_919);
    using cinema = open({ use: [memory({ maxAge: 1_000 })] });
    const { controller, ledger, get, list, rate, wire, clock } = cinema;
    const pks = ["1", "2", "10", "a", ...RESERVED.slice(0, 3)];
    const seen: unknown[] = [];
    const look = () => {
      while (seen.length < ledger.moments.length) seen.push(shownOn(stateOf(controller), ledger.shown));
    };
    const leave = controller.store.join({ committed: look, released: look });
    const ids = () => chance.several(4, () => chance.pick(pks));
    for (let step = 0; step < 60; step++) {
      const pk = chance.pick(pks);
      switch (chance.below(12)) {
        case 0:
        case 1:
          controller.set(Film, pk, { id: pk, title: chance.text() } as never);
          break;
        case 2:
          controller.setResponse(list, { films: ids().map((id) => film(id, { rating: chance.below(5) })) });
          break;
        case 3:
          controller.fetch(get, pk).catch(() => {});
          break;
        case 4:
          controller.fetch(rate, pk, chance.below(9)).catch(() => {});
          break;
        case 5:
        case 6: {
          const call = wire.calls.splice(chance.below(wire.calls.length || 1), 1)[0];
          if (chance.below(3) === 0) await call?.fail();
          else await call?.reply(film(String(call.args[0]), { rating: chance.below(9) }));
          break;
        }
        case 7:
          controller.invalidate(get, pk);
          break;
        case 8:
          controller.set(Genre, "drama", { id: "drama", name: chance.text() });
          break;
        case 9:
          await clock.tickAsync(2_000);
          break;
        case 10:
          if (chance.below(4) === 0) controller.resetEntireStore();
          break;
        case 11:
          if (chance.below(4) === 0) hydrate(controller, JSON.parse(JSON.stringify(stateOf(controller))));
      }
      look();
    }
    const before = [stateOf(controller), controller.store.commits];
    for (let at = 0; at < ledger.moments.length; at++) {
      assertEquals(plain(stateAt(controller, ledger.moments, at)), seen[at], `seed ${seed}, commit ${at}`);
    }
    assertEquals([stateOf(controller), controller.store.commits], before);
    leave();
    controller.resetEntireStore();
    await flush();
  }
});

Deno.test("a moment of the past can be shown by another controller, and nothing of it is stale", () => {
  using cinema = open();
  const { controller, ledger, list } = cinema;
  controller.setResponse(list, { films: [film("10"), film("2")] });
  controller.set(Film, "2", { title: "New" } as never);
  controller.expireAll(list);
  using there = open({ use: [hydrate(JSON.parse(JSON.stringify(stateAt(controller, ledger.moments, 0))))] });
  const { data, expiresAt } = there.controller.getResponse(list);
  assertEquals(data?.films.map(({ title }) => title), ["Film 10", "Film 2"]);
  assertEquals(expiresAt, Infinity);
});
