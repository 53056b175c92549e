/**
 * The client of tests/support/whole_client.ts beside the naive model: whether what it shows, and what it keeps, is that.
 *
 * @module
 */
import { snapshotOf, stateOf } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { flush } from "./clock.ts";
import { listKey } from "./list_server.ts";
import type { Members } from "./model.ts";
import { type Call, type Verb, WholeClient } from "./whole_client.ts";
import { allTodos, getRoot, LISTS, Owner, plainOf, type Root, Todo, todoRoot, todos } from "./whole_roots.ts";

/** One client, its server and its model. */
export class WholeSession extends WholeClient {
  override reset(): void {
    super.reset();
    for (const root of this.common) this.#verifyRoot(root, snapshotOf(this.controller));
    assertEquals(stateOf(this.controller).entities.Todo ?? {}, Object.create(null));
  }

  /** Whoever shows what a mutation in doubt may have changed has not asked: what that shows goes. */
  passDoubts(): void {
    if (!this.model.order.some(({ state }) => state === "in doubt")) return;
    this.clock.tick(100);
    this.verify();
  }

  /** Memory is collected, by some steps, or time passes: no reader may notice. Returns whether there is more to do. */
  collect(work: () => boolean): boolean {
    const { model, controller, controller: { store } } = this;
    const before = this.readers.map(({ told, last }) => ({ told, last }));
    const isMore = work();
    const snapshot = snapshotOf(controller);
    const { entities } = stateOf(controller);
    for (const pk of [...model.tables(false).get("Todo")?.keys() ?? []]) {
      if (entities.Todo?.[pk] === undefined) model.forget("Todo", pk);
    }
    for (const args of LISTS) {
      const key = listKey(args);
      if (model.tables(true).get("List")?.has(key) && snapshot.get(todos, args as never) === undefined) {
        model.forget("List", key);
      }
    }
    for (const key of model.keys) {
      if (store.entries.of(key).every(({ hasResult }) => !hasResult)) model.forgetKey(key);
      const shown = model.tables(false).get(key.startsWith("get ") ? "Todo" : "List");
      if (store.entries.of(key).length === 0 && !shown?.has(key.slice(key.indexOf(" ") + 1))) model.forgetMark(key);
    }
    for (const id of this.temporary) {
      const pk = model.nameOf(id);
      if (pk !== id && store.tables.aliases?.pkOf(id) === undefined && !model.tables(false).get("Todo")?.has(pk)) {
        model.unname(id);
      }
    }
    if (model.all("Todo")?.length === 0 && snapshot.get(allTodos) === undefined) model.unknow("Todo");
    this.readers.forEach((reader, at) => {
      const { told, last } = before[at]!;
      assertEquals(reader.told, told, `who shows ${reader.root.name} was told of a collection`);
      assertStrictEquals(reader.root.view(controller).read(store.graph), last, reader.root.name);
    });
    return isMore;
  }

  /**
   * Compares what is stored, and what is shown, with the model.
   *
   * @param readsAgain Reads also in a snapshot, from nothing.
   */
  verify(readsAgain = false): void {
    if (this.failures.length > 0) throw this.failures[0];
    this.forgetDoubts();
    const { controller, controller: { store }, model } = this;
    const base = Object.fromEntries(model.tables(false).get("Todo") ?? []);
    same({ ...stateOf(controller).entities.Todo }, base, "the records");
    const snapshot = snapshotOf(controller);
    for (const { root, last } of this.readers) {
      assert(Object.is(root.view(controller).read(store.graph), last), `who shows ${root.name} was not told`);
      this.#verifyValue(root, root.track(controller), root.name);
      if (readsAgain) this.#verifyRoot(root, snapshot);
    }
    if (this.confirmed.length > 0) this.#verifyConfirmed(snapshot);
    assert(store.sequence.size >= model.flying.length, "in flight");
  }

  /** What must be so when everything that waits for promises has run. */
  verifyRest(): void {
    const { controller: { store }, model } = this;
    // What mutations in doubt show stays until somebody has asked.
    if (model.flying.length > 0 || model.order.some(({ state }) => state === "in doubt")) return;
    const { logs, tableChanges, layers, covered, behind, overlaps, marks, sequence } = store;
    same(
      [
        logs.size,
        tableChanges.length,
        layers.length,
        covered.size,
        behind.size,
        overlaps.size,
        marks.size,
        sequence.size,
        this.unsettled,
      ],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      "at rest",
    );
  }

  /** Reads everything, as a client does that shows all: the same record is the same object wherever it is. */
  look(): void {
    const { controller, model } = this;
    const snapshot = snapshotOf(controller);
    for (const root of this.common) {
      this.#verifyRoot(root, snapshot);
      const value = root.track(controller);
      this.#verifyValue(root, value, root.name);
      if (!Array.isArray(value)) continue;
      for (const todo of value as Todo[]) assertStrictEquals(todo, controller.get(Todo, todo.id), root.name);
    }
    for (const pk of [...this.server.ids, ...this.temporary]) {
      const todo = controller.get(Todo, pk);
      same(plainOf(todo), todoRoot(pk).expected(model), `todo ${pk}`);
      const root = getRoot(this.reads, model.nameOf(pk));
      const { data } = controller.getResponse(this.reads.get, pk);
      const isHidden = model.isInvalid(root.name) && !this.#isShownAnyway(root, data);
      if (!pk.startsWith("~")) assertStrictEquals(data, isHidden ? undefined : todo, root.name);
      assertStrictEquals(todo, controller.get(Todo, model.nameOf(pk)), `${pk} is one record under both names`);
    }
    for (const id of ["1", "2"]) {
      const owner = controller.get(Owner, id);
      if (owner !== undefined) assertStrictEquals(owner.todos, controller.get(todos, { owner: id }));
    }
  }

  #verifyRoot(root: Root, snapshot: ReturnType<typeof snapshotOf>): void {
    this.#verifyValue(root, root.read(snapshot), `${root.name} in a snapshot`);
  }

  #verifyValue(root: Root, value: unknown, name: string): void {
    const isOpen = this.isOrderOpen && root.name === "all";
    const inTurn = (rows: unknown) =>
      isOpen && Array.isArray(rows) ? rows.toSorted((a, b) => a.id < b.id ? -1 : 1) : rows;
    same(inTurn(plainOf(value)), inTurn(root.expected(this.model, this.#isShownAnyway(root, value))), name);
  }

  /** An invalidated read that has failed shows a record that came since (tests/controller/late_errors_test.ts). */
  #isShownAnyway({ request }: Root, value: unknown): boolean {
    if (request === undefined || value === undefined) return false;
    return this.controller.store.entries.get(request.key, request.endpoint)?.error !== undefined;
  }

  /** What a mutation has confirmed is never followed by something older. */
  #verifyConfirmed(snapshot: ReturnType<typeof snapshotOf>): void {
    const seen = this.model.tables(true).get("Todo");
    for (const { demand, item, from, to } of this.confirmed) {
      const { id, type } = demand as { id: string; type: Verb };
      const { title } = (demand as { body: Members }).body;
      // Of mutations that overlapped nobody but the server knows which was first.
      const overlapped = this.calls.some((other) =>
        other.item !== item && other.abort !== undefined && other.from <= to && other.to >= from &&
        this.model.nameOf((other.demand as { id?: string }).id ?? other.names.temporary ?? "") === id
      );
      const byHand = this.model.order.some((other) =>
        other.byHand && other.startedAt > item.startedAt && other.writes.some(({ pk }) => pk === id)
      );
      if (overlapped || byHand) continue;
      const shown = snapshot.get(Todo, id)?.title;
      if (type === "delete") {
        assert(shown === undefined || this.#isPending(id), `the confirmed delete of ${id} came back`);
        continue;
      }
      if (seen?.get(id) === undefined) continue;
      const written = this.server.writtenAt.get(shown) ?? Infinity;
      assert(
        written >= this.server.writtenAt.get(title)!,
        `the confirmed ${type} of ${id} was followed by an older one`,
      );
    }
  }

  #isPending(id: string): boolean {
    return this.calls.some(({ abort, item, demand }) =>
      abort !== undefined && (item.state === "flying" || item.state === "in doubt") &&
      (demand as { id?: string }).id === id
    );
  }

  /** Everything comes to an end, is read once more, and then let go. */
  async finish(): Promise<void> {
    await this.#answerAll();
    const { controller, reads, server } = this;
    for (const args of LISTS) this.follow(controller.fetch(reads.list, args));
    for (const { id } of server.todos) this.follow(controller.fetch(reads.get, id));
    this.follow(controller.fetch(reads.plain));
    await this.#answerAll();
    for (const args of LISTS) {
      same(plainOf(controller.get(todos, args as never)), server.list(args), "the server's truth");
    }
    same(plainOf(controller.getResponse(reads.plain).data), server.list({}), "the server's truth");
    this.look();
    for (const { stop } of this.readers.splice(0)) stop();
    await flush();
    this.verifyRest();
    // What the case has begun is ended first; after that it goes by itself.
    while (this.collector.step());
    this.collector.wake();
    await this.clock.tickAsync(10_000);
    const { store } = controller;
    for (const { key, slots } of store.tables.byKey.values()) {
      same([key, ...slots.keys()], [key], "records that are left");
    }
    same(
      [store.responsesByKey.size, store.watched.size, store.broken.size],
      [0, 0, 0],
      "left",
    );
    assertEquals(this.clock.pending, 0, "timers");
    controller.cleanup();
    this.collector.cleanup();
  }

  async #answerAll(): Promise<void> {
    // More may start while those are answered: what waited for a name.
    for (let open = this.#open(); open.length > 0; open = this.#open()) {
      for (const call of open) this.reply(call, "comes");
      await flush();
      this.verify();
    }
    this.verifyRest();
  }

  #open(): readonly Call[] {
    return this.calls.filter(({ isOver, settle }) => !isOver && settle !== undefined);
  }
}

/** As `assertEquals`, which is slow where there is nothing to say. */
function same(actual: unknown, expected: unknown, what: string): void {
  if (!isSame(actual, expected)) assertEquals(actual, expected, what);
}

function isSame(one: unknown, two: unknown): boolean {
  if (Object.is(one, two)) return true;
  if (typeof one !== "object" || typeof two !== "object" || one === null || two === null) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(two).length && Array.isArray(one) === Array.isArray(two) &&
    names.every((name) => Object.hasOwn(two, name) && isSame(one[name as never], two[name as never]));
}
