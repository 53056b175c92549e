/**
 * Everything that a client can do, in random interleavings, against the naive model: reads of records, plain lists and
 * collections; mutations of all kinds, with layers and temporary names; failures, aborts, invalidation, expiry, reset;
 * readers that come and go, collection of memory between any two steps, and clocks that jump.
 *
 * A case is a list of steps, and a step may come before the promises of the last one have run: which request the server
 * applies or answers next is part of the case, so a failure can be kept as plain data.
 *
 * @module
 */
import * as fc from "fast-check";
import { flush } from "../support/clock.ts";
import { listKey, writesOfList } from "../support/list_server.ts";
import { check, runs } from "../support/property.ts";
import { LISTS, Todo } from "../support/whole_roots.ts";
import { WholeSession } from "../support/whole_session.ts";
import { collectAll, stepOn } from "../support/collect.ts";

const OPS = [
  ["get", 2],
  ["plain", 2],
  ["list", 3],
  ["owner", 1],
  ["push", 3],
  ["unshift", 1],
  ["move", 2],
  ["update", 3],
  ["remove", 1],
  ["delete", 2],
  ["set", 1],
  ["setBy", 1],
  ["setList", 1],
  ["elsewhere", 1],
  ["invalidate", 3],
  ["expire", 1],
  ["reset", 1],
  ["abort", 1],
  ["abortRead", 1],
  ["mount", 4],
  ["unmount", 2],
  ["collect", 2],
  ["step", 3],
  ["tick", 2],
  ["jump", 1],
  ["look", 1],
  ["apply", 5],
  ["answer", 10],
  ["lose", 2],
] as const;

type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(63),
  fc.nat(31),
);

/** Does one thing; what it means depends on what there is. */
async function perform(session: WholeSession, [name, a, b]: Op): Promise<void> {
  const { controller, model, reads, server, collector } = session;
  const pk = session.pk(a);
  const args = LISTS[a % LISTS.length]!;
  const shows = b >= 12;
  switch (name) {
    case "get":
      return session.follow(controller.fetch(reads.get, pk));
    case "plain":
      return session.follow(controller.fetch(reads.plain));
    case "list":
      return session.follow(controller.fetch(reads.list, args));
    case "owner":
      return session.follow(controller.fetch(reads.owner, b & 1 ? "1" : "2"));
    case "push":
    case "unshift":
      return session.mutate(name, undefined, session.body(b), shows);
    case "move":
    case "update":
      return session.mutate(name, pk, session.body(b), shows);
    case "remove":
    case "delete":
      return session.mutate(name, pk, {}, shows);
    case "set":
    case "setBy": {
      const id = server.ids[a % server.ids.length]!;
      const { title } = session.body(b);
      const isThere = model.tables(true).get("Todo")?.has(id) ?? false;
      if (name === "setBy") controller.set(Todo, { id }, (todo) => todo && { ...todo, title: title as string });
      else controller.set(Todo, { id }, { title: title as string });
      return model.write(name === "set" || isThere ? [{ table: "Todo", pk: id, members: { id, title } }] : []);
    }
    case "setList": {
      const rows = server.list(args);
      controller.setResponse(reads.list, args, structuredClone(rows));
      return model.write(writesOfList(args, rows), `list ${listKey(args)}`, []);
    }
    case "elsewhere": {
      const id = server.ids[a % server.ids.length]!;
      return void server.apply(b & 8 ? { type: "delete", id } : { type: "move", id, body: session.body(b) });
    }
    case "invalidate": {
      const { request } = session.root(a);
      if (request === undefined) return;
      // First the model: the product starts what flies anew at once.
      model.invalidate(request.key);
      controller.invalidate(request.endpoint, ...request.args as [string]);
      if (b % 2 === 0) return;
      // Nobody asks for anything for long; then somebody asks for everything.
      session.passDoubts();
      for (let times = 0; times < 3; times++) {
        session.collect(() => (collectAll(collector), session.clock.tick(400), false));
      }
      return session.look();
    }
    case "expire":
      return controller.expireAll({ testKey: (key) => b > 16 || key.startsWith("list") });
    case "reset":
      return b < 8 ? session.reset() : undefined;
    case "abort":
      return session.abort(a);
    case "abortRead":
      return session.abortRead(session.root(a));
    case "mount":
      return session.mount(session.root(a), b % 3 === 0 ? "watcher" : "effect");
    case "unmount":
      return session.unmount(a);
    case "collect":
      return void session.collect(() => (collector.begin(), b > 8 && stepOn(collector, 1_000)));
    case "step":
      return void session.collect(() => stepOn(collector, b));
    case "tick":
      await flush();
      session.verify();
      session.passDoubts();
      // Not so far that a request would meet its deadline on the way: what it showed would go with it.
      return void session.collect(() => (session.clock.tick(b * 20), false));
    case "jump":
      return session.clock.jump((b - 15) * 86_400_000 / 15);
    case "look":
      return session.look();
    case "apply":
      return session.apply(a);
    case "answer":
      return session.answer(a, "comes");
    case "lose":
      return session.answer(a, b % 2 === 0 ? "is lost" : "never reached the server");
  }
}

/** Runs one interleaving. */
async function interleave(ops: readonly Op[], maxAge: number): Promise<void> {
  const session = new WholeSession(maxAge);
  using _ = session.clock.install();
  for (const each of ops) {
    session.next();
    await perform(session, each);
    // Every fourth step comes before the promises of this one have run.
    if (each[2] % 4 === 3) {
      session.verify(true);
      continue;
    }
    await flush();
    session.verify();
    session.verifyRest();
  }
  await flush();
  session.next();
  await session.finish();
}

Deno.test("whatever a client does, in any order, it shows what the naive model shows, and the server's truth in the end", async () => {
  await check(
    fc.asyncProperty(
      fc.array(op, { maxLength: 30, size: "max" }),
      // 0: what was not used since the last collection began.
      fc.constantFrom(0, 0, 1_000),
      interleave,
    ),
    { name: "whole_model", runs: runs(1_000, 1_000_000) },
  );
});
