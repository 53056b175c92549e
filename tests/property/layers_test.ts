// Layers that nothing has touched are not run again. They must show what they would show if they were.
import { assertEquals } from "@std/assert";
import { All, Collection, Controller, Endpoint, Entity, Invalidate, Query, temporaryIds } from "@rejoin/data";
import * as fc from "fast-check";
import { flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Row extends Entity {
  id = "";
  title = "";
  votes = 0;
  group = "";
  by: User | undefined = undefined;
  static key = "Row";
  static schema = { by: User };
  static indexes = ["group"];
}
/** It is nothing without its row. */
class Tag extends Entity {
  id = "";
  row = Row.fromJS();
  static key = "Tag";
  static schema = { row: Row };
}

const IDS = ["0", "1", "2", "3"];
const GROUPS = ["a", "b"];
const rows = new Query(new All(Row), (all) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
const never = () => Promise.reject<never>(new Error("not asked for here"));
const getRow = new Endpoint((_: { id: string }) => never(), { name: "getRow", schema: Row });
const getGroup = new Endpoint((_: { group: string }) => never(), { name: "getGroup", schema: new Collection([Row]) });

/** Whatever is asked for, it is in it. */
const ALL = Object.assign(new Set([0]), { has: () => true });

/** A store, and the mutations that wait for an answer. */
class Session {
  readonly controller = new Controller({ use: [temporaryIds()] });
  readonly waiting: { readonly settle: (reply: unknown) => void; readonly fail: () => void }[] = [];
  /** How often layers have run. */
  count = 0;

  /** @param runsAlways All layers run at each commit. */
  constructor(runsAlways: boolean) {
    const { store } = this.controller;
    if (runsAlways) store.join({ committed: () => void (store.overlay = { ...store.overlay, looked: ALL }) });
  }

  #mutate(schema: unknown, arg: { id: string; group: string }, show: (snapshot: Looks) => unknown): void {
    const mutation = new Endpoint(
      (_: typeof arg) =>
        new Promise((resolve, reject) => {
          this.waiting.push({ settle: resolve, fail: () => reject(new Error("refused")) });
        }),
      {
        name: "mutation",
        schema: schema as typeof Row,
        sideEffect: true,
        getOptimisticResponse: (snapshot): never => {
          this.count++;
          return show(snapshot as Looks) as never;
        },
      },
    );
    this.controller.fetch(mutation, arg).catch(() => {});
  }

  start(kind: number, id: string, group: string): void {
    const arg = { id, group };
    const shows: (() => void)[] = [
      () => this.#mutate(Row, arg, (snapshot) => ({ id, votes: (snapshot.get(Row, { id })?.votes ?? 0) + 1 })),
      () =>
        this.#mutate(
          Row,
          arg,
          (snapshot) => ({ id, title: `${(snapshot.get(rows) as unknown[] | undefined)?.length}` }),
        ),
      () =>
        this.#mutate(
          Row,
          arg,
          (snapshot) => ({ id, title: snapshot.getResponse(getRow, { id: "1" }).data?.title ?? "?" }),
        ),
      () => this.#mutate(Row, arg, (snapshot) => ({ id, title: snapshot.get(Row, { group })?.id ?? "none" })),
      () =>
        this.#mutate(
          Row,
          arg,
          (snapshot) => ({ id, by: { id: "u", name: snapshot.get(User, { id: "u" })?.name + "!" } }),
        ),
      () =>
        this.#mutate(getGroup.schema.push, arg, (snapshot) => ({ id: snapshot.temporaryId(), title: "new", group })),
      () => this.#mutate(getGroup.schema.remove, arg, () => ({ id })),
      () => this.#mutate(new Invalidate(Row), arg, () => ({ id })),
      () => this.#mutate(Tag, arg, () => ({ id: "t", row: id })),
    ];
    shows[kind % shows.length]!();
  }

  get looks(): unknown {
    const { controller } = this;
    const seen = [
      IDS.map((id) => controller.get(Row, { id })),
      IDS.map((id) => controller.getResponse(getRow, { id }).data),
      GROUPS.map((group) => controller.get(Row, { group })),
      GROUPS.map((group) => controller.getResponse(getGroup, { group }).data),
      controller.get(rows),
      controller.get(Tag, { id: "t" }),
    ];
    return JSON.parse(JSON.stringify(seen).replaceAll(controller.store.tables.idToken || "none", "~"));
  }
}

interface Looks {
  get(schema: unknown, ...args: unknown[]): { votes: number; id: string; name: string } | undefined;
  getResponse(endpoint: unknown, ...args: unknown[]): { data: { title: string } | undefined };
  temporaryId(): string;
}

type Op = readonly [kind: string, a: number, b: number];

function act(session: Session, [kind, a, b]: Op): void {
  const { controller, waiting } = session;
  const id = IDS[a % IDS.length]!;
  const group = GROUPS[b % GROUPS.length]!;
  switch (kind) {
    case "start":
      return session.start(b, id, group);
    case "answer":
      return void waiting.splice(a % Math.max(1, waiting.length), 1)[0]?.settle({
        id: b % 3 ? id : "9",
        title: "said",
        group,
      });
    case "fail":
      return waiting.splice(a % Math.max(1, waiting.length), 1)[0]?.fail();
    case "set":
      return controller.set(Row, { id }, { id, title: `set ${b}`, group });
    case "setUser":
      return controller.set(User, { id: "u" }, { id: "u", name: `user ${b}` });
    case "row":
      return controller.setResponse(getRow, { id }, { id, title: `row ${b}`, votes: b, group });
    case "group":
      return controller.setResponse(
        getGroup,
        { group },
        IDS.slice(0, a % 4).map((id) => ({ id, title: `listed ${b}`, group })) as never,
      );
    case "remove":
      return controller.set(new Invalidate(Row), { id });
    case "expire":
      return controller.expire(getRow, { id });
    case "invalidate":
      return controller.invalidate(getRow, { id });
    case "reset":
      waiting.length = 0;
      return controller.resetEntireStore();
  }
}

const KINDS = ["start", "start", "start", "answer", "answer", "fail", "set", "setUser", "row", "group", "remove"];
const op = fc.tuple(fc.constantFrom(...KINDS, "expire", "invalidate", "reset"), fc.nat(15), fc.nat(15));

Deno.test("layers that nothing has touched show what they would show if they ran again", async () => {
  const total = { now: 0, always: 0 };
  const property = fc.asyncProperty(fc.array(op, { maxLength: 25, size: "max" }), async (ops) => {
    const now = new Session(false);
    const always = new Session(true);
    for (const each of ops) {
      for (const session of [now, always]) act(session, each);
      assertEquals(now.looks, always.looks);
      await flush();
      assertEquals(now.looks, always.looks);
    }
    total.now += now.count;
    total.always += always.count;
  });
  await check(property, { name: "layers", runs: runs(1_000, 100_000) });
  assertEquals(total.now < total.always, true, `${total.now} of ${total.always} runs`);
});

Deno.test("a write to a table that no pending mutation has looked at runs none of them again", () => {
  const session = new Session(false);
  const { controller } = session;
  controller.setResponse(getGroup, { group: "a" }, [{ id: "1", group: "a" }] as never);
  session.start(5, "0", "a");
  const { count } = session;
  controller.set(User, { id: "u" }, { id: "u", name: "Ann" });
  assertEquals([session.count, controller.getResponse(getGroup, { group: "a" }).data?.length], [count, 2]);
  controller.setResponse(getGroup, { group: "b" }, [] as never);
  assertEquals(session.count > count, true);
});
