import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { Endpoint, Entity, type Manager, stateOf } from "@rejoin/data";
import type { Action, Middleware } from "@rejoin/data/extend";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

/** A manager that treats actions of one type in its own way. */
function on(type: Action["type"], handle: (action: Action, next: (action: Action) => unknown) => unknown): Manager {
  const middleware: Middleware = () => (next) => (action) => action.type === type ? handle(action, next) : next(action);
  return { middleware };
}

function setUp(...managers: Manager[]) {
  const wire = new Wire();
  const controller = new Controller({ managers });
  const get = new Endpoint(wire.fn("get"), { name: "get", schema: Article });
  const update = new Endpoint(wire.fn("update"), {
    name: "update",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: () => ({ id: "1", title: "shown" }),
  });
  const atRest = () =>
    assertEquals([controller.store.sequence.size, controller.store.layers.length, controller.store.logs.size], [
      0,
      0,
      0,
    ]);
  return { wire, controller, get, update, atRest };
}

/** Runs something that is to cause uncaught errors, and gives them. */
async function uncaught(run: () => unknown): Promise<unknown[]> {
  const errors: unknown[] = [];
  const listen = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.error);
  };
  addEventListener("error", listen);
  try {
    await run();
    await flush();
  } finally {
    removeEventListener("error", listen);
  }
  return errors;
}

Deno.test("the first manager sees actions first, gets the controller, and is initialized and cleaned up in order", async () => {
  const log: string[] = [];
  const controllers: unknown[] = [];
  const manager = (name: string): Manager => ({
    middleware: (controller) => {
      controllers.push(controller);
      return (next) => (action) => {
        log.push(`${name} ${action.type}`);
        const result = next(action);
        log.push(`${action.type} ${name}`);
        return result;
      };
    },
    init: () => void log.push(`init ${name}`),
    cleanup: () => void log.push(`cleanup ${name}`),
  });
  const { controller } = setUp(manager("a"), {}, manager("b"));
  assertEquals(log.splice(0), ["init a", "init b"]);
  controller.set(Article, { id: "1" }, {});
  assertEquals(log.splice(0), ["a set", "b set", "set b", "set a"]);
  await controller.fetch(new Endpoint(() => Promise.resolve(1), { name: "one" }));
  assertEquals(log.splice(0).filter((line) => line.startsWith("a ")), ["a fetch", "a setResponse"]);
  controller.cleanup();
  controller.cleanup();
  assertEquals(log, ["cleanup a", "cleanup b"]);
  assertStrictEquals(controllers[0], controller);
});

Deno.test("middleware may be a method, which has its manager as this", () => {
  class Counter implements Manager {
    count = 0;
    middleware(): ReturnType<Middleware> {
      return (next) => (action) => {
        this.count++;
        return next(action);
      };
    }
  }
  const counter = new Counter();
  setUp(counter).controller.set(Article, { id: "1" }, { id: "1" });
  assertEquals(counter.count, 1);
});

Deno.test("a middleware may answer a fetch itself, delay it, or send it on", async () => {
  const answering = setUp(on("fetch", () => "answered"));
  assertEquals(await answering.controller.fetch(answering.get) as unknown, "answered");
  assertEquals([answering.wire.calls.length, answering.controller.startRead(answering.get, [], "k")], [0, undefined]);

  const delaying = setUp(on("fetch", async (action, next) => {
    await flush();
    return await next(action);
  }));
  const promise = delaying.controller.fetch(delaying.get);
  assertEquals(delaying.wire.calls.length, 0);
  await flush();
  await delaying.wire.last.reply({ id: "1", title: "x" });
  assertStrictEquals(await promise, delaying.controller.get(Article, "1")!);

  // Whoever awaits it keeps it, though it was not there yet when it was asked for.
  const awaited = delaying.controller.fetch(delaying.get);
  await flush();
  delaying.controller.hold(delaying.controller.findRead(delaying.get, delaying.get.key())!)();
  assertEquals(delaying.wire.last.signal!.aborted, false);
  await delaying.wire.last.reply({ id: "1", title: "y" });
  assertEquals((await awaited).title, "y");

  const refusing = setUp(on("fetch", () => {
    throw new Error("offline");
  }));
  await assertRejects(() => refusing.controller.fetch(refusing.get), Error, "offline");
  refusing.atRest();
});

Deno.test("a middleware that swallows a reply leaves nothing behind: no layer, nothing in flight", async () => {
  const { wire, controller, update, get, atRest } = setUp(on("setResponse", () => undefined));
  controller.set(Article, { id: "1" }, { title: "base" });
  const mutation = controller.fetch(update);
  assertEquals(controller.get(Article, "1")?.title, "shown");
  await wire.last.reply({ id: "1", title: "confirmed" });
  assertEquals(await mutation as unknown, { id: "1", title: "confirmed" }, "the reply itself");
  assertEquals(controller.get(Article, "1")?.title, "base");
  atRest();
  const read = controller.fetch(get);
  await wire.last.reply({ id: "2" });
  await read;
  assertEquals(controller.get(Article, "2"), undefined);
  atRest();
});

Deno.test("a middleware that swallows errors, layers or stale marks leaves nothing behind", async () => {
  for (const type of ["setError", "optimistic", "abandon", "expire"] as const) {
    const { wire, controller, update, get, atRest } = setUp(on(type, () => undefined));
    controller.set(Article, { id: "1" }, { title: "base" });
    const mutation = controller.fetch(update);
    const call = wire.last;
    const read = controller.fetch(get);
    await wire.last.reply({ id: "1", title: "read" });
    assertEquals((await read).title, type === "optimistic" ? "read" : "shown", type);
    await call.fail();
    await assertRejects(() => mutation, Error, "failed");
    assertEquals(controller.get(Article, "1")?.title, "read", type);
    atRest();
  }
});

Deno.test("a layer goes when middleware swallows every action that would take it away", async () => {
  for (const ending of ["reply", "fail", "abort"] as const) {
    const swallowing = ["setResponse", "setError", "abandon"].map((type) =>
      on(type as Action["type"], () => undefined)
    );
    const { wire, controller, update, atRest } = setUp(...swallowing);
    controller.set(Article, { id: "1" }, { title: "base" });
    const abort = new AbortController();
    const mutation = controller.fetch(update.extend({ signal: abort.signal }));
    const settled = mutation.catch((error) => error);
    assertEquals(controller.get(Article, "1")?.title, "shown");
    if (ending === "reply") await wire.last.reply({ id: "1", title: "confirmed" });
    else if (ending === "fail") await wire.last.fail();
    else abort.abort();
    await settled;
    assertEquals(controller.get(Article, "1")?.title, "base", ending);
    atRest();
  }
});

Deno.test("a middleware that sends a copy of a reply on is understood", async () => {
  const { wire, controller, get, update, atRest } = setUp(on("setResponse", (action, next) => next({ ...action })));
  const read = controller.fetch(get);
  await wire.last.reply({ id: "1", title: "x" });
  assertStrictEquals(await read, controller.get(Article, "1")!);
  const mutation = controller.fetch(update);
  await wire.last.reply({ id: "1", title: "y" });
  assertStrictEquals(await mutation, controller.get(Article, "1")!);
  atRest();
});

Deno.test("a middleware that changes a reply decides what is stored", async () => {
  const { wire, controller, get } = setUp(
    on("setResponse", (action, next) => next({ ...action, response: { id: "1", title: "changed" } } as Action)),
  );
  const read = controller.fetch(get);
  await wire.last.reply({ id: "1", title: "x" });
  assertEquals((await read).title, "changed");
});

Deno.test("what a middleware writes before it sends a reply on is later than that reply, whatever else is in flight", async () => {
  for (const isAlone of [true, false]) {
    const setting = on("setResponse", (action, next) => {
      controller.set(Article, { id: "1" }, { id: "1", title: "set" });
      return next(action);
    });
    const { wire, controller, get, update, atRest } = setUp(setting);
    const older = isAlone ? undefined : controller.fetch(get.extend({ name: "older" })).catch(() => {});
    for (const endpoint of [get, update]) {
      const answer = controller.fetch(endpoint);
      await flush();
      await wire.last.reply({ id: "1", title: "replied" });
      await answer;
      assertEquals(controller.get(Article, { id: "1" })?.title, "set", `${endpoint.name} ${isAlone}`);
    }
    if (isAlone) atRest();
    controller.cleanup();
    await older;
  }
});

Deno.test("a middleware that throws before a reply is written fails the call, and nothing is written", async () => {
  const { wire, controller, get, update, atRest } = setUp(on("setResponse", () => {
    throw new Error("middleware");
  }));
  controller.set(Article, { id: "1" }, { title: "base" });
  const read = controller.fetch(get);
  await wire.last.reply({ id: "1", title: "x" });
  await assertRejects(() => read, Error, "middleware");
  assertEquals((controller.getError(get) as Error).message, "middleware");
  const mutation = controller.fetch(update);
  await wire.last.reply({ id: "1", title: "x" });
  const error = await assertRejects(() => mutation, Error, "The server accepted");
  assertEquals((error.cause as Error).message, "middleware");
  assertEquals(controller.get(Article, "1")?.title, "base");
  atRest();
});

Deno.test("a middleware that throws after a reply is written fails the call, and what is written stays", async () => {
  const { wire, controller, get, update, atRest } = setUp(on("setResponse", (action, next) => {
    next(action);
    throw new Error("middleware");
  }));
  for (const endpoint of [get, update]) {
    const promise = controller.fetch(endpoint);
    await wire.last.reply({ id: "1", title: endpoint.name });
    await assertRejects(() => promise, Error, "middleware");
    assertEquals(controller.get(Article, "1")?.title, endpoint.name);
    assertEquals(controller.getError(get), undefined);
    atRest();
  }
});

Deno.test("a middleware that throws at a layer fails the mutation before it is sent", async () => {
  const { wire, controller, update, atRest } = setUp(on("optimistic", () => {
    throw new Error("no layers");
  }));
  await assertRejects(() => controller.fetch(update), Error, "no layers");
  assertEquals(wire.calls.length, 0);
  atRest();
});

Deno.test("a middleware that throws at an error, or at what follows a reply, does not keep a promise from settling", async () => {
  for (const type of ["setError", "abandon", "expire"] as const) {
    const { wire, controller, get, update, atRest } = setUp(on(type, () => {
      throw new Error(`no ${type}`);
    }));
    controller.set(Article, { id: "1" }, { title: "base" });
    const errors = await uncaught(async () => {
      const mutation = controller.fetch(update);
      const call = wire.last;
      const read = controller.fetch(get);
      await wire.last.reply({ id: "2" });
      assertEquals((await read).id, "2");
      await call.fail(new Error("the reason"));
      await assertRejects(() => mutation, Error, "the reason");
      assertEquals(controller.get(Article, "1")?.title, "base");
      atRest();
    });
    const expected = type === "setError" ? ["no setError"] : type === "abandon" ? [] : ["no expire"];
    assertEquals(errors.map((error) => (error as Error).message), expected, type);
  }
});

Deno.test("a middleware that throws at set or invalidate throws to whoever called, and nothing has changed", () => {
  for (const type of ["set", "invalidate", "reset"] as const) {
    const { controller, get } = setUp(on(type, () => {
      throw new Error("not allowed");
    }));
    controller.setResponse(get, { id: "1", title: "here" });
    const state = stateOf(controller);
    const change = {
      set: () => controller.set(Article, { id: "1" }, { title: "x" }),
      invalidate: () => controller.invalidate(get),
      reset: () => controller.resetEntireStore(),
    };
    assertThrows(change[type], Error, "not allowed");
    assertStrictEquals(stateOf(controller), state);
  }
});

Deno.test("what tells of a collection may be sent on: it does nothing", () => {
  const { controller, get } = setUp({});
  controller.setResponse(get, { id: "1", title: "here" });
  const state = stateOf(controller);
  assertEquals(controller.dispatch({ type: "collect", seq: 1, date: 0 }), undefined);
  assertStrictEquals(stateOf(controller), state);
});

Deno.test("a cleanup that throws does not keep the others from being cleaned up", async () => {
  const log: string[] = [];
  const broken: Manager = {
    cleanup() {
      throw new Error("cleanup");
    },
  };
  const { controller } = setUp(broken, { cleanup: () => void log.push("second") });
  const errors = await uncaught(() => controller.cleanup());
  assertEquals([log, errors.map((error) => (error as Error).message)], [["second"], ["cleanup"]]);
});
