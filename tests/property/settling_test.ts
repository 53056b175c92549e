/**
 * Whatever network and server do to a client's requests, and whatever the client does meanwhile, every promise settles in
 * its time, and nothing is left in flight: reads that are shared, mutations that show something at once, of one scope or
 * waiting for a name, retries and redirects, aborts, answers from elsewhere, invalidation and reset in flight.
 *
 * @module
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Entity, resource, serial, TimeoutError } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { type Fault, FaultFetch } from "../support/fault_fetch.ts";
import { check, runs } from "../support/property.ts";
import { moment, rareFault } from "../support/random_fault.ts";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}
const options = { urlPrefix: "https://api.example.com", path: "/todos/:id", schema: Todo, optimistic: true } as const;
const TodoResource = resource(options);
const ScopedResource = resource({ ...options, scope: serial("record") });

const KINDS = [
  ["get", 4],
  ["getList", 3],
  ["create", 4],
  ["update", 3],
  ["delete", 2],
  ["scoped update", 4],
  ["scoped delete", 1],
  ["resolve", 2],
  ["abort", 2],
  ["hold a read", 2],
  ["let it go", 2],
  ["invalidate", 2],
  ["release", 3],
  ["reset", 1],
] as const;

/** What a server says in place of the truth. */
const ANSWERS = ["ok", "ok", "ok", "busy", "moved", "html", "empty", "refused", "gone", "throws"] as const;

interface Deed {
  readonly at: number;
  readonly kind: (typeof KINDS)[number][0];
  /** Which record: the first three are the server's, the others have a temporary name. */
  readonly pk: number;
}

/** One case, as plain data. */
interface Case {
  readonly deeds: readonly Deed[];
  /** What becomes of each request, in order; those after them go well. */
  readonly faults: readonly Fault[];
  readonly answers: readonly (typeof ANSWERS)[number][];
  readonly deadline: number;
  readonly retry: number | false;
}

const schedule: fc.Arbitrary<Case> = fc.record({
  deeds: fc.array(
    fc.record({
      at: moment,
      kind: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
      pk: fc.nat(5),
    }),
    { minLength: 1, maxLength: 14, size: "max" },
  ),
  faults: fc.array(rareFault, { maxLength: 12, size: "max" }),
  answers: fc.array(fc.constantFrom(...ANSWERS), { maxLength: 12, size: "max" }),
  deadline: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1_000, max: 4_000 })),
  retry: fc.constantFrom(false as const, 1, 2),
});

/** How often promises ended in which way. */
const outcomes = new Map<string, number>();

/** Somebody who waits. */
interface Waiting {
  readonly kind: string;
  readonly from: number;
  /** How many mutations it may have to wait for: to be named, or in the line of its scope. */
  readonly before: number;
  settledAt?: number;
}

/**
 * @param answers What is said to each request, in order; each is taken out.
 * @param leaks Takes what no server may ever see.
 */
function serve(answers: (typeof ANSWERS)[number][], leaks: string[]): FaultFetch {
  const rows = new Map(["1", "2", "3"].map((id) => [id, { id, title: `title ${id}` }]));
  let last = 3;
  return new FaultFetch(async (request) => {
    const text = await request.text();
    if (/~[0-9a-f]{16}-/.test(request.url + text)) leaks.push(`${request.method} ${request.url} ${text}`);
    const answer = answers.shift() ?? "ok";
    if (answer === "busy") return new Response("busy", { status: 503, headers: { "retry-after": "0" } });
    if (answer === "moved") return new Response("", { status: 307, headers: { location: request.url } });
    if (answer === "refused") return new Response("no", { status: 422 });
    if (answer === "gone") return new Response("gone", { status: 404 });
    if (answer === "throws") throw new Error("the server");
    const [, , id] = new URL(request.url).pathname.split("/");
    const sent = text === "" ? {} : JSON.parse(text);
    const row = id === undefined ? undefined : rows.get(id);
    const reply = (body: unknown) => {
      if (answer === "html") return new Response("<p>");
      return answer === "empty" ? new Response(null, { status: 204 }) : Response.json(body);
    };
    if (request.method === "POST") {
      const made = { ...sent, id: String(++last) };
      rows.set(made.id, made);
      return reply(made);
    }
    if (id === undefined) return reply([...rows.values()]);
    if (row === undefined) return new Response("gone", { status: 404 });
    if (request.method === "DELETE") rows.delete(id);
    else if (request.method === "PUT") rows.set(id, { ...row, ...sent });
    return reply(rows.get(id) ?? row);
  });
}

async function run({ deeds, faults, answers, deadline, retry }: Case): Promise<void> {
  const clock = new FakeClock();
  using _clock = clock.install();
  const said = [...answers];
  const leaks: string[] = [];
  const api = serve(said, leaks).script(...faults);
  using _api = api.install();
  const controller = new Controller({ defaults: { deadline, retry } });
  const { store } = controller;
  const waiting: Waiting[] = [];
  const unexpected: unknown[] = [];
  const holds: (() => void)[] = [];
  let mutations = 0;
  let names = 0;
  const { get, getList, create, update, delete: remove } = TodoResource;
  const follow = (kind: string, isMutation: boolean, promise: Promise<unknown>) => {
    // A read waits for names, and starts anew after an invalidation.
    const one: Waiting = { kind, from: clock.elapsed, before: isMutation ? mutations++ : mutations };
    waiting.push(one);
    promise.then(() => "value", (error) => {
      if (error instanceof TimeoutError && error.deadline !== deadline) unexpected.push(error);
      return error instanceof Error ? error.name : "thrown by the network";
    }).then((outcome) => {
      one.settledAt = clock.elapsed;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    });
  };
  const perform = ({ kind, pk }: Deed): void => {
    const id = pk < 3 || names === 0 ? String(pk % 3 + 1) : `${store.tables.idToken}${(pk - 3) % names + 1}`;
    const body = { title: `${kind} ${waiting.length}` };
    switch (kind) {
      case "get":
        return follow(kind, false, controller.fetch(get, { id }));
      case "getList":
        return follow(kind, false, controller.fetch(getList));
      case "create":
        names++;
        return follow(kind, true, controller.fetch(create, body));
      case "update":
        return follow(kind, true, controller.fetch(update, { id }, body));
      case "delete":
        return follow(kind, true, controller.fetch(remove, { id }));
      case "scoped update":
        return follow(kind, true, controller.fetch(ScopedResource.update, { id }, body));
      case "scoped delete":
        return follow(kind, true, controller.fetch(ScopedResource.delete, { id }));
      case "resolve":
        // What is in flight for it, if anything is, is answered from elsewhere; half of the time with an error.
        if (id.startsWith("~")) return;
        controller.resolve(get, {
          args: [{ id }],
          ...pk % 2 ? { error: new Error("elsewhere") } : { response: { id } },
        });
        return;
      case "abort":
        controller.abort(get, { id });
        return pk % 2 === 0 ? controller.abort(getList) : controller.abort(ScopedResource.delete, { id });
      case "hold a read": {
        const flight = controller.startRead(get, [{ id }], get.key({ id }))!;
        follow(kind, false, flight.promise);
        return void holds.push(controller.hold(flight));
      }
      case "let it go":
        return holds.shift()?.();
      case "invalidate":
        controller.invalidate(get, { id });
        return controller.invalidate(getList);
      case "release":
        return api.releaseAll();
      case "reset":
        return pk === 0 ? controller.resetEntireStore() : undefined;
    }
  };
  for (const deed of deeds) {
    clock.setTimeout(() => {
      try {
        perform(deed);
      } catch (error) {
        unexpected.push(error);
      }
    }, deed.at);
  }

  // Longer than any deadline, any drip and any delay: what has not settled now never will.
  await clock.runAll();

  assertEquals([unexpected, leaks], [[], []]);
  // Each invalidation starts a read in flight anew.
  const restarts = Math.max(1, deeds.filter(({ kind }) => kind === "invalidate").length);
  for (const { kind, from, before, settledAt } of waiting) {
    assert(settledAt !== undefined, `a ${kind} did not settle`);
    assertLessOrEqual(settledAt - from, (before + 1 + restarts) * deadline, `a ${kind} settled too late`);
  }
  await controller.allSettled();
  for (const letGo of holds) letGo();
  await flush();
  const { logs, tableChanges, layers, covered, behind, overlaps, sequence } = store;
  assertEquals(
    [logs.size, tableChanges.length, layers.length, covered.size, behind.size, overlaps.size, sequence.size],
    [
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    ],
  );
  assertEquals(clock.pending, 0, "a timer was left");
  if (faults.every(({ deaf }) => !deaf)) {
    assertEquals([api.open, api.openBodies, api.listeners], [0, 0, 0], "the network was left waiting");
  }
  for (const pk of ["1", "2", "3"]) {
    assert(!controller.getResponseMeta(get, { id: pk }).isInFlight);
    assert(controller.findRead(get, get.key({ id: pk })) === undefined);
  }

  api.heal();
  said.length = 0;
  const rows = await controller.fetch(getList);
  assert(Array.isArray(rows));
  const shown = controller.getResponse(getList).data;
  assertEquals(shown?.every(({ id }) => !id.startsWith("~")), true, "a temporary name was left in a list");
  controller.cleanup();
}

Deno.test("every promise of a controller settles under every schedule of faults and deeds, and nothing is left", async () => {
  await check(fc.asyncProperty(schedule, run), { name: "settling", runs: runs(1_000, 100_000) });
  console.log([...outcomes].map(([name, count]) => `${name} ${count}`).join(", "));
  const expected = [
    "AbortError",
    "EndpointError",
    "NetworkError",
    "OvertakenError",
    "ParseError",
    "TimeoutError",
    "value",
  ];
  for (const name of expected) assert(outcomes.get(name)! > 0, `nothing ended with ${name}`);
});
