import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  Controller,
  Endpoint,
  Entity,
  hydrate,
  Query,
  record,
  type Recording,
  replay,
  schema,
  serial,
  type Snapshot,
  stateOf,
} from "@rejoin/data";
import { hear } from "../../src/store/hear.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";
import { Wire, type WireCall } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Post extends Entity {
  id = "";
  title = "";
  votes = 0;
  author: User | undefined = undefined;
  tags: string[] = [];
  createdAt = new Date(0);
  static key = "Post";
  static schema = { author: User, createdAt: Date };
}
type Params = { id: string };
type Body = { title: string };

/** The endpoints of an app: those of the recording are on a wire, those of the replay are never called. */
function declare(wire: Wire) {
  const shown = (_: Snapshot, { id }: Params, body: Body) => ({ id, ...body });
  const options = { schema: Post, sideEffect: true, getOptimisticResponse: shown } as const;
  const keyed = (name: string) => ({ name, key: ({ id }: Params) => `${name} ${id}` });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: new schema.Collection([Post]) });
  return {
    get: new Endpoint(wire.fn<[Params]>("get"), { name: "get", schema: Post, errorPolicy: () => "soft" }),
    list,
    plain: new Endpoint(wire.fn("plain"), { name: "plain", schema: [Post], dataExpiryLength: 5_000 }),
    rename: new Endpoint(wire.fn<[Params, Body]>("rename"), { ...keyed("rename"), ...options }),
    vote: new Endpoint(wire.fn<[Params, Body]>("vote"), {
      ...keyed("vote"),
      ...options,
      scope: serial(({ id }: Params) => `post ${id}`),
      hasDeadline: true,
      getOptimisticResponse(snapshot, { id }: Params) {
        const post = snapshot.get(Post, { id }) as Post | undefined;
        if (post === undefined) throw snapshot.abort;
        return { id, votes: post.votes + 1 };
      },
    }),
    create: new Endpoint(wire.fn<[Body]>("create"), {
      name: "create",
      schema: list.schema.push,
      sideEffect: true,
      getOptimisticResponse: (snapshot, body: Body) => ({ id: snapshot.temporaryId(), ...body }),
    }),
    remove: new Endpoint(wire.fn<[Params]>("remove"), {
      name: "remove",
      schema: new schema.Invalidate(Post),
      sideEffect: true,
      // It sees to its deadline itself: after a reset its answer is waited for.
      hasDeadline: true,
    }),
  };
}
const posts = new Query(new schema.All(Post));

/** What the store knows, and what it shows, pending mutations included. */
function lookAt(controller: Controller) {
  return { state: structuredClone(stateOf(controller)), shown: JSON.stringify(controller.get(posts)) };
}

const KINDS = [
  ...["get", "list", "plain", "rename", "rename", "vote", "vote", "create", "remove", "draft", "readDraft"],
  ...["reply", "reply", "reply", "reply", "fail", "odd", "abort", "abortAll", "resolve", "resolveVote", "resolveError"],
  ...["set", "setChange", "setInstance", "setWrong", "setResponse", "setError", "reset", "replace"],
  ...[
    "heard",
    "heardGone",
    "heardAnswer",
    "invalidate",
    "invalidateAll",
    "expire",
    "expireAll",
    "read",
    "read",
    "tick",
  ],
] as const;
const STEP = fc.record({ kind: fc.constantFrom(...KINDS), id: fc.constantFrom("1", "2", "3"), at: fc.nat(9) });
type Step = { readonly kind: typeof KINDS[number]; readonly id: string; readonly at: number };

/** What happens to a store, recorded; and what it knew after each of the app's actions. */
async function run(steps: readonly Step[], clock: FakeClock) {
  const wire = new Wire();
  const api = declare(wire);
  const controller = new Controller();
  const title = (index: number) => `title ${index}`;
  const post = (id: string, index: number) => ({
    id,
    title: title(index),
    author: { id: String(1 + index % 2), name: `name ${index}` },
    createdAt: new Date(index * 1_000).toISOString(),
  });
  controller.set(Post, { id: "1" }, { id: "1", title: "first" });
  controller.setResponse(api.plain, [post("2", 0)]);
  const recorder = record(controller);
  const known: ({ readonly steps: number } & ReturnType<typeof lookAt>)[] = [];
  const aborts: AbortController[] = [];
  const open = new Set<WireCall>();
  let made = 20;
  const start = (endpoint: (typeof api)["rename"], ...args: unknown[]) => {
    const abort = new AbortController();
    aborts.push(abort);
    controller.fetch(endpoint.extend({ signal: abort.signal }), ...args as [Params, Body]).catch(() => {});
  };
  const act = async ({ kind, id, at }: Step, index: number): Promise<void> => {
    const onWire = [...open].filter(({ signal }) => !signal!.aborted);
    const chosen = onWire[at % Math.max(1, onWire.length)];
    const [draft] = controller.store.layers.flatMap(({ temporary }) => temporary.ids);
    const value = post(id, index);
    switch (kind) {
      case "get":
      case "rename":
      case "vote":
      case "remove":
        return start(api[kind] as never, { id }, { title: title(index) });
      case "list":
      case "plain":
        return start(api[kind] as never);
      case "create":
        return start(api.create as never, { title: title(index) });
      case "draft":
        return draft === undefined
          ? undefined
          : start(at % 2 ? api.vote : api.rename, { id: draft }, { title: title(index) });
      case "readDraft":
        return draft === undefined ? undefined : start(api.get as never, { id: draft });
      case "reply":
      case "fail":
      case "odd": {
        if (chosen === undefined) return;
        open.delete(chosen);
        if (kind === "fail") return await chosen.fail(at % 2 ? new Error("refused") : "no");
        if (kind === "odd") return await chosen.reply(["list", "plain"].includes(chosen.name) ? { no: 1 } : ["no"]);
        const [params] = chosen.args as [Params?];
        if (chosen.name === "list" || chosen.name === "plain") return await chosen.reply([post("2", index), value]);
        if (chosen.name === "create") return await chosen.reply({ ...value, id: String(++made) });
        return await chosen.reply(chosen.name === "remove" ? params : { ...value, ...params, votes: index });
      }
      case "abort":
        return aborts[at % Math.max(1, aborts.length)]?.abort();
      case "abortAll":
        return controller.abort(api.rename, { id }, { title: "" });
      case "resolve":
        return void controller.resolve(api.get, { args: [{ id }], response: value });
      case "resolveVote":
        return void controller.resolve(api.vote, { args: [{ id }, { title: "" }], response: value });
      case "resolveError":
        return void controller.resolve(api.get, { args: [{ id }], error: new Error("elsewhere") });
      case "set":
        return controller.set(Post, { id }, { id, title: title(index), createdAt: new Date(index) } as never);
      case "setChange":
        return controller.set(Post, { id }, (before) => before && { ...before, votes: before.votes + at });
      case "setInstance": {
        // What was read from the store is written, and with it what a class only has by default.
        const rows = [controller.get(Post, { id: "1" }), value].filter((row) => row !== undefined);
        return (controller.set as (schema: unknown, value: unknown) => void).call(
          controller,
          new schema.Array(Post),
          rows,
        );
      }
      case "setWrong":
        try {
          controller.set(Post, { id }, { id: "other" });
        } catch { /* it is in the recording that it threw */ }
        return;
      case "setResponse":
        return controller.setResponse(api.get, { id }, value);
      case "setError":
        return controller.setError(api.get, { id }, new Error(`error ${index}`));
      case "reset":
        return at === 0 ? controller.resetEntireStore() : undefined;
      case "replace":
        return at === 0 ? hydrate(controller, { ...stateOf(controller), entities: {} }) : undefined;
      case "heard":
      case "heardGone":
      case "heardAnswer":
        return hear(controller.store, () => {
          if (kind === "heardAnswer") controller.setResponse(api.get, { id }, value);
          else if (kind === "heardGone") controller.set(new schema.Invalidate(Post), { id });
          else controller.set(Post, { id }, value as never);
        });
      case "invalidate":
        return controller.invalidate(api.get, { id });
      case "invalidateAll":
        return controller.invalidateAll(api.get);
      case "expire":
        return controller.expire(api.get, { id });
      case "expireAll":
        return controller.expireAll({ testKey: (key) => key.includes(id) || key.startsWith("list") });
      case "read":
        controller.getResponse(api.get, { id });
        if (at % 2) controller.getResponse(api.list);
        if (at % 3) controller.getResponse(api.plain);
        return void controller.get(posts);
      case "tick":
        return await clock.tickAsync(at * 2_000);
    }
  };
  for (const [index, step] of steps.entries()) {
    await act(step, index + 1);
    await flush();
    for (const call of wire.calls.splice(0)) open.add(call);
    known.push({ steps: recorder.length, ...lookAt(controller) });
  }
  const recording: Recording = JSON.parse(JSON.stringify(recorder.stop()));
  controller.cleanup();
  return { recording, known };
}

Deno.test("property: a replay knows after each step what the recorded store knew", async () => {
  const property = fc.asyncProperty(fc.array(STEP, { maxLength: 20, size: "max" }), async (steps) => {
    const clock = new FakeClock();
    using _ = clock.install();
    const { recording, known } = await run(steps, clock);
    const wire = new Wire();
    const { pending } = clock;
    const played = replay(recording, { endpoints: [declare(wire)] });
    for (const { steps, state, shown } of known) {
      while (played.at < steps) await played.next();
      assertEquals(lookAt(played.controller), { state, shown });
    }
    assertEquals(await played.next(), undefined);
    assertEquals([wire.calls.length, clock.pending], [0, pending]);
  });
  await check(property, { name: "record and replay", runs: runs(1_000, 10_000) });
});
