/** What must compile, and what must not: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import { type AnyEndpoint, Controller, Endpoint, Entity, type ReadEndpoint } from "@rejoin/data";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  static key = "User";
}

const getUser = new Endpoint((params: { id: string }) => Promise.resolve({ ...params, extra: 1 }), {
  name: "getUser",
  schema: User,
});
const count = new Endpoint(() => Promise.resolve(5), { name: "count" });
const rename = new Endpoint((id: string, name: string) => Promise.resolve({ id, name }), {
  name: "rename",
  schema: User,
  sideEffect: true,
});

Deno.test("Endpoint infers arguments, answer, data and side effect", () => {
  same<Parameters<typeof getUser>, [params: { id: string }]>();
  same<Awaited<ReturnType<typeof getUser>>, { extra: number; id: string }>();
  same<typeof getUser["~types"]["data"], User>();
  same<typeof getUser["~types"]["nullable"], User | undefined>();
  same<typeof count["~types"]["data"], number>();
  same<typeof count["~types"]["nullable"], number | undefined>();
  same<typeof rename["sideEffect"], true>();
  same<typeof count["sideEffect"], undefined>();
  // @ts-expect-error a number is no string
  void (() => getUser({ id: 5 }));
  // @ts-expect-error the same for keys
  void (() => getUser.key({ id: 5 }));
  // @ts-expect-error shcema is no option
  void (() => new Endpoint(() => Promise.resolve(5), { shcema: User }));
  // @ts-expect-error a function that is not async
  void (() => new Endpoint(() => 5));
});

Deno.test("only reads are ReadEndpoints, all are AnyEndpoints", () => {
  const any: AnyEndpoint[] = [getUser, count, rename];
  const reads: ReadEndpoint[] = [getUser, count];
  // @ts-expect-error rename has side effects
  const mutation: ReadEndpoint = rename;
  assertEquals([any.length, reads.length, mutation.name], [3, 2, "rename"]);
});

Deno.test("extend replaces what it names and keeps the rest", () => {
  const list = getUser.extend({ schema: [User] });
  same<typeof list["~types"]["data"], User[]>();
  same<Parameters<typeof list>, [params: { id: string }]>();
  const other = getUser.extend({ fetch: (page: number) => Promise.resolve([page]), schema: undefined });
  same<Parameters<typeof other>, [page: number]>();
  same<typeof other["~types"]["data"], number[]>();
  const mutation = getUser.extend({ sideEffect: true });
  same<typeof mutation["sideEffect"], true>();
  const policy = getUser.extend({ dataExpiryLength: 5 });
  same<typeof policy["~types"]["data"], User>();
  // @ts-expect-error dataExpiry is no option
  void (() => getUser.extend({ dataExpiry: 5 }));
});

Deno.test("a subclass keeps inference, and may override key", () => {
  class Versioned<A extends readonly unknown[], R> extends Endpoint<A, R> {
    override key(...args: A) {
      return `v2 ${super.key(...args)}`;
    }
  }
  const versioned = new Versioned((id: string) => Promise.resolve(id), { name: "versioned" });
  same<Parameters<typeof versioned>, [id: string]>();
  assertEquals(versioned.key("5"), 'v2 versioned ["5"]');
});

Deno.test("13.E5 members of one's own among the options are on the endpoint, and stay by extend", async () => {
  const options = { name: "tagged", schema: User, tag: 5, double: (a: number) => 2 * a };
  const tagged = new Endpoint(async (id: string) => await Promise.resolve({ id }), options);
  same<typeof tagged["tag"], number>();
  same<Parameters<typeof tagged>, [id: string]>();
  const extended = tagged.extend({ dataExpiryLength: 5 });
  const replaced = extended.extend({ tag: "x", more: true });
  same<typeof replaced["tag"], string>();
  same<typeof replaced["~types"]["data"], User>();
  const user: User = await new Controller().fetch(replaced, "7");
  assertEquals([tagged.tag, extended.double(extended.tag), replaced.tag, replaced.more, replaced.double(1), user.id], [
    5,
    10,
    "x",
    true,
    2,
    "7",
  ]);
  // @ts-expect-error sideEffect is meant
  void (() => tagged.extend({ sideeffect: true }));
  // @ts-expect-error dataExpiryLength is meant
  void (() => tagged.extend({ dataExpiry: 5 }));
  // @ts-expect-error bind is a member of every function
  void (() => tagged.extend({ bind: 5 }));
  class Traced<A extends readonly unknown[], R> extends Endpoint<A, R> {
    trace = "t";
  }
  const traced = new Traced((id: string) => Promise.resolve({ id }), { name: "traced" }).extend({ schema: User });
  same<typeof traced["trace"], string>();
  same<typeof traced["~types"]["data"], User>();
  assertEquals(traced.trace, "t");
});
