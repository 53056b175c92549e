/** Readers for tests: like a component they read from a store, and are told when the value is another object. */
import type { Controller } from "@rejoin/data";
import { type Node, watch } from "../../src/store/row.ts";

/** A mounted reader. */
export interface Reader {
  readonly value: any;
  /** How often the reader was told and its value was another object. */
  readonly told: number;
}

function follow(read: () => any, node: Node): Reader {
  let told = 0, last = read();
  watch(node, {
    watcher: undefined,
    tell: () => {
      const next = read();
      if (next !== last) told++;
      last = next;
    },
  });
  return {
    get value() {
      return read();
    },
    get told() {
      return told;
    },
  };
}

/** Mounts a reader of a schema with arguments. */
export function readerOf({ store }: Controller, schema: any, ...args: any[]): Reader {
  return follow(() => store.get(schema, args), store.nodeOf(schema, args)!);
}

/** Mounts a reader of the stored answer of a call. */
export function readerOfAnswer({ store }: Controller, endpoint: any, ...args: any[]): Reader {
  const answer = store.answer(endpoint, args);
  return follow(() => store.data(answer), answer);
}

export { readerOfAnswer as readerOfResponse };
/** The records of a store, by table and pk. */
export const entitiesOf = (c: any): any =>
  Object.fromEntries(
    [...c.store.tables].map(([k, t]: any) => [
      k,
      Object.fromEntries([...t.rows].filter(([, r]: any) => r.rec).map(([pk, r]: any) => [pk, r.rec])),
    ]),
  );
