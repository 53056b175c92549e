/**
 * Bulk operations, in which an implementation easily becomes far worse than linear.
 *
 * @module
 */
import { All, Collection, Controller, createResource, Endpoint, Entity, Query, resource } from "@rejoin/data/core";
import type { BulkScene } from "../contestant.ts";
import { times } from "../scenario.ts";

class Row extends Entity {
  id = "";
  title = "";
  static key = "Row";
}

class Tagged extends Entity {
  id = "";
  rows: Row[] = [];
  static key = "Tagged";
  static schema = { rows: [Row] };
}

const rowsFrom = (first: number, count: number) => times(count, (at) => ({ id: `${first + at}`, title: `row ${at}` }));
const never = () => new Promise<never>(() => {});
const getForever = new Endpoint(never, { name: "getForever" });
const editRow = new Endpoint((_row: { id: string; title: string }) => never(), {
  name: "editRow",
  schema: Row,
  sideEffect: true,
  getOptimisticResponse: (_snapshot, row: { id: string; title: string }) => row,
});
const getRows = new Endpoint(never, { name: "getRows", schema: [Row] });
const getPage = new Endpoint((_page: number) => never(), { name: "getPage", schema: [Row] });

const list = new Endpoint(never, { name: "list", schema: new Collection([Row]) });
const listOf = new Endpoint((_args: { group: string }) => never(), { name: "listOf", schema: new Collection([Row]) });
const getTagged = new Endpoint(never, { name: "getTagged", schema: Tagged });

/** The operations by name. */
export const OUR_BULK: Readonly<Record<string, BulkScene>> = {
  "push-1000": () => (operations) => {
    const controllers = times(operations, () => {
      const controller = new Controller();
      controller.setResponse(list, rowsFrom(0, 8_000));
      return controller;
    });
    const { push } = list.schema;
    const add = new Endpoint(never, { name: "add", schema: push, sideEffect: true });
    const items = times(operations, () => rowsFrom(8_000, 1_000));
    return () => {
      controllers.forEach((controller, at) => controller.setResponse(add, items[at]!));
      return controllers.reduce((count, controller) => count + controller.getResponse(list).data!.length - 8_999, 0);
    };
  },
  "beside-lists": () => {
    const controller = new Controller();
    for (let at = 0; at < 2_000; at++) {
      controller.setResponse(listOf, { group: `${at}` }, rowsFrom(at * 2, 2));
    }
    const create = listOf.extend({
      name: "create",
      schema: listOf.schema.push,
      sideEffect: true,
      getOptimisticResponse: (_snapshot) => ({ id: "new", title: "new" }),
    });
    controller.fetch(create, { group: "5" }).catch(() => {});
    let count = 0;
    return (operations) => () => {
      for (let at = 0; at < operations; at++) {
        controller.set(Tagged, { id: "1" }, { id: "1", title: `${++count}` } as never);
      }
      return operations;
    };
  },
  "under-request": () => {
    const controller = new Controller();
    controller.fetch(getForever).catch(() => {});
    for (let page = 0; page < 400; page++) controller.setResponse(getPage, page, rowsFrom(page * 200, 200));
    let page = 400;
    return (operations) => {
      const replies = times(operations, () => rowsFrom(page++ * 200, 200));
      return () => {
        replies.forEach((reply, at) => controller.setResponse(getPage, page + at, reply));
        return operations;
      };
    };
  },
  "append-member": () => {
    const controller = new Controller();
    const pks = times(8_000, (at) => `${at}`);
    controller.setResponse(getRows, rowsFrom(0, 9_000));
    controller.setResponse(getTagged, { id: "1", rows: pks });
    controller.get(Tagged, { id: "1" });
    return (operations) => {
      const values = times(operations, () => [...pks, `${8_000 + pks.push(`${pks.length}`) % 1_000}`]);
      return () => {
        for (const rows of values) {
          controller.setResponse(getTagged, { id: "1", rows });
          controller.get(Tagged, { id: "1" });
        }
        return operations;
      };
    };
  },
  "confirm-create": () => {
    const Rows = resource({ path: "/rows/:id", schema: Row, optimistic: true });
    const controller = new Controller();
    controller.setResponse(Rows.getList, rowsFrom(0, 100_000));
    controller.get(new Query(new All(Row), (all) => all.length));
    let next = 100_000;
    return (operations) => {
      const answers = times(operations, () => ({ id: `${next++}`, title: `made ${next}` }));
      return () => {
        for (const answer of answers) controller.setResponse(Rows.create, { title: answer.title }, answer);
        return operations;
      };
    };
  },
  "optimistic-4000": () => (operations) => {
    const scenes = times(operations, () => {
      const controller = new Controller();
      controller.setResponse(getRows, rowsFrom(0, 4_000));
      controller.getResponse(getRows);
      return controller;
    });
    return () => {
      for (const controller of scenes) {
        for (let at = 0; at < 4_000; at++) {
          controller.fetch(editRow, { id: `${at}`, title: "edited" }).catch(() => {});
          controller.getResponse(getRows);
        }
      }
      return operations;
    };
  },
  "expire-one": () => {
    const controller = new Controller();
    const { get } = createResource({ path: "/rows/:id", schema: Row });
    for (const row of rowsFrom(0, 20_000)) controller.setResponse(get, { id: row.id }, row);
    let at = 0;
    return (operations) => () => {
      for (let done = 0; done < operations; done++) controller.expire(get, { id: `${(at += 7919) % 20_000}` });
      return operations;
    };
  },
};
