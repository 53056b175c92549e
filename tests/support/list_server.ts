/**
 * A server with todos and lists of them, and what a client makes of its answers: slow, obvious, and without a line of the
 * product.
 *
 * @module
 */
import type { Members, Tables, Write } from "./model.ts";

/** A todo, as the server keeps it. */
export interface ServerTodo {
  readonly id: string;
  owner: string;
  status: string;
  title: string;
}

/** The arguments of a list: all must be met; `q` is looked for in the title, which only the server knows how to do. */
export interface ListArgs {
  readonly owner?: string;
  readonly status?: string;
  readonly q?: string;
}

/** What a request asks of the server. */
export type ListDemand =
  | { readonly type: "get"; readonly id: string }
  | { readonly type: "list"; readonly args: ListArgs }
  | { readonly type: "owner"; readonly id: string }
  | { readonly type: "push"; readonly body: Members }
  | { readonly type: "unshift"; readonly body: Members }
  | { readonly type: "move" | "update"; readonly id: string; readonly body: Members }
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "delete"; readonly id: string };

/** Todos in an order that lists share. */
export class ListServer {
  todos: ServerTodo[] = [];
  /** When each title was written. */
  readonly writtenAt: Map<unknown, number> = new Map();
  #lastId = 0;
  #now = 0;

  constructor() {
    for (const owner of ["1", "2", "1"]) {
      this.apply({ type: "push", body: { owner, status: "open", title: "x first" } });
    }
  }

  /** All todos that there ever were. */
  get ids(): string[] {
    return Array.from({ length: this.#lastId }, (_, index) => String(index + 1));
  }

  /** What a list holds now. */
  list(args: ListArgs): ServerTodo[] {
    return this.todos.filter(({ owner, status, title }) =>
      (args.owner === undefined || args.owner === owner) && (args.status === undefined || args.status === status) &&
      (args.q === undefined || title.includes(args.q))
    ).map((todo) => ({ ...todo }));
  }

  /** Does what is asked, now. `undefined`: 404. */
  apply(demand: ListDemand): unknown {
    if (demand.type === "list") return this.list(demand.args);
    if (demand.type === "owner") return { id: demand.id, todos: this.list({ owner: demand.id }) };
    if (demand.type === "push" || demand.type === "unshift") {
      const todo = { owner: "1", status: "open", title: "", ...demand.body, id: String(++this.#lastId) };
      this.todos[demand.type](todo);
      this.writtenAt.set(todo.title, ++this.#now);
      return { ...todo };
    }
    const { id: wanted } = demand;
    const todo = this.todos.find(({ id }) => id === wanted);
    if (todo === undefined) return undefined;
    if (demand.type === "get") return { ...todo };
    if (demand.type === "move" || demand.type === "update") {
      Object.assign(todo, demand.body);
      this.writtenAt.set(todo.title, ++this.#now);
      return { ...todo };
    }
    this.todos = this.todos.filter((other) => other !== todo);
    return { id: demand.id };
  }
}

/** Names a list: its arguments, in one order. */
export function listKey({ owner, q, status }: ListArgs): string {
  return JSON.stringify({ owner, q, status });
}

/** What a client writes for a full answer: every todo, and the list. */
export function writesOfList(args: ListArgs, rows: readonly ServerTodo[]): Write[] {
  const todos = rows.map((members): Write => ({ table: "Todo", pk: members.id, members: { ...members } }));
  return [...todos, { table: "List", pk: listKey(args), members: { args, items: rows.map(({ id }) => id) } }];
}

/** Whether a todo has what a list asks for; `undefined`: nobody but the server knows. */
export function matches(args: ListArgs, todo: Members): boolean | undefined {
  let isKnown = true;
  for (const [name, wanted] of Object.entries(args)) {
    if (todo[name] === undefined) isKnown = false;
    else if (todo[name] !== wanted) return false;
  }
  return isKnown || undefined;
}

/**
 * What is done to lists by a todo that was changed by any other mutation, or by hand: where an argument names a changed
 * member, it leaves those that it does not match any more, and joins those that it does.
 *
 * @param todo The todo as it is then.
 * @param changed The members that were changed.
 * @param below What is there before.
 * @returns What is written.
 */
export function judgeLists(todo: Members, changed: readonly string[], below: Tables): Write[] {
  const pk = todo.id as string;
  const writes: Write[] = [];
  for (const [key, list] of below.get("List") ?? []) {
    const items = list.items as readonly string[];
    const args = list.args as ListArgs;
    if (!Object.keys(args).some((name) => changed.includes(name))) continue;
    const match = matches(args, todo);
    const isIn = items.includes(pk);
    if (match && !isIn) writes.push({ table: "List", pk: key, members: { items: [...items, pk] } });
    if (match === false && isIn) {
      writes.push({ table: "List", pk: key, members: { items: items.filter((item) => item !== pk) } });
    }
  }
  return writes;
}

/**
 * What a change does to the lists that are there before it: a created todo joins those that it matches, a moved one also
 * leaves those that it does not match any more, a removed one leaves all.
 *
 * @param demand What was asked.
 * @param reply What the server said, or is expected to say.
 * @param below What is there before.
 * @returns What is written.
 */
export function changeLists(demand: ListDemand, reply: Members, below: Tables): Write[] {
  const pk = reply.id as string;
  if (demand.type === "delete") return [{ table: "Todo", pk }];
  if (demand.type === "update") return [{ table: "Todo", pk, members: reply }];
  const todo = { ...below.get("Todo")?.get(pk), ...reply };
  const writes: Write[] = [{ table: "Todo", pk, members: reply }];
  for (const [key, list] of below.get("List") ?? []) {
    const items = list.items as readonly string[];
    const match = demand.type === "remove" ? false : matches(list.args as ListArgs, todo);
    const isIn = items.includes(pk);
    let after = items;
    if (match && !isIn) after = demand.type === "unshift" ? [pk, ...items] : [...items, pk];
    const leaves = demand.type === "remove" || demand.type === "move";
    if (match === false && isIn && leaves) after = items.filter((item) => item !== pk);
    if (after !== items) writes.push({ table: "List", pk: key, members: { items: after } });
  }
  return writes;
}
