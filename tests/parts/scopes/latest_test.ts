// Of the mutations of one scope that wait, the last is sent in place of those before it.
import "../../support/fixed_names.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as fc from "fast-check";
import {
  createResource,
  Endpoint,
  EndpointError,
  Entity,
  latest,
  NetworkError,
  onCommit,
  OvertakenError,
  record,
  replay,
  resource,
  serial,
  stateOf,
} from "@rejoin/data";
import { effect } from "@preact/signals-core";
import { readResponse } from "@rejoin/data/signals";
import { flush } from "../../support/clock.ts";
import { PatientController as Controller } from "../../support/patient_controller.ts";
import { check, runs } from "../../support/property.ts";
import { Wire } from "../../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  done = false;
  note = "";
  static key = "Todo";
}
type Row = { id: string; title?: string; done?: boolean; note?: string };

/** One request of a REST API that waits for the test. */
interface Asked {
  readonly line: string;
  readonly body: unknown;
  /** `undefined`: 204. */
  reply(value?: unknown): Promise<void>;
  refuse(status: number): Promise<void>;
}

function start(scope = latest("record")) {
  const asked: Asked[] = [];
  const options = {
    urlPrefix: "https://x.test",
    path: "/todos/:id",
    schema: Todo,
    optimistic: true,
    retry: false,
    scope,
    fetchResponse(url: string, { method, body, signal }: RequestInit): Promise<Response> {
      return new Promise((resolve, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
        asked.push({
          line: `${method} ${new URL(url).pathname}`,
          body: typeof body === "string" ? JSON.parse(body) : body,
          reply: (value) => {
            resolve(value === undefined ? new Response(null, { status: 204 }) : Response.json(value));
            return settled();
          },
          refuse: (status) => {
            reject(new NetworkError({ method: method!, url, status }));
            return settled();
          },
        });
      });
    },
  } as const;
  const todos = resource(options);
  const controller = new Controller();
  controller.set(Todo, { id: "5" }, { id: "5", title: "zero", note: "kept" });
  const row = (id = "5") => {
    const { title, done, note } = controller.get(Todo, { id }) ?? {};
    return [title, done, note];
  };
  const sent = () => asked.map(({ line, body }) => `${line} ${JSON.stringify(body)}`);
  const edit = (body: Partial<Row>, id = "5") => controller.fetch(todos.partialUpdate, { id }, body);
  const quiet = () => {
    const { sequence, layers, logs, overlaps } = controller.store;
    assertEquals([sequence.size, layers.length, logs.size, overlaps.size], [0, 0, 0, 0]);
  };
  return { todos, options, controller, asked, last: () => asked.at(-1)!, row, sent, edit, quiet };
}

/** Bodies are read in several turns. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
  await flush();
}

const FIVE = { id: "5" };

Deno.test("14.5 edits that wait are one request, their bodies merged, and all of them get its outcome", async () => {
  const { controller, last, row, sent, edit, quiet } = start();
  const seen: unknown[] = [];
  const results = [
    edit({ title: "one" }),
    edit({ title: "two", note: "a" }),
    edit({ done: true }),
    edit({ title: "3" }),
  ];
  await settled();
  onCommit(controller, () => seen.push(row()));
  assertEquals([sent(), row()], [['PATCH /todos/5 {"title":"one"}'], ["3", true, "a"]]);
  await last().reply({ id: "5", title: "one", done: false, note: "kept" });
  assertEquals([sent()[1], row()], ['PATCH /todos/5 {"title":"3","note":"a","done":true}', ["3", true, "a"]]);
  await last().reply({ id: "5", title: "3!", done: true, note: "a" });
  assertEquals((await Promise.all(results)).map(({ title }) => title), ["3", "3!", "3!", "3!"]);
  // Nothing flipped back on the way.
  assertEquals(seen, [["3", true, "a"], ["3!", true, "a"]]);
  assertEquals(sent().length, 2);
  quiet();
});

Deno.test("14.5 what was sent in place of others leaves nothing stale", async () => {
  const { todos, controller, last, edit } = start();
  controller.setResponse(todos.get, FIVE, { id: "5", title: "zero" });
  for (const title of ["one", "two", "three"]) edit({ title });
  await settled();
  await last().reply({ id: "5", title: "one" });
  await last().reply({ id: "5", title: "three" });
  assert(controller.getResponse(todos.get, FIVE).expiresAt > 0);
});

Deno.test("14.5 a reply that says nothing: what all of them have sent is written", async () => {
  const { last, row, edit, quiet } = start();
  const results = [edit({ title: "one" }), edit({ note: "a" }), edit({ title: "two" })];
  await settled();
  await last().reply();
  await last().reply();
  await Promise.all(results);
  assertEquals(row(), ["two", false, "a"]);
  quiet();
});

Deno.test("14.5 a member that is undefined is not sent, and takes nothing back", async () => {
  const { asked, last, edit } = start();
  const results = [edit({}), edit({ title: "one", note: "a" }), edit({ title: undefined as never, note: "b" })];
  await settled();
  await last().reply();
  assertEquals(last().body, { title: "one", note: "b" });
  await last().reply();
  await Promise.all(results);
  assertEquals(asked.length, 2);
});

Deno.test("14.5 a line is sent in order, and only neighbours are one", async () => {
  const { todos, controller, asked, sent, edit } = start();
  const sub = todos.partialUpdate.extend({ path: "/todos/:id/publish" });
  edit({ title: "one" });
  edit({ title: "two" });
  for (const title of ["put 1", "put 2"]) controller.fetch(todos.update, FIVE, { id: "5", title });
  edit({ title: "three" });
  controller.fetch(sub, FIVE, { title: "four" });
  edit({ title: "five" });
  controller.fetch(todos.partialUpdate, FIVE, new Blob(["six"]) as never);
  edit({ title: "seven" });
  controller.fetch(todos.delete, FIVE);
  await settled();
  assertEquals(sent().length, 1);
  for (let turn = 0; turn < 9; turn++) await asked[turn]?.reply({ id: "5", title: "x" });
  assertEquals(sent(), [
    'PATCH /todos/5 {"title":"one"}',
    'PATCH /todos/5 {"title":"two"}',
    'PUT /todos/5 {"id":"5","title":"put 2"}',
    'PATCH /todos/5 {"title":"three"}',
    'PATCH /todos/5/publish {"title":"four"}',
    'PATCH /todos/5 {"title":"five"}',
    "PATCH /todos/5 {}",
    'PATCH /todos/5 {"title":"seven"}',
    "DELETE /todos/5 undefined",
  ]);
});

Deno.test("14.5 calls of one scope with other parameters are no one's heirs", async () => {
  const { last, sent, edit } = start(latest(() => "all"));
  for (const [id, title] of [["1", "a"], ["2", "b"], ["1", "c"], ["1", "d"]] as const) edit({ title }, id);
  await settled();
  for (let turn = 0; turn < 3; turn++) await last().reply({ id: "9" });
  assertEquals(sent(), [
    'PATCH /todos/1 {"title":"a"}',
    'PATCH /todos/2 {"title":"b"}',
    'PATCH /todos/1 {"title":"d"}',
  ]);
});

Deno.test("14.5 an edit that is aborted while it waits is in no request; the others are", async () => {
  const { todos, controller, last, row, edit, quiet } = start();
  const abort = new AbortController();
  const results = [
    edit({ title: "one" }),
    edit({ note: "a" }),
    controller.fetch(todos.partialUpdate.extend({ signal: abort.signal }), FIVE, { done: true }),
    edit({ title: "two" }),
    edit({ title: "three" }),
  ];
  await settled();
  abort.abort(new Error("left"));
  await assertRejects(() => results[2]!, Error, "left");
  controller.abort(todos.partialUpdate, FIVE, { title: "three" });
  await assertRejects(() => results[4]!, DOMException);
  assertEquals(row(), ["two", false, "a"]);
  await last().reply({ id: "5", title: "one" });
  assertEquals(last().body, { note: "a", title: "two" });
  await last().reply({ id: "5", title: "two", note: "a" });
  assertEquals((await results[1]!).note, "a");
  quiet();
});

Deno.test("14.5 what was sent is found by what it was called with, and its end is that of all", async () => {
  const { todos, controller, last, row, edit, quiet } = start();
  const results = [edit({ title: "one" }), edit({ note: "a" }), edit({ title: "two" })];
  await settled();
  await last().reply({ id: "5", title: "one", note: "kept" });
  assertEquals(row(), ["two", false, "a"]);
  controller.abort(todos.partialUpdate, FIVE, { title: "two" });
  for (const result of results.slice(1)) await assertRejects(() => result, DOMException, "was aborted");
  assertEquals(row(), ["one", false, "kept"]);
  quiet();
});

Deno.test("14.5 who brought a signal leaves alone, also when another call was sent in its place", async () => {
  const { todos, controller, last, edit, quiet } = start();
  const abort = new AbortController();
  const first = edit({ title: "one" });
  const left = controller.fetch(todos.partialUpdate.extend({ signal: abort.signal }), FIVE, { note: "a" });
  const stays = edit({ title: "two" });
  await settled();
  await last().reply({ id: "5", title: "one" });
  abort.abort(new Error("left"));
  await assertRejects(() => left, Error, "left");
  await last().reply({ id: "5", title: "two", note: "a" });
  assertEquals([(await first).title, (await stays).note], ["two", "a"]);
  quiet();
});

Deno.test("14.5 a refusal is that of all that were one request; what they show goes at once, and the next is sent", async () => {
  const { controller, last, row, edit, quiet } = start();
  const results = [edit({ title: "one" }), edit({ note: "a" }), edit({ title: "two" })];
  await settled();
  await last().refuse(409);
  await assertRejects(() => results[0]!, NetworkError, "409");
  assertEquals([last().body, row()], [{ note: "a", title: "two" }, ["two", false, "a"]]);
  const behind = edit({ done: true });
  const seen: unknown[] = [];
  onCommit(controller, () => seen.push(row()));
  await last().refuse(422);
  for (const result of results.slice(1)) await assertRejects(() => result, NetworkError, "422");
  assertEquals(seen, [["zero", true, "kept"]]);
  assertEquals(last().body, { done: true });
  await last().reply({ id: "5", done: true });
  assertEquals((await behind).done, true);
  quiet();
});

Deno.test("14.5 where nobody knows what became of them, all that they show stays until who shows it has asked again", async () => {
  const { todos, controller, asked, last, row, edit, quiet } = start();
  const reading = controller.fetch(todos.get, FIVE);
  await settled();
  await last().reply({ id: "5", title: "zero", note: "kept" });
  await reading;
  const stop = effect(() => void readResponse(controller, todos.get, FIVE).data);
  const results = [edit({ title: "one" }), edit({ note: "a" }), edit({ title: "two" })];
  await settled();
  await last().reply({ id: "5", title: "one", note: "kept" });
  await last().refuse(503);
  for (const result of results.slice(1)) await assertRejects(() => result, NetworkError, "503");
  assertEquals(row(), ["two", false, "a"]);
  const again = controller.fetch(todos.get, FIVE);
  await settled();
  await asked.at(-1)!.reply({ id: "5", title: "one", note: "a" });
  await again;
  assertEquals(row(), ["one", false, "a"]);
  stop();
  await new Promise((resolve) => setTimeout(resolve, 150));
  quiet();
});

for (const end of ["reset", "cleanup"] as const) {
  Deno.test(`14.5 a ${end} rejects what was sent, what it stands for and what waits; none of it is sent later`, async () => {
    const { controller, asked, last, edit } = start();
    const results = [edit({ title: "one" }), edit({ note: "a" }), edit({ title: "two" })];
    await settled();
    await last().reply({ id: "5", title: "one" });
    results.push(edit({ title: "three" }), edit({ title: "four" }));
    if (end === "reset") controller.resetEntireStore();
    else controller.cleanup();
    for (const result of results.slice(1)) {
      assertEquals((await assertRejects(() => result, OvertakenError)).reason, end);
    }
    await last().reply({ id: "5", title: "two" });
    assertEquals(asked.length, 2);
    assertEquals([controller.store.layers.length, controller.store.sequence.size], [0, 0]);
  });
}

Deno.test("14.5 edits of a row without a name wait for it, and are one request by the server's name", async () => {
  const { todos, controller, last, row, sent, edit, quiet } = start();
  const made = controller.fetch(todos.create, { title: "made" });
  const draft = "~0000000000000000-1";
  const results = [edit({ title: "one" }, draft), edit({ note: "a" }, draft), edit({ title: "two" }, draft)];
  await settled();
  assertEquals([sent().length, row(draft)], [1, ["two", false, "a"]]);
  await last().reply({ id: "9", title: "made" });
  await made;
  // The first one that is ready goes by itself, or with those that are ready with it.
  while (last().line.startsWith("PATCH") && row("9")[0] !== "two!") {
    const count = sent().length;
    await last().reply({ id: "9", ...last().body as object, title: sent().length === 2 ? "one" : "two!" });
    if (sent().length === count) break;
  }
  await Promise.all(results);
  assert(sent().slice(1).every((line) => line.startsWith("PATCH /todos/9 ")));
  assert(sent().length <= 3);
  quiet();
});

Deno.test("14.5 a call that makes a row others may name is not replaced", async () => {
  const { todos, controller, sent, last } = start(latest(() => "all"));
  for (const title of ["a", "b", "c"]) controller.fetch(todos.create, { title });
  const lost = controller.fetch(todos.partialUpdate, { id: "~0000000000000000-2" }, { title: "B" });
  await settled();
  for (const id of ["1", "2", "3", "2"]) await last().reply({ id, title: id });
  assertEquals(sent().map((line) => line.slice(0, 14)), Array(3).fill('POST /todos {"').concat("PATCH /todos/2"));
  assertEquals((await lost).id, "2");
});

Deno.test("14.5 resource: serial for all but edits; an endpoint of a resource knows its record, no other one does", async () => {
  const { options, controller, last, sent } = start();
  const todos = createResource({ ...options, scope: serial("record") });
  const save = todos.partialUpdate.extend({ scope: latest("record") });
  for (const title of ["one", "two", "three"]) controller.fetch(save, FIVE, { title });
  for (const title of ["put 1", "put 2"]) controller.fetch(todos.update, FIVE, { id: "5", title });
  await settled();
  for (let turn = 0; turn < 4; turn++) await last().reply({ id: "5" });
  assertEquals(sent().map((line) => line.split('"').at(-2)), ["one", "three", "put 1", "put 2"]);
  const alone = new Endpoint(() => Promise.resolve(1), { name: "alone", sideEffect: true, scope: latest("record") });
  await assertRejects(() => controller.fetch(alone), EndpointError, "only the members of a resource");
});

Deno.test("14.5 endpoints without a protocol: the last argument is the body, and is not merged", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const save = new Endpoint(wire.fn<[string, object]>("save"), {
    name: "save",
    sideEffect: true,
    scope: latest((id: string) => id),
  });
  const other = save.extend({ fetch: wire.fn<[string, object]>("other") });
  const results = [
    controller.fetch(save, "1", { a: 1 }),
    controller.fetch(save, "1", { b: 2 }),
    controller.fetch(save.extend({ signal: new AbortController().signal }), "1", { c: 3 }),
    controller.fetch(other, "1", { d: 4 }),
    controller.fetch(other.extend({ extra: 1 }), "1", { e: 5 }),
  ];
  await flush();
  for (let turn = 0; turn < 4; turn++) await wire.last.reply(turn);
  assertEquals(wire.calls.map(({ args }) => args[1]), [{ a: 1 }, { c: 3 }, { d: 4 }, { e: 5 }]);
  assertEquals(await Promise.all(results), [0, 1, 1, 2, 3]);
});

Deno.test("14.5 queues belong to a controller: those of two do not know each other", async () => {
  const wire = new Wire();
  const save = new Endpoint(wire.fn<[number]>("save"), { name: "save", sideEffect: true, scope: latest(() => "x") });
  const [ann, bo] = [new Controller(), new Controller()];
  for (const who of [ann, bo]) for (const value of [1, 2, 3]) who.fetch(save, value);
  await flush();
  assertEquals(wire.calls.map(({ args }) => args[0]), [1, 1]);
  await wire.calls[0]!.reply(0);
  assertEquals(wire.calls.map(({ args }) => args[0]), [1, 1, 3]);
});

Deno.test("14.5 a replay takes the same turns", async () => {
  const { todos, controller, last, edit } = start();
  const recorder = record(controller);
  const results = [edit({ title: "one" }), edit({ note: "a" }), edit({ title: "two" })];
  await settled();
  await last().reply({ id: "5", title: "one" });
  await last().reply();
  await Promise.all(results);
  const played = replay(JSON.parse(JSON.stringify(recorder.stop())), {
    endpoints: Object.values(todos),
    schemas: [Todo],
  });
  await played.run();
  assertEquals(stateOf(played.controller).entities, stateOf(controller).entities);
  assertEquals(played.controller.get(Todo, FIVE)?.note, "a");
});

const STEP = fc.record({
  kind: fc.constantFrom("edit", "edit", "edit", "put", "reply", "reply", "fail", "abort"),
  id: fc.constantFrom("1", "2"),
  member: fc.constantFrom("title", "note"),
  at: fc.nat(5),
});

Deno.test("property: latest shows every edit at once, sends each once, in order, and ends at the server's truth", async () => {
  const property = fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
    const wire = new Wire();
    const controller = new Controller();
    const members = { schema: Todo, sideEffect: true, scope: latest(({ id }: { id: string }) => id) } as const;
    const shown = (_: unknown, { id }: { id: string }, body: object) => ({ id, ...body });
    const edit = new Endpoint(wire.fn<[{ id: string }, object]>("edit"), {
      name: "edit",
      ...members,
      method: "PATCH",
      getOptimisticResponse: shown,
    });
    const put = new Endpoint(wire.fn<[{ id: string }, object]>("put"), {
      name: "put",
      ...members,
      getOptimisticResponse: shown,
    });
    const server = new Map<string, Row>();
    for (const id of ["1", "2"]) {
      server.set(id, { id, title: "", note: "" });
      controller.set(Todo, { id }, server.get(id)!);
    }
    /** Calls that are not over, in order. */
    let open: { id: string; body: object; abort: AbortController; isPut: boolean }[] = [];
    const expected = (id: string) =>
      open.filter((call) => call.id === id).reduce((row, { body }) => ({ ...row, ...body }), server.get(id)!);
    const look = () => {
      for (const id of ["1", "2"]) {
        const { title, note } = controller.get(Todo, { id })!;
        assertEquals({ id, title, note }, expected(id) as object);
        const onWire = wire.calls.filter(({ args, signal }) =>
          (args[0] as Row).id === id && !signal!.aborted && !answered.has(wire.calls.findIndex((c) => c.args === args))
        );
        assert(onWire.length <= 1, "two of one scope on the wire");
      }
    };
    const answered = new Set<number>();
    for (const [index, { kind, id, member, at }] of steps.entries()) {
      if (kind === "edit" || kind === "put") {
        const isPut = kind === "put";
        const body = isPut ? { title: `t${index}`, note: `n${index}` } : { [member]: `v${index}` };
        const abort = new AbortController();
        const call = { id, body, abort, isPut };
        open.push(call);
        const over = () => void (open = open.filter((one) => one !== call));
        controller.fetch((isPut ? put : edit).extend({ signal: abort.signal }), { id }, body).then(over, over);
      } else if (kind === "abort") {
        const waiting = open.filter(({ body }) =>
          !wire.calls.some((call, index) =>
            !answered.has(index) && JSON.stringify(call.args[1]).includes(String(Object.values(body)[0]))
          )
        );
        waiting[at % Math.max(1, waiting.length)]?.abort.abort();
      } else {
        const pending = wire.calls.map((call, index) => ({ call, index })).filter(({ index }) => !answered.has(index));
        const chosen = pending[at % Math.max(1, pending.length)];
        if (chosen !== undefined) {
          answered.add(chosen.index);
          const [{ id: of }, body] = chosen.call.args as [Row, Row];
          if (kind === "fail") await chosen.call.fail(new NetworkError({ method: "PATCH", url: "x", status: 422 }));
          else {
            server.set(of, { ...server.get(of)!, ...body });
            await chosen.call.reply(server.get(of));
          }
        }
      }
      await flush();
      look();
    }
    for (let index = 0; index < wire.calls.length; index++) {
      if (answered.has(index)) continue;
      answered.add(index);
      const [{ id: of }, body] = wire.calls[index]!.args as [Row, Row];
      server.set(of, { ...server.get(of)!, ...body });
      await wire.calls[index]!.reply(server.get(of));
      await flush();
      look();
    }
    await controller.allSettled();
    await flush();
    const { store } = controller;
    assertEquals([open.length, store.sequence.size, store.layers.length, store.logs.size], [0, 0, 0, 0]);
    look();
  });
  await check(property, { name: "latest", runs: runs(1_000, 100_000) });
});
