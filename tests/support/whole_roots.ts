/**
 * All that somebody can show of todos: how the product reads it, and what the naive model says that it is.
 *
 * @module
 */
import { type AnySchema, type Controller, Endpoint, Entity, Query, schema } from "@rejoin/data";
import { readQuery, readResponse } from "@rejoin/data/signals";
import type { StoreSnapshot } from "../../src/parts/snapshot/store_snapshot.ts";
import type { ViewNode } from "../../src/denormalize/node.ts";
import { type ListArgs, type ListDemand, listKey } from "./list_server.ts";
import type { Members, Model } from "./model.ts";

/** A todo, as the client knows it. */
export class Todo extends Entity {
  id = "";
  owner = "";
  status = "";
  title = "";
  static key = "Todo";
}

/** Somebody who has todos. */
export class Owner extends Entity {
  id = "";
  todos: Todo[] = [];
  static key = "Owner";
  static schema = {
    todos: new schema.Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }),
  };
}

/** The lists that created todos join. */
export const todos = new schema.Collection([Todo]);
/** All of them. */
export const allTodos = new schema.All(Todo);
/** Their titles, as one text: an answer that has no identity. */
export const titles = new Query(allTodos, (all) => all.map(({ title }) => title).sort().join());

/** The arguments of lists that are asked for. */
export const LISTS: readonly ListArgs[] = [
  {},
  { owner: "1" },
  { owner: "2" },
  { status: "open" },
  { owner: "1", status: "done" },
  { q: "x" },
];

/** The reads of a client. Their keys are those of the model. */
export class Reads {
  readonly get;
  readonly plain;
  readonly list;
  readonly owner;

  /** @param send Puts a request on the wire, under a key. */
  constructor(send: (demand: ListDemand, key: string) => Promise<unknown>) {
    this.get = new Endpoint((id: string) => send({ type: "get", id }, `get ${id}`), {
      name: "get",
      key: (id: string) => `get ${id}`,
      schema: Todo,
    });
    this.plain = new Endpoint(() => send({ type: "list", args: {} }, "plain"), {
      name: "plain",
      key: () => "plain",
      schema: [Todo],
    });
    this.list = new Endpoint((args: ListArgs) => send({ type: "list", args }, `list ${listKey(args)}`), {
      name: "list",
      key: (args: ListArgs) => `list ${listKey(args)}`,
      schema: todos,
    });
    this.owner = new Endpoint((id: string) => send({ type: "owner", id }, `owner ${id}`), {
      name: "owner",
      key: (id: string) => `owner ${id}`,
      schema: Owner,
    });
  }
}

/** One thing that somebody shows. */
export interface Root {
  readonly name: string;
  /** Its view in the store; what it reads, an object of its own where it is another one, is what readers are told of. */
  view(controller: Controller): ViewNode;
  /** Its value, tracked by signals. */
  track(controller: Controller): unknown;
  /** Its value in a snapshot, which shares no view with the store. */
  read(snapshot: StoreSnapshot): unknown;
  /**
   * What the value has to be, as plain data.
   *
   * @param isShown What was invalidated is shown all the same.
   */
  expected(model: Model, isShown?: boolean): unknown;
  /** The request that brings it, where there is one. */
  readonly request?: { readonly endpoint: Reads["get"]; readonly args: readonly string[]; readonly key: string };
}

const DEFAULTS: Members = { id: "", owner: "", status: "", title: "" };

/** A value that readers are given, as plain data. */
export function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  return value instanceof Todo ? { ...value } : value;
}

function todoOf(model: Model, pk: string): Members | undefined {
  const record = model.tables(true).get("Todo")?.get(model.nameOf(pk));
  return record && { ...DEFAULTS, ...record };
}

/** The items of a list that are there. */
function itemsOf(model: Model, pks: readonly string[] | undefined): unknown {
  return pks?.map((pk) => todoOf(model, pk)).filter((todo) => todo !== undefined);
}

function listOf(model: Model, args: ListArgs): unknown {
  return itemsOf(model, model.tables(true).get("List")?.get(listKey(args))?.items as readonly string[] | undefined);
}

function query(name: string, of: AnySchema, args: readonly unknown[], expected: Root["expected"]): Root {
  return {
    name,
    view: ({ store }) => store.query(of, args),
    track: (controller) => readQuery(controller, of as typeof Todo, ...args as [string]),
    read: (snapshot) => snapshot.get(of as typeof Todo, ...args as [string]),
    expected,
  };
}

function response(of: unknown, args: readonly unknown[], expected: Root["expected"]): Root {
  const endpoint = of as Reads["get"];
  const given = args as [string];
  const key = endpoint.key(...given);
  return {
    name: key,
    view: ({ store }) => store.response(endpoint, args, key),
    track: (controller) => readResponse(controller, endpoint, ...given).data,
    read: (snapshot) => snapshot.getResponse(endpoint, ...given).data,
    expected: (model, isShown = false) => model.isInvalid(key) && !isShown ? undefined : expected(model),
    request: { endpoint, args: given, key },
  };
}

/** One todo by its pk, which may be a temporary one. */
export function todoRoot(pk: string): Root {
  return query(`todo ${pk}`, Todo, [pk], (model) => todoOf(model, pk));
}

/** What a request for one todo shows. */
export function getRoot(reads: Reads, pk: string): Root {
  return response(reads.get, [pk], (model) => todoOf(model, pk));
}

/** Everything that is not one todo. */
export function commonRoots(reads: Reads): readonly Root[] {
  const titlesOf = (model: Model) => model.all("Todo")?.map((pk) => todoOf(model, pk)!.title as string).sort().join();
  return [
    query("all", allTodos, [], (model) => itemsOf(model, model.all("Todo"))),
    query("titles", titles, [], titlesOf),
    response(reads.plain, [], (model) => itemsOf(model, model.resultOf("plain") as readonly string[] | undefined)),
    ...LISTS.map((args) => query(`rows ${listKey(args)}`, todos, [args], (model) => listOf(model, args))),
    ...LISTS.map((args) => response(reads.list, [args], (model) => listOf(model, args))),
  ];
}
