import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import "../../src/dev/mod.ts";
import { Endpoint } from "../../src/endpoint/endpoint.ts";
import { EndpointError } from "../../src/errors/endpoint_error.ts";
import { check, runs } from "../support/property.ts";

const echo = new Endpoint((...args: unknown[]) => Promise.resolve(args), { name: "echo" });

Deno.test("an endpoint is a function, and an instance of its class", async () => {
  assertEquals(typeof echo, "function");
  assertInstanceOf(echo, Endpoint);
  assertEquals(await echo(1, "a"), [1, "a"]);
  assertEquals(await echo.call(undefined, 1), [1]);
  assertEquals(await echo.apply(undefined, [1]), [1]);
});

Deno.test("the function sees the endpoint as this", async () => {
  const endpoint = new Endpoint(
    function (this: Endpoint, suffix: string) {
      return Promise.resolve(this.name + suffix);
    },
    { name: "self" },
  );
  assertEquals(await endpoint("!"), "self!");
  assertEquals(await endpoint.extend({ name: "other" })("!"), "other!");
});

Deno.test("a function that throws at once rejects", async () => {
  const endpoint = new Endpoint(
    (): Promise<void> => {
      throw new TypeError("at once");
    },
    { name: "throws" },
  );
  await assertRejects(() => endpoint(), TypeError, "at once");
});

Deno.test("the name is the option, or the function's, and stays in extend", () => {
  async function getUser(id: string) {
    return await Promise.resolve(id);
  }
  assertEquals(new Endpoint(getUser).name, "getUser");
  assertEquals(new Endpoint(getUser, { name: "user" }).name, "user");
  const replaced = new Endpoint(getUser).extend({ fetch: (id: number) => Promise.resolve(id) });
  assertEquals(replaced.name, "getUser");
  assertEquals(replaced.key(5), "getUser [5]");
  assertEquals(replaced.extend({ name: "other" }).key(5), "other [5]");
});

Deno.test("without a name there is no key, but a sentence", () => {
  const endpoint = new Endpoint((() => () => Promise.resolve(1))());
  assertEquals(endpoint.name, "");
  assertThrows(() => endpoint.key(), EndpointError, "Cannot make a key of an endpoint without a name");
});

Deno.test("keys do not depend on the order of members, and leave undefined out", () => {
  assertEquals(echo.key({ b: 1, a: { d: 2, c: 3 } }), echo.key({ a: { c: 3, d: 2 }, b: 1 }));
  assertEquals(echo.key({ a: 1, b: undefined }), echo.key({ a: 1 }));
  assertEquals(echo.key(1, undefined), echo.key(1));
  assertEquals(echo.key(), "echo []");
});

Deno.test("what cannot be told from others by its content has no key", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const value of [() => 1, Symbol("s"), new Map([[1, 2]]), new Set([1]), new WeakMap(), cycle]) {
    const error = assertThrows(() => echo.key({ value }), EndpointError, "Cannot make a key");
    assertEquals(error.endpoint, "echo");
    assertInstanceOf(error.cause, Error);
  }
});

Deno.test("testKey is true for the endpoint's own keys only", () => {
  const user = echo.extend({ name: "getUser" });
  const users = echo.extend({ name: "getUsers" });
  assert(user.testKey(user.key({ id: 1 })));
  assert(!user.testKey(users.key({ id: 1 })));
  assert(!user.testKey("getUser"));
});

Deno.test("property: equal keys mean equal arguments", async () => {
  await check(
    fc.property(argument, argument, (a, b) => {
      assertEquals(echo.key(a) === echo.key(b), canonical(a) === canonical(b));
      assertEquals(echo.key(reversed(a)), echo.key(a));
    }),
    { name: "endpoint keys", runs: runs(10_000, 1_000_000) },
  );
});

// Few leaves, so that pairs are often equal, or nearly so.
const leaf = fc.constantFrom<unknown>(
  1,
  "1",
  1n,
  true,
  "true",
  null,
  "null",
  undefined,
  "undefined",
  0,
  -0,
  NaN,
  "NaN",
  Infinity,
  "",
  "[]",
  "{}",
  '{"a":1}',
  new Date(0),
  new Date(0).toISOString(),
);
const { argument } = fc.letrec<{ argument: unknown }>((tie) => ({
  argument: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.array(tie("argument"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", '"'), tie("argument"), { maxKeys: 2, noNullPrototype: false }),
  ),
}));

// What equality means: another formulation than the key's.
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `array(${value.map(canonical).map((item) => `${item.length}:${item}`).join()})`;
  if (value instanceof Date) return `date(${value.getTime()})`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `object(${
      members.sort(([a], [b]) => a < b ? -1 : 1).map(([name, member]) => {
        const text = canonical(member);
        return `${name.length}:${name}${text.length}:${text}`;
      }).join()
    })`;
  }
  return `${typeof value}(${Object.is(value, -0) ? 0 : String(value)})`;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const turned = Object.create(null);
  for (const [name, member] of Object.entries(value).reverse()) turned[name] = reversed(member);
  return turned;
}

Deno.test("extend leaves the original as it is, and undefined takes an option back", () => {
  const policy = echo.extend({ dataExpiryLength: 5, errorPolicy: () => "soft", schema: [] });
  assertEquals([policy.dataExpiryLength, policy.errorPolicy?.(0), policy.schema], [5, "soft", []]);
  assertEquals([echo.dataExpiryLength, echo.errorPolicy, echo.schema], [undefined, undefined, undefined]);
  const back = policy.extend({ dataExpiryLength: undefined, errorPolicy: undefined, schema: undefined });
  assertEquals([back.dataExpiryLength, back.errorPolicy, back.schema], [undefined, undefined, undefined]);
  assert(back as unknown !== policy);
});

Deno.test("every policy option is carried through", () => {
  const { signal } = new AbortController();
  const options = {
    dataExpiryLength: 1,
    errorExpiryLength: 2,
    pollFrequency: 3,
    invalidIfStale: true,
    errorPolicy: () => "hard" as const,
    getOptimisticResponse: () => ({}),
    readReply: (value: unknown) => ({ value }),
    sideEffect: true,
    schema: [],
    extra: { any: "thing" },
    signal,
  };
  for (
    const endpoint of [
      echo.extend(options),
      new Endpoint(echo.fetch, { name: "x", ...options }),
      echo.extend(options).extend({}),
    ]
  ) {
    for (const [name, value] of Object.entries(options)) assertEquals(Reflect.get(endpoint, name), value, name);
  }
});

Deno.test("options win over the fields of a subclass", () => {
  class Slow<A extends readonly unknown[], R> extends Endpoint<A, R> {
    override dataExpiryLength = 1;
    override invalidIfStale = true;
    readonly own = "field";
  }
  const endpoint = new Slow(() => Promise.resolve(1), { name: "slow", dataExpiryLength: 2 });
  endpoint.key();
  assertEquals([endpoint.dataExpiryLength, endpoint.invalidIfStale, endpoint.own], [2, true, "field"]);
  const extended = endpoint.extend({ invalidIfStale: false });
  assertEquals([extended.dataExpiryLength, extended.invalidIfStale], [2, false]);
  assertInstanceOf(extended, Slow);
  assertEquals(new Slow(() => Promise.resolve(1), { name: "slow" }).settle().dataExpiryLength, 1);
});

Deno.test("private members, arrow fields and super work in subclasses", async () => {
  class Counting<A extends readonly unknown[], R> extends Endpoint<A, R> {
    #keys = 0;
    readonly count = () => this.#keys;
    override key(...args: A): string {
      this.#keys++;
      return `counted ${super.key(...args)}`;
    }
  }
  const endpoint = new Counting((id: number) => Promise.resolve(id), { name: "get" });
  assertEquals(endpoint.key(1), "counted get [1]");
  assertEquals(endpoint.count(), 1);
  assertEquals(endpoint.extend({ dataExpiryLength: 1 }).key(1), "counted get [1]");
  assertEquals(endpoint.count(), 1);
  assertEquals(await endpoint(7), 7);
});

Deno.test("bind fixes first arguments and shares keys", async () => {
  const add = new Endpoint((a: number, b: number) => Promise.resolve(a + b), { name: "add" });
  const bound = add.bind(undefined, 1);
  assertEquals(await bound(2), 3);
  assertEquals(bound.key(2), add.key(1, 2));
  assert(add.testKey(bound.key(2)));
  assertEquals(await bound.extend({ dataExpiryLength: 1 })(2), 3);
  assertEquals(await add.bind(undefined, 1, 2)(), 3);
  const seen = new Endpoint(
    function (this: unknown) {
      return Promise.resolve(this);
    },
    { name: "seen" },
  );
  const thisArg = { some: "object" };
  assertEquals(await seen.bind(thisArg)(), thisArg);
});

Deno.test("a member that somebody put on Object.prototype is no option", () => {
  const names = ["schema", "sideEffect", "signal", "dataExpiryLength", "errorPolicy", "readReply", "body", "method"];
  const prototype = Object.prototype as Record<string, unknown>;
  for (const name of names) prototype[name] = "polluted";
  try {
    for (const name of names) assertEquals(Reflect.get(echo, name), undefined, name);
  } finally {
    for (const name of names) delete prototype[name];
  }
});

Deno.test("no code is made from text: endpoints work under a strict Content-Security-Policy", async () => {
  const script = `
    import { Endpoint } from "${new URL("../../src/endpoint/endpoint.ts", import.meta.url)}";
    class Sub extends Endpoint {}
    const endpoint = new Sub(async (id) => id, { name: "get" });
    console.log(await endpoint.extend({ dataExpiryLength: 1 })(5), endpoint.key(5));
    try { new Function("return 1"); } catch (error) { console.log(error.name); }
  `;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, script);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--quiet", "--v8-flags=--disallow-code-generation-from-strings", file],
      env: { NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    assertEquals([decoder.decode(stdout), decoder.decode(stderr)], ["5 get [5]\nEvalError\n", ""]);
  } finally {
    await Deno.remove(file);
  }
});
