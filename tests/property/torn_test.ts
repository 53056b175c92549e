/**
 * A commit is seen whole or not at all: ten records that refer to each other are always written together, and wherever
 * somebody can look (effects of signals, watchers, listeners of commits, snapshots, and the functions of classes, queries
 * and layers while a write is being computed), all ten are of one write.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { effect } from "@preact/signals-core";
import * as fc from "fast-check";
import {
  type AnyEntity,
  Controller,
  Endpoint,
  Entity,
  onCommit,
  Query,
  schema,
  type Snapshot,
  snapshotOf,
} from "@rejoin/data";
import { readQuery, readResponse } from "@rejoin/data/signals";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { Pending } from "../support/pending.ts";
import { check, runs } from "../support/property.ts";
import { Wire } from "../support/wire.ts";

/** Called by whatever functions of the classes run, with the name of the place. */
let look: (where: string) => void = () => {};

/** Of each record it is known which write it is of. */
abstract class Written extends Entity {
  id = "";
  write = 0;
  static override process(input: object): object {
    look("process");
    return { ...input };
  }
  static override merge(existing: object, incoming: object): object {
    look("merge");
    return { ...existing, ...incoming };
  }
}
class Customer extends Written {
  static override key = "Customer";
}
class Product extends Written {
  static override key = "Product";
}
class Item extends Written {
  amount = 0;
  product: Product | undefined = undefined;
  static override key = "Item";
  static schema = { product: Product };
}
class Invoice extends Written {
  order: Order | undefined = undefined;
  static override key = "Invoice";
  static schema: { order: typeof Order } = {} as never;
}
class Order extends Written {
  total = 0;
  customer: Customer | undefined = undefined;
  payer: Customer | undefined = undefined;
  items: Item[] = [];
  invoice: Invoice | undefined = undefined;
  static override key = "Order";
  static schema = { customer: Customer, payer: Customer, items: [Item], invoice: Invoice };
}
Invoice.schema = { order: Order };

const TEN: readonly (readonly [of: AnyEntity, pk: string])[] = [
  [Order, "1"],
  [Invoice, "1"],
  [Customer, "1"],
  [Customer, "2"],
  ...["1", "2", "3"].flatMap((pk) => [[Item, pk], [Product, pk]] as const),
];
const allItems = new schema.All(Item);
const sum = new Query(allItems, (items) => {
  look("the function of a query");
  verify("what a query is given", [...items, ...items.map(({ product }) => product!)]);
  return items.reduce((total, { amount }) => total + amount, 0);
});
const sorted = new Query(allItems, (items) => {
  look("the function of a query");
  return items.toSorted((a, b) => b.amount - a.amount);
});

/** All ten, as a response: nested in each other, in one way or another. */
function bodyOf(write: number): { readonly id: string } {
  const items = ["1", "2", "3"].map((id, at) => ({ id, write, amount: write * (at + 1), product: { id, write } }));
  if (write % 3 === 0) items.reverse();
  return {
    id: "1",
    write,
    total: write * 6,
    customer: { id: "1", write },
    payer: { id: "2", write },
    items,
    invoice: { id: "1", write, order: "1" },
  } as { readonly id: string };
}

/** How often somebody has looked, by place. */
const looks = new Map<string, number>();

/** All of one write, or none is there; gives the write. */
function verify(where: string, records: readonly (Written | undefined)[]): number | undefined {
  looks.set(where, (looks.get(where) ?? 0) + 1);
  const first = records[0]?.write;
  for (const record of records) {
    if (record?.write !== first) throw new Torn(`${where}: ${records.map((each) => each?.write)}`);
  }
  return first;
}

class Torn extends Error {}

/** As above, of an order with everything in it. */
function verifyOrder(where: string, order: Order | undefined): void {
  if (order === undefined) return;
  const { customer, invoice, items, payer, total } = order;
  verify(where, [order, customer, payer, invoice, invoice!.order, ...items, ...items.map(({ product }) => product)]);
  const amounts = items.reduce((before, { amount }) => before + amount, 0);
  if (total !== amounts || items.length !== 3) throw new Torn(`${where}: ${total} is not ${amounts}`);
}

const OPS = [
  ["respond", 3],
  ["set", 3],
  ["setBy", 2],
  ["start a read", 2],
  ["answer a read", 3],
  ["start a mutation", 3],
  ["confirm", 3],
  ["refuse", 2],
  ["hold a snapshot", 1],
  ["commit while telling", 1],
  ["reset", 1],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], at: number];
const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(7),
);

let commits = 0;

class Session {
  readonly controller = new Controller();
  readonly failures: unknown[] = [];
  readonly #wire = new Wire();
  readonly #pending = new Pending(this.controller);
  readonly #get = new Endpoint(this.#wire.fn<[string]>("get"), {
    name: "get",
    key: (pk) => `get ${pk}`,
    schema: Order,
  });
  readonly #stops: (() => void)[] = [];
  readonly #held: { readonly write: number | undefined; readonly snapshot: ReturnType<typeof snapshotOf> }[] = [];
  #last = 0;
  #isToCommit = false;
  #answered = 0;

  constructor() {
    const { controller, controller: { store } } = this;
    look = (where) => this.#guard(() => this.verifyTen(`during ${where}`));
    for (const [of, pk] of TEN) {
      this.#stops.push(watch(store, store.graph.query(of, [pk]), () =>
        this.#guard(() => {
          if (this.#isToCommit) {
            this.#isToCommit = false;
            controller.set(Order, "1", this.#next());
          }
          this.verifyTen("a watcher");
        })));
      this.#effect("an effect of one record", () => readQuery(controller, of as typeof Order, pk));
    }
    this.#effect("an effect of all ten", () => {
      const ten = TEN.map(([of, pk]) => readQuery(controller, of as typeof Order, pk));
      verify("an effect of all ten", ten);
    });
    this.#effect("an effect of the order", () => verifyOrder("in the order", readQuery(controller, Order, "1")));
    this.#effect("an effect of the answer", () => verifyOrder("answer", readResponse(controller, this.#get, "1").data));
    this.#effect("an effect of queries", () => {
      const order = controller.get(Order, "1");
      const [total, items] = [readQuery(controller, sum), readQuery(controller, sorted)];
      if (order !== undefined) assertEquals([total, items?.length], [order.total, 3]);
    });
    this.#stops.push(onCommit(controller, (patch) =>
      this.#guard(() => {
        commits++;
        this.verifyTen("onCommit");
        verify(
          "a patch",
          patch.records.flatMap(({ after }) => after === undefined ? [] : [after as unknown as Written]),
        );
      })));
  }

  #effect(where: string, body: () => void): void {
    this.#stops.push(effect(() =>
      this.#guard(() => {
        body();
        this.verifyTen(where);
      })
    ));
  }

  /** What the library would report and go on from must fail here. */
  #guard(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.failures.push(error);
    }
  }

  #next(): { readonly id: string } {
    return bodyOf(++this.#last);
  }

  verifyTen(where: string): number | undefined {
    return verify(where, TEN.map(([of, pk]) => this.controller.get(of as typeof Order, pk)));
  }

  async do([name, at]: Op): Promise<void> {
    const { controller } = this;
    switch (name) {
      case "respond":
        return controller.setResponse(this.#get, "1", this.#next());
      case "set":
        return controller.set(Order, "1", this.#next());
      case "setBy":
        return controller.set(Order, "1", (order) => {
          look("the function of a set");
          return order && this.#next();
        });
      case "start a read":
        return void controller.fetch(this.#get, "1").catch(() => {});
      case "answer a read":
        // Of some the answer is as old as their start.
        if (this.#answered < this.#wire.calls.length) await this.#wire.calls[this.#answered++]!.reply(this.#next());
        return;
      case "start a mutation": {
        const body = this.#next();
        const shows = (snapshot: Snapshot) => {
          look("the function of a layer");
          verify("the snapshot of a layer", TEN.map(([of, pk]) => snapshot.get(of, pk) as Written | undefined));
          verifyOrder("the snapshot of a layer", snapshot.get(Order, "1") as Order | undefined);
          return body;
        };
        return this.#pending.start({ schema: Order, shows: at === 0 ? undefined : shows });
      }
      case "confirm":
        return void await this.#pending.settle(at, this.#next());
      case "refuse":
        return void await this.#pending.settle(at, new Error("refused"));
      case "hold a snapshot":
        this.#held.push({ write: this.verifyTen("before a snapshot"), snapshot: snapshotOf(controller) });
        return;
      case "commit while telling":
        this.#isToCommit = true;
        return;
      case "reset":
        if (at > 1) return;
        this.#pending.forget();
        return controller.resetEntireStore();
    }
  }

  verifyAll(): void {
    if (this.failures.length > 0) throw this.failures[0];
    this.verifyTen("between two steps");
    verifyOrder("between two steps", this.controller.get(Order, "1"));
    for (const { write, snapshot } of this.#held.slice(-3)) {
      const ten = TEN.map(([of, pk]) => snapshot.get(of as typeof Order, pk));
      assertEquals(verify("a snapshot that is held", ten), write);
      verifyOrder("a snapshot that is held", snapshot.get(Order, "1"));
    }
  }

  async finish(): Promise<void> {
    while (this.#pending.size > 0) {
      await this.do(["confirm", 0]);
      this.verifyAll();
    }
    while (this.#answered < this.#wire.calls.length) {
      await this.do(["answer a read", 0]);
      this.verifyAll();
    }
    const { logs, layers, covered, sequence } = this.controller.store;
    assertEquals([logs.size, layers.length, covered.size, sequence.size], [0, 0, 0, 0]);
    for (const stop of this.#stops) stop();
    look = () => {};
    this.controller.cleanup();
  }
}

async function run(ops: readonly Op[]): Promise<void> {
  const clock = new FakeClock();
  using _ = clock.install();
  const session = new Session();
  for (const each of ops) {
    await session.do(each);
    session.verifyAll();
  }
  await session.finish();
  await flush();
}

Deno.test("no read is torn: ten related records are of one commit wherever and whenever they are looked at", async () => {
  const wanted = runs(10_000, 1_000_000);
  await check(fc.asyncProperty(fc.array(op, { minLength: 20, maxLength: 40, size: "max" }), run), {
    name: "torn",
    runs: Math.ceil(wanted / 16),
  });
  const counted = [...looks].map(([where, count]) => `${where} ${count}`).join(", ");
  console.log(`${commits} commits; looked at by: ${counted}`);
  assert(commits >= wanted, `${commits} commits are too few`);
  const places = ["merge", "process", "the function of a query", "the function of a layer", "the function of a set"];
  for (
    const where of [
      "a watcher",
      "an effect of one record",
      "in the order",
      ...places.map((name) => `during ${name}`),
    ]
  ) {
    assert(looks.get(where)! > wanted / 10, where);
  }
});
