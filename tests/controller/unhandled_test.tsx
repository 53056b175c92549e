import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type AnyEndpoint,
  Controller,
  Endpoint,
  EndpointError,
  Entity,
  hydrate,
  isEnding,
  LogManager,
  type Manager,
  NetworkError,
  onCommit,
  OvertakenError,
  resource,
  temporaryIds,
  TimeoutError,
} from "@rejoin/data";
import { Resource } from "@rejoin/data/legacy";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
import { uncaught } from "../support/uncaught.ts";
import { Wire } from "../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Todo";
}

/** A server that refuses everything. */
function refusing(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("no", { status: 500 }));
}

const originOf = ({ addr }: Deno.HttpServer<Deno.NetAddr>) => `http://127.0.0.1:${addr.port}`;

Deno.test("13.C1 each mutation that fails and that nobody handles is one unhandled rejection", async () => {
  await using server = refusing();
  const options = { urlPrefix: originOf(server), path: "/todos/:id", schema: Todo, retry: 0 } as const;
  class OldTodo extends Resource {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static override urlRoot = `${options.urlPrefix}/old/`;
    static override key = "OldTodo";
  }
  for (const optimistic of [false, true]) {
    const R = resource({ ...options, optimistic });
    const controller = new Controller({ strict: true });
    controller.setResponse(R.getList, [{ id: "1", title: "One" }]);
    const calls = [
      () => controller.fetch(R.create, { title: "A" }),
      () => controller.fetch(R.update, { id: "1" }, { title: "B" }),
      () => controller.fetch(R.partialUpdate, { id: "1" }, { title: "B" }),
      () => controller.fetch(R.delete, { id: "1" }),
      () => controller.fetch(R.getList.push, { title: "C" }),
      () => controller.fetch(R.getList.remove, { id: "1" }),
      () => controller.fetch(R.partialUpdate.extend({ signal: new AbortController().signal }), { id: "1" }, {}),
      () => controller.fetchIfStale(R.create, { title: "A" }),
      () => controller.fetch(OldTodo.partialUpdate(), { id: "1" }, { title: "B" }),
      () => controller.dispatch({ type: "fetch", endpoint: R.create, args: [{}], key: R.create.key({}) }),
    ];
    for (const call of calls) {
      const errors = await uncaught(async () => {
        void call();
        await controller.allSettled();
      });
      assertEquals([errors.length, errors[0] instanceof NetworkError], [1, true], String(call));
      const handled = await uncaught(async () => {
        await assertRejects(async () => await call(), NetworkError);
      });
      assertEquals(handled, [], String(call));
    }
  }
});

Deno.test("13.C1 a read that fails is no unhandled rejection: its error is in the store", async () => {
  await using server = refusing();
  const R = resource({
    urlPrefix: originOf(server),
    path: "/todos/:id",
    schema: Todo,
    retry: 0,
    errorExpiryLength: 9e9,
  });
  const controller = new Controller();
  const errors = await uncaught(async () => {
    void controller.fetch(R.get, { id: "1" });
    void controller.fetch(R.get.extend({ signal: new AbortController().signal }), { id: "1" });
    void controller.fetchIfStale(R.getList);
    await controller.allSettled();
    void controller.fetchIfStale(R.getList);
  });
  assertEquals(errors, []);
  assert(controller.getError(R.get, { id: "1" }) instanceof NetworkError);
});

Deno.test("13.C1 our own endings of a mutation are no unhandled rejections, and isEnding tells them", async () => {
  const endings: ((controller: Controller, save: AnyEndpoint, left: AbortController) => unknown)[] = [
    (controller, save) => controller.abort(save, "1"),
    (controller) => controller.resetEntireStore(),
    (controller) => hydrate(controller, {}),
    (controller) => controller.cleanup(),
    (_, __, left) => left.abort(),
  ];
  const passes: Manager = { middleware: () => (next) => async (action) => await next(action) };
  for (const end of endings) {
    // Also where a middleware gives a promise of its own.
    for (const managers of [[], [passes]]) {
      const wire = new Wire();
      const left = new AbortController();
      const controller = new Controller({ managers });
      const save = new Endpoint(wire.fn<[string]>("save"), {
        name: "save",
        schema: Todo,
        sideEffect: true,
        signal: left.signal,
        getOptimisticResponse: (_: unknown, id: string) => ({ id, title: "Shown" }),
      });
      const reasons: unknown[] = [];
      const errors = await uncaught(async () => {
        void controller.fetch(save, "1");
        const handled = controller.fetch(save, "1").catch((reason) => reasons.push(reason));
        await Promise.resolve();
        end(controller, save, left);
        await handled;
        void controller.fetch(save, "1");
        controller.cleanup();
      });
      assertEquals([errors, reasons.map(isEnding)], [[], [true]], String(end));
    }
  }
});

Deno.test("13.C1 isEnding tells endings from failures, whatever was thrown", () => {
  for (const reason of ["delete", "reset", "cleanup"] as const) assert(isEnding(new OvertakenError("save", reason)));
  assert(isEnding(new DOMException("gone", "AbortError")));
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const failures = [
    undefined,
    null,
    5,
    "AbortError",
    revoked.proxy,
    new Error("failed"),
    new TimeoutError("GET", "/", 5),
    new EndpointError("save", "Cannot"),
    { name: "OvertakenError" },
  ];
  assertEquals(failures.map(isEnding), failures.map(() => false));
});

Deno.test("13.C1 who looks on does not handle it: a log, a middleware, another call that waits for its name", async () => {
  const lines: string[] = [];
  const looks: Manager = {
    middleware: () => (next) => (action) => {
      const result = next(action);
      if (result instanceof Promise) result.catch(() => {});
      return result;
    },
  };
  const managers = [new LogManager({ log: (line) => void lines.push(line) }), looks];
  const wire = new Wire();
  const controller = new Controller({ managers, use: [temporaryIds()] });
  const create = new Endpoint(wire.fn<[{ title: string }]>("create"), {
    name: "create",
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: (snapshot: { temporaryId(): string }, body: { title: string }) => ({
      id: snapshot.temporaryId(),
      ...body,
    }),
  });
  const rename = new Endpoint(wire.fn<[{ id: string }]>("rename"), { name: "rename", schema: Todo, sideEffect: true });
  let id = "";
  onCommit(controller, () => id ||= controller.store.tables.byKey.get("Todo")?.slots.keys().next().value ?? "");
  const refused = new Error("refused");
  const errors = await uncaught(async () => {
    void controller.fetch(create, { title: "A" });
    void controller.fetch(rename, { id });
    await wire.calls[0]!.fail(refused);
    await controller.allSettled();
  });
  assertEquals([wire.calls.length, errors.length, errors[0] === refused], [1, 2, true]);
  assert(errors[1] instanceof EndpointError && errors[1].cause === refused);
});

Deno.test("13.C1 a click handler that nobody awaits is heard of, a component that reads is shown its error", async () => {
  await using server = refusing();
  const R = resource({ urlPrefix: originOf(server), path: "/todos/:id", schema: Todo, retry: 0 });
  const controller = new Controller();
  controller.set(Todo, "1", { id: "1", title: "One" });
  function Row({ id }: { id: string }) {
    const todo = useSuspense(R.get, { id });
    const rename = () => controller.fetch(R.partialUpdate, { id }, { title: "New" });
    return <button type="button" onClick={() => void rename()}>{todo.title}</button>;
  }
  const app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary errorComponent={() => <p>did not load</p>}>
        <Row id="1" />
      </AsyncBoundary>
      <AsyncBoundary errorComponent={() => <p>did not load</p>}>
        <Row id="2" />
      </AsyncBoundary>
    </DataProvider>,
  );
  const errors = await uncaught(async () => {
    await controller.allSettled();
    await settled();
    assert(app.text.includes("One") && app.text.includes("did not load"));
    app.find("button").click();
    await controller.allSettled();
    await settled();
  });
  assertEquals(errors.map((error) => error instanceof NetworkError), [true]);
  app.unmount();
  controller.cleanup();
});
