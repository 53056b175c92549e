/**
 * A store of films whose requests wait for the test, with a ledger that takes note of what happens.
 *
 * @module
 */
import { Controller, type ControllerOptions, Endpoint, Entity, Query, schema } from "@rejoin/data";
import { Ledger } from "../../src/inspector/_ledger.ts";
import { FakeClock } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

export class Genre extends Entity {
  id = "";
  name = "";
  static key = "Genre";
}
export class Film extends Entity {
  id = "";
  title = "";
  rating = 0;
  genre: Genre | undefined = undefined;
  static key = "Film";
  static schema = { genre: Genre };
}

/** Films sorted by title. */
export const sorted = new Query(new schema.All(Film), (films) => [...films].sort((a, b) => a.title < b.title ? -1 : 1));

/** What {@linkcode open} gives. */
export type Cinema = ReturnType<typeof open>;

/** Opens one; `using` closes it. */
export function open(options: ControllerOptions = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const wire = new Wire();
  const controller = new Controller(options);
  let changes = 0;
  const ledger = new Ledger(controller, () => changes++);
  const leave = controller.store.join(ledger);
  const get = new Endpoint(wire.fn<[id: string]>("get"), {
    name: "get",
    key: (id) => `GET /films/${id}`,
    schema: Film,
  });
  const list = new Endpoint(wire.fn("list"), { name: "list", key: () => "GET /films", schema: { films: [Film] } });
  const rate = new Endpoint(wire.fn<[id: string, rating: number]>("rate"), {
    name: "rate",
    key: (id) => `PATCH /films/${id}`,
    schema: Film,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, id: string, rating: number) => ({ id, rating }),
  });
  return {
    clock,
    wire,
    controller,
    ledger,
    leave,
    get,
    list,
    rate,
    /** How often the ledger has said that something is new. */
    get changes() {
      return changes;
    },
    [Symbol.dispose]() {
      controller.cleanup();
      restore();
    },
  };
}

/** As an API sends it. */
export function film(id: string, members: object = {}): object {
  return { id, title: `Film ${id}`, rating: 1, genre: { id: "drama", name: "Drama" }, ...members };
}
