/**
 * Much at once, where an implementation is easily far worse than linear.
 *
 * @module
 */
import { All, Collection, Controller, createResource, Endpoint, Entity, Query, resource } from "@rejoin/data";
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
/** It says that it keeps a deadline itself, so that no clock runs. */
const getForever = Object.assign(new Endpoint(never, { name: "getForever" }), { hasDeadline: true });
const getRows = new Endpoint(never, { name: "getRows", schema: [Row] });
const getPage = new Endpoint((_page: number) => never(), { name: "getPage", schema: [Row] });

const list = new Endpoint(never, { name: "list", schema: new Collection([Row]) });
const listOf = new Endpoint((_args: { group: string }) => never(), { name: "listOf", schema: new Collection([Row]) });
const getTagged = new Endpoint(never, { name: "getTagged", schema: Tagged });

/** Classes of other tables, each with an index. */
const others = times(40, (at) =>
  class extends Entity {
    id = "";
    group = "";
    static override key = `Other${at}`;
    static indexes = ["group"];
  });

/** By name. */
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
      getOptimisticResponse: (snapshot) => ({ id: snapshot.temporaryId(), title: "new" }),
    });
    controller.fetch(Object.assign(create, { hasDeadline: true }), { group: "5" }).catch(() => {});
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
    const flight = controller.startRead(getForever, [], getForever.key());
    if (flight !== undefined) controller.hold(flight);
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
    const replies = new Map<string, (reply: unknown) => void>();
    const Rows = resource({ path: "/rows/:id", schema: Row, optimistic: true });
    const create = Rows.create.extend({
      fetch: (body: { title: string }) =>
        new Promise<never>((resolve) => replies.set(body.title, resolve as (reply: unknown) => void)),
    });
    const controller = new Controller();
    controller.setResponse(Rows.getList, rowsFrom(0, 100_000));
    controller.get(new Query(new All(Row), (all) => all.length));
    let next = 100_000;
    return (operations) => {
      const titles = times(operations, () => `made ${next++}`);
      for (const title of titles) controller.fetch(create, { title }).catch(() => {});
      const answers = titles.map((title, at) => ({ id: `${next + at}`, title }));
      next += operations;
      return () => {
        for (const answer of answers) controller.resolve(create, { args: [{ title: answer.title }], response: answer });
        return operations;
      };
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
  "other-indexes": () => {
    const controller = new Controller();
    for (const other of others) {
      controller.set(other, { id: "1" }, { id: "1", group: "a" });
      controller.get(other, { group: "a" } as never);
    }
    controller.setResponse(getRows, rowsFrom(0, 1_000));
    let count = 0;
    return (operations) => () => {
      for (let at = 0; at < operations; at++) {
        const id = `${++count % 1_000}`;
        controller.set(Row, { id }, { id, title: `changed ${count}` });
      }
      return operations;
    };
  },
};
