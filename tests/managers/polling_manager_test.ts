import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import {
  Controller,
  Endpoint,
  EndpointError,
  type EndpointOptions,
  Entity,
  type Manager,
  onCommit,
  PollingManager,
} from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { FakePage } from "../support/page.ts";
import { check, runs } from "../support/property.ts";
import { uncaught } from "../support/uncaught.ts";
import { Wire } from "../support/wire.ts";

class Price extends Entity {
  symbol = "";
  value = 0;
  pk() {
    return this.symbol;
  }
  static key = "Price";
}

/** An exchange that answers at once, and notes when it was asked. */
function start(...managers: Manager[]) {
  const clock = new FakeClock();
  const restore = clock.install();
  const page = new FakePage();
  const controller = new Controller({ managers: [...managers, new PollingManager()] });
  const asked: string[] = [];
  const price = (pollFrequency: number | undefined, more: Pick<EndpointOptions, "errorPolicy"> = {}) =>
    new Endpoint((symbol: string) => {
      asked.push(`${symbol} ${clock.elapsed}`);
      return Promise.resolve({ symbol, value: clock.elapsed });
    }, { name: "price", schema: Price, pollFrequency, ...more });
  return {
    clock,
    page,
    controller,
    price,
    /** What was asked since the last look: symbol, and ms since the beginning. */
    asked: () => asked.splice(0),
    [Symbol.dispose]: () => {
      controller.cleanup();
      const left = [clock.pending, page.listeners];
      page[Symbol.dispose]();
      restore();
      assertEquals(left, [0, 0], "nothing remains");
    },
  };
}

Deno.test("polling asks at once when there is nothing, then as often as the endpoint says", async () => {
  using exchange = start();
  const { controller, clock, asked } = exchange;
  const price = exchange.price(1_000);
  controller.subscribe(price, "ACME");
  await clock.tickAsync();
  assertEquals(asked(), ["ACME 0"]);
  await clock.tickAsync(3_500);
  assertEquals(asked(), ["ACME 1000", "ACME 2000", "ACME 3000"]);
  assertEquals(controller.getResponse(price, "ACME").data?.value, 3_000);
  controller.unsubscribe(price, "ACME");
  await clock.tickAsync(10_000);
  assertEquals([asked(), clock.pending], [[], 0]);
});

Deno.test("the first poll is reckoned from the last fetch", async () => {
  using exchange = start();
  const { controller, clock, asked } = exchange;
  const price = exchange.price(1_000);
  await controller.fetch(price, "ACME");
  await clock.tickAsync(400);
  controller.subscribe(price, "ACME");
  await clock.tickAsync(1_700);
  assertEquals(asked(), ["ACME 0", "ACME 1000", "ACME 2000"]);
});

Deno.test("an answer older than the frequency is asked for at once, an invalid or failed one too", async () => {
  for (const spoil of ["age", "invalidate", "error"] as const) {
    using exchange = start();
    const { controller, clock, asked } = exchange;
    const price = exchange.price(1_000);
    await controller.fetch(price, "ACME");
    await clock.tickAsync(spoil === "age" ? 5_000 : 100);
    if (spoil === "invalidate") controller.invalidate(price, "ACME");
    if (spoil === "error") {
      controller.resetEntireStore();
      controller.setError(price, "ACME", new Error("503"));
    }
    asked();
    const now = clock.elapsed;
    controller.subscribe(price, "ACME");
    await clock.tickAsync();
    assertEquals(asked(), [`ACME ${now}`], spoil);
  }
});

Deno.test("what is invalidated or reset is asked for at once, unless somebody else does; the next poll is reckoned from that", async () => {
  for (const spoil of ["invalidate", "reset"] as const) {
    using exchange = start();
    const { controller, clock, asked } = exchange;
    const [price, other] = [exchange.price(5_000), exchange.price(undefined).extend({ name: "other" })];
    controller.subscribe(price, "ACME");
    await clock.tickAsync(6_400);
    const take = () => spoil === "reset" ? controller.resetEntireStore() : controller.invalidate(price, "ACME");
    take();
    controller.invalidate(other, "ACME");
    await clock.tickAsync(2_000);
    take();
    const answer = controller.fetch(price, "ACME");
    await clock.tickAsync();
    await answer;
    await clock.tickAsync(5_000);
    assertEquals(asked(), ["ACME 0", "ACME 5000", "ACME 6400", "ACME 8400", "ACME 13400"], spoil);
  }
});

Deno.test("what is taken away whenever it fails is asked for once a second, or as often as the endpoint says", async () => {
  for (const [frequency, times] of [[60_000, 10], [100, 100]] as const) {
    using exchange = start();
    const { controller, clock } = exchange;
    let asked = 0;
    const price = new Endpoint((_symbol: string) => {
      asked++;
      return Promise.reject(new Error("401"));
    }, { name: "failing", schema: Price, pollFrequency: frequency });
    onCommit(controller, (_patch, { type }) => {
      if (type === "setError") controller.resetEntireStore();
    });
    controller.subscribe(price, "ACME");
    for (let ms = 0; ms < 10_000; ms += 50) await clock.tickAsync(50);
    assertEquals(asked, times + 1);
  }
});

Deno.test("what is invalidated and cannot be had is asked for once, and then as often as the endpoint says", async () => {
  using exchange = start();
  const { controller, clock } = exchange;
  let asked = 0;
  const price = new Endpoint((symbol: string) => {
    asked++;
    return asked === 1 ? Promise.resolve({ symbol, value: 1 }) : Promise.reject(new Error("down"));
  }, { name: "failing", schema: Price, pollFrequency: 5_000 });
  controller.subscribe(price, "ACME");
  await clock.tickAsync(2_000);
  controller.invalidate(price, "ACME");
  await clock.tickAsync(4_000);
  assertEquals(asked, 2);
  await clock.tickAsync(1_000);
  assertEquals(asked, 3);
});

Deno.test("13.C11 a wall clock that was set back makes no answer younger for whoever polls it", async () => {
  for (const jump of [-86_400_000, -4_000, -500, 0]) {
    using exchange = start();
    const { controller, clock, asked } = exchange;
    const price = exchange.price(10_000);
    await controller.fetch(price, "ACME");
    await clock.tickAsync(5_000);
    clock.jump(jump);
    controller.subscribe(price, "ACME");
    await clock.tickAsync(6_000);
    assertEquals(asked(), ["ACME 0", "ACME 10000"], String(jump));
  }
});

Deno.test("a wall clock that jumps neither stops nor speeds up polling", async () => {
  using exchange = start();
  const { controller, clock, asked } = exchange;
  const price = exchange.price(1_000);
  controller.subscribe(price, "ACME");
  await clock.tickAsync(500);
  clock.jump(-86_400_000);
  await clock.tickAsync(1_000);
  clock.jump(2 * 86_400_000);
  await clock.tickAsync(1_000);
  assertEquals(asked(), ["ACME 0", "ACME 1000", "ACME 2000"]);
});

Deno.test("of several subscribers the most impatient decides, until it leaves", async () => {
  using exchange = start();
  const { controller, clock, asked } = exchange;
  const [slow, fast] = [exchange.price(1_000), exchange.price(300)];
  controller.subscribe(slow, "ACME");
  controller.subscribe(fast, "ACME");
  controller.subscribe(fast, "ACME");
  await clock.tickAsync(700);
  assertEquals(asked(), ["ACME 0", "ACME 300", "ACME 600"]);
  controller.unsubscribe(fast, "ACME");
  await clock.tickAsync(300);
  assertEquals(asked(), ["ACME 900"]);
  controller.unsubscribe(fast, "ACME");
  await clock.tickAsync(1_000);
  assertEquals(asked(), ["ACME 1900"]);
  controller.unsubscribe(slow, "ACME");
  assertEquals(clock.pending, 0);
});

Deno.test("different arguments are polled each for itself", async () => {
  using exchange = start();
  const { controller, clock, asked } = exchange;
  const price = exchange.price(1_000);
  for (const symbol of ["ACME", "__proto__", "constructor"]) controller.subscribe(price, symbol);
  controller.unsubscribe(price, "constructor");
  await clock.tickAsync(1_000);
  assertEquals(asked(), ["ACME 0", "__proto__ 0", "ACME 1000", "__proto__ 1000"]);
  // Nobody has subscribed to it: nothing to take back.
  controller.unsubscribe(price, "toString");
  assertEquals(asked(), []);
});

Deno.test("subscribe and unsubscribe do nothing when the first argument is null", () => {
  using exchange = start();
  exchange.controller.subscribe(exchange.price(1_000), null);
  exchange.controller.unsubscribe(exchange.price(1_000), null);
  assertEquals(exchange.clock.pending, 0);
});

Deno.test("what is hidden or offline is not polled, and asked once for what was missed", async () => {
  for (const [away, back] of [["hide", "show"], ["goOffline", "goOnline"]] as const) {
    using exchange = start();
    const { controller, clock, asked, page } = exchange;
    controller.subscribe(exchange.price(1_000), "ACME");
    await clock.tickAsync();
    page[away]();
    await clock.tickAsync(10_500);
    assertEquals([asked(), clock.pending], [["ACME 0"], 0], away);
    page[back]();
    page[back]();
    await clock.tickAsync(1_000);
    assertEquals(asked(), ["ACME 10500", "ACME 11500"], away);
    page[away]();
    await clock.tickAsync(100);
    page[back]();
    await clock.tickAsync(900);
    assertEquals(asked(), ["ACME 12500"], "nothing was missed");
  }
});

Deno.test("what is subscribed to while the page is hidden waits until it is seen, with a network", async () => {
  using exchange = start();
  const { controller, clock, asked, page } = exchange;
  page.hide();
  page.goOffline();
  controller.subscribe(exchange.price(1_000), "ACME");
  await clock.tickAsync(5_000);
  page.show();
  await clock.tickAsync(5_000);
  assertEquals(asked(), []);
  page.goOnline();
  await clock.tickAsync();
  assertEquals(asked(), ["ACME 10000"]);
});

Deno.test("a poll that takes longer than its frequency is not sent twice", async () => {
  using exchange = start();
  const { controller, clock } = exchange;
  const wire = new Wire();
  const slow = new Endpoint(wire.fn("slow"), { name: "slow", pollFrequency: 1_000 });
  controller.subscribe(slow);
  await clock.tickAsync(3_500);
  assertEquals(wire.calls.length, 1);
  await wire.last.reply(1);
  await clock.tickAsync(500);
  assertEquals(wire.calls.length, 2);
});

Deno.test("the request of the last subscriber is aborted, but not one that somebody else awaits", async () => {
  for (const isAwaited of [false, true]) {
    using exchange = start();
    const { controller, clock } = exchange;
    const wire = new Wire();
    const slow = new Endpoint(wire.fn("slow"), { name: "slow", pollFrequency: 1_000 });
    controller.subscribe(slow);
    controller.subscribe(slow);
    await clock.tickAsync();
    const answer = isAwaited ? controller.fetch(slow) : undefined;
    controller.unsubscribe(slow);
    assertEquals(wire.last.signal?.aborted, false);
    controller.unsubscribe(slow);
    assertEquals(wire.last.signal?.aborted, !isAwaited);
    await wire.last.reply("here");
    if (isAwaited) assertEquals(await answer, "here");
    assertEquals([wire.calls.length, controller.store.sequence.size], [1, 0]);
  }
});

Deno.test("a poll that fails is followed by the next, and its error is the key's by the endpoint's own policy", async () => {
  for (const policy of ["soft", "hard"] as const) {
    using exchange = start();
    const { controller, clock } = exchange;
    const wire = new Wire();
    const price = new Endpoint(wire.fn("price"), {
      name: "price",
      schema: Price,
      pollFrequency: 1_000,
      errorPolicy: () => policy,
    });
    controller.subscribe(price);
    await clock.tickAsync();
    await wire.last.reply({ symbol: "ACME", value: 5 });
    await clock.tickAsync(1_000);
    await wire.last.fail(new Error("503"));
    assertEquals(controller.getResponse(price).data?.value, 5);
    assertEquals(String(controller.getError(price)), policy === "hard" ? "Error: 503" : "undefined");
    await clock.tickAsync(1_000);
    await wire.last.reply({ symbol: "ACME", value: 6 });
    assertEquals([controller.getResponse(price).data?.value, controller.getError(price)], [6, undefined]);
  }
});

Deno.test("a middleware that throws at a poll is reported, and polling goes on", async () => {
  let isBroken = true;
  const broken: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type === "fetch" && isBroken) throw new Error("no token");
      return next(action);
    },
  };
  using exchange = start(broken);
  const { controller, clock, asked } = exchange;
  const errors = await uncaught(async () => {
    controller.subscribe(exchange.price(1_000), "ACME");
    await clock.tickAsync(1_000);
  });
  assertEquals(errors.map(String), ["Error: no token", "Error: no token"]);
  isBroken = false;
  await clock.tickAsync(1_000);
  assertEquals(asked(), ["ACME 2000"]);
});

Deno.test("a frequency that is no number above 0 is a typed error, and nothing is polled", () => {
  using exchange = start();
  for (const frequency of [0, -5, NaN, "1000", {}, null]) {
    const error = assertThrows(
      () => exchange.controller.subscribe(exchange.price(frequency as number), "ACME"),
      EndpointError,
      "Give a number of ms above 0",
    );
    assertEquals(error.endpoint, "price");
  }
  assertEquals(exchange.clock.pending, 0);
});

Deno.test("a frequency of Infinity never polls", async () => {
  using exchange = start();
  exchange.controller.subscribe(exchange.price(Infinity), "ACME");
  await exchange.clock.tickAsync(1e12);
  assertEquals(exchange.asked(), []);
});

Deno.test("what has no frequency goes to the next manager", () => {
  using exchange = start();
  const seen: string[] = [];
  const next: Manager = { middleware: () => () => (action) => void seen.push(action.type) };
  const controller = new Controller({ managers: [new PollingManager(), next] });
  controller.subscribe(exchange.price(undefined), "ACME");
  controller.unsubscribe(exchange.price(undefined), "ACME");
  controller.subscribe(exchange.price(500), "ACME");
  assertEquals(seen, ["subscribe", "unsubscribe"]);
  controller.cleanup();
});

Deno.test("in strict mode a subscription that nobody serves is named once, with the way out", () => {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => warnings.push(text);
  try {
    const controller = new Controller({ strict: true });
    const price = new Endpoint(() => Promise.resolve(1), { name: "price" });
    controller.subscribe(price);
    controller.subscribe(price);
    controller.unsubscribe(price);
    assertEquals(warnings.length, 1);
    assert(warnings[0]!.includes('"price"') && warnings[0]!.includes("pollFrequency"));
  } finally {
    console.warn = warn;
  }
});

Deno.test("two shapes of one key are polled each for itself", async () => {
  using exchange = start();
  const { controller, clock } = exchange;
  const asked: string[] = [];
  const answer = (shape: string) => () => Promise.resolve({ symbol: "ACME", value: asked.push(shape) });
  const policy = { name: "price", pollFrequency: 1_000 };
  const shapes = [new Endpoint(answer("record"), { ...policy, schema: Price }), new Endpoint(answer("value"), policy)];
  for (const shape of shapes) controller.subscribe(shape);
  await clock.tickAsync();
  for (const shape of shapes) controller.unsubscribe(shape);
  await clock.tickAsync(5_000);
  assertEquals(asked, ["record", "value"]);
});

Deno.test("polls are made with the endpoint of the last subscriber", async () => {
  using exchange = start();
  const { controller, clock } = exchange;
  const tokens: string[] = [];
  const withToken = (token: string) =>
    new Endpoint(() => Promise.resolve(tokens.push(token)), { name: "price", pollFrequency: 1_000 });
  const [before, after] = [withToken("old"), withToken("new")];
  controller.subscribe(before);
  await clock.tickAsync(500);
  controller.subscribe(after);
  controller.unsubscribe(before);
  await clock.tickAsync(1_500);
  assertEquals(tokens, ["old", "new", "new"]);
});

Deno.test("nothing is polled after the controller has stopped", async () => {
  using exchange = start();
  const { controller, clock, asked } = exchange;
  controller.subscribe(exchange.price(1_000), "ACME");
  controller.cleanup();
  controller.subscribe(exchange.price(1_000), "ACME");
  controller.unsubscribe(exchange.price(1_000), "ACME");
  await clock.tickAsync(5_000);
  assertEquals(asked(), []);
});

type Step =
  | { readonly do: "subscribe" | "unsubscribe"; readonly frequency: number }
  | { readonly do: "tick"; readonly ms: number }
  | { readonly do: "hide" | "show" | "goOffline" | "goOnline" };

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constantFrom("subscribe", "unsubscribe"), frequency: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constant("tick"), ms: fc.integer({ min: 0, max: 6 }) }),
    fc.record({ do: fc.constantFrom("hide", "show", "goOffline", "goOnline") }),
  ),
  { maxLength: 30 },
);

Deno.test("whatever subscribers and the page do, polls come exactly when a look at every millisecond says", async () => {
  await check(
    fc.asyncProperty(steps, async (sequence) => {
      using exchange = start();
      const { controller, clock, page } = exchange;
      const endpoints = [1, 2, 3, 4].map((frequency) => exchange.price(frequency));
      const model = { subscribers: [] as number[], last: -Infinity, isHidden: false, isOffline: false };
      const expected: string[] = [];
      const look = (at: number): void => {
        if (model.subscribers.length === 0 || model.isHidden || model.isOffline) return;
        if (at - model.last < Math.min(...model.subscribers)) return;
        model.last = at;
        expected.push(`ACME ${at}`);
      };
      for (const step of sequence) {
        if (step.do === "tick") {
          for (let ms = 0; ms <= step.ms; ms++) look(clock.elapsed + ms);
          await clock.tickAsync(step.ms);
        } else if (step.do === "subscribe") {
          controller.subscribe(endpoints[step.frequency - 1]!, "ACME");
          model.subscribers.push(step.frequency);
        } else if (step.do === "unsubscribe") {
          controller.unsubscribe(endpoints[step.frequency - 1]!, "ACME");
          const at = model.subscribers.indexOf(step.frequency);
          if (at >= 0) model.subscribers.splice(at, 1);
        } else {
          if (step.do === "hide" || step.do === "show") model.isHidden = step.do === "hide";
          else model.isOffline = step.do === "goOffline";
          page[step.do]();
        }
      }
      await flush();
      assertEquals(exchange.asked(), expected);
    }),
    { name: "polling", runs: runs(1_000, 100_000) },
  );
});
