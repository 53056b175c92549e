import { type ReadonlySignal, signal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { Node } from "../store/node.ts";
import { readOf } from "./read.ts";
import { stored } from "./stored.ts";

const forget = (node: Node) => node.signal = undefined;
const NOTHING = /* @__PURE__ */ signal(undefined);

/** A signal of the stored data of a schema or a call; it never asks the server. One node has one, while it is watched. */
export function signalOf(controller: Controller, schema: any, ...args: any[]): ReadonlySignal<any> {
  if (args[0] === null) return NOTHING;
  if (schema.fetch) return readOf(controller, schema, args).data;
  const { store } = controller, find = () => store.nodeOf(schema, args)!, node = find();
  if (!node) return NOTHING;
  return node.signal ??= stored(
    store,
    find,
    (node) => node.row ? store.readRoot(node) : store.get(schema, args),
    forget,
  );
}
