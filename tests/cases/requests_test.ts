/**
 * Cases 10, 11, 13, 15 and 16: URLs, batches, methods, headers, and the time of many edits. The inputs of the reports
 * are in tests/rest/resource_test.ts, tests/http/, tests/parts/steps_test.ts and tests/controller/.
 */
import process from "node:process";
import { assert, assertEquals } from "@std/assert";
import { batch, Controller, createResource, Entity, parseLinks, resource, RestEndpoint, typed } from "@rejoin/data";
import { serve } from "../support/api.ts";

class A extends Entity {
  id = "";
  title = "";
  static key = "A";
}
const urlPrefix = "https://a.test";

for (
  const [path, params, one, list] of [
    ["/orgs/:org/users/:id/", { org: "o", id: 1 }, "/orgs/o/users/1/", "/orgs/o/users/"],
    ["/users/:id/profile", { id: 1 }, "/users/1/profile", "/users/profile"],
    ["/users/:id", { id: 1 }, "/users/1", "/users"],
  ] as const
) {
  Deno.test(`case 10: of ${path} the text after the last parameter stays for lists and creates`, () => {
    const { get, getList, create, update, delete: remove } = createResource({
      urlPrefix,
      path: path as string,
      schema: A,
    });
    const { id: _, ...rest } = params;
    assertEquals([get, update, remove].map((endpoint) => endpoint.url(params)), Array(3).fill(urlPrefix + one));
    assertEquals([getList, create].map((endpoint) => endpoint.url(rest)), Array(2).fill(urlPrefix + list));
    assertEquals(getList.url({ ...rest, q: "x" }), `${urlPrefix}${list}?q=x`);
  });
}
Deno.test("case 10: a server that redirects GET and refuses POST without the slash gets neither", async () => {
  await using api = serve(({ path, method }) => {
    if (!path.endsWith("/")) {
      return method === "GET" ? Response.redirect(`${api.urlPrefix}${path}/`, 301) : new Response("", { status: 500 });
    }
    return method === "POST" ? { id: "2" } : [{ id: "1" }];
  });
  const R = resource({ urlPrefix: api.urlPrefix, path: "/users/:id/", schema: A });
  using c = new Controller();
  await c.fetch(R.getList, { q: "x" });
  await c.fetch(R.create, { title: "T" });
  assertEquals(api.lines(), ["GET /users/?q=x", "POST /users/"]);
});

for (
  const [what, path, ids, answered] of [
    ["accents in another form", "/a/:id", ["é", "ö"], (id: string) => id.normalize("NFD")],
    ["numbers with zeros before them", "/a/:id", ["007", "008"], (id: string) => `${Number(id)}`],
    ["nothing of it", "/a/:id", ["1", "2"], () => undefined],
  ] as const
) {
  Deno.test(`case 11: a batch that answers with ${what}: each id is asked for alone, and none is a 404`, async () => {
    await using api = serve(({ path, search }) => {
      const asked = new URLSearchParams(search).get("ids");
      const one = (id: string) => ({ id: answered(id) ?? id, title: id });
      return asked
        ? asked.split(",").filter((id) => answered(id)).map(one)
        : one(decodeURIComponent(path.split("/")[2]!));
    });
    const R = resource({ urlPrefix: api.urlPrefix, path, schema: A, getMany: batch({ param: "ids", separator: "," }) });
    using c = new Controller();
    const got = await Promise.all(ids.map((id) => c.fetch(R.get, { id })));
    assertEquals(got.map(({ title }) => title), [...ids]);
    assertEquals(api.asked.length, 1 + ids.length);
  });
}
Deno.test("case 11: a batch whose reply says ids as numbers, and in another order, asks once", async () => {
  await using api = serve(() => ({ data: [{ id: 2, title: "b" }, { id: 1, title: "a" }] }));
  const R = resource({ urlPrefix: api.urlPrefix, path: "/a/:id", schema: A, getMany: batch({ param: "ids" }) });
  using c = new Controller();
  assertEquals((await Promise.all(["1", "2"].map((id) => c.fetch(R.get, { id })))).map(({ title }) => title), [
    "a",
    "b",
  ]);
  assertEquals(api.asked.length, 1);
});

for (const [method, sideEffect] of [["QUERY", undefined], ["POST", false], ["PUT", false]] as const) {
  Deno.test(`case 13: ${method} that is a read has its body in its key, is shared in flight, and is tried again`, async () => {
    let times = 0;
    await using api = serve(({ body }) =>
      times++ ? { for: JSON.parse(body) } : new Response(null, { status: 503, headers: { "retry-after": "0" } })
    );
    const find = new RestEndpoint({
      urlPrefix: api.urlPrefix,
      path: "/find",
      method,
      ...sideEffect === undefined ? {} : { sideEffect },
      body: typed<{ q: string }>(),
    });
    using c = new Controller();
    const [one, same] = await Promise.all([c.fetch(find, { q: "a" }), c.fetch(find, { q: "a" })]);
    assert(one === same);
    await c.fetch(find, { q: "b" });
    assertEquals([api.asked.length, c.getResponse(find, { q: "a" }).data], [3, { for: { q: "a" } }]);
  });
}

for (
  const [header, rels] of [
    ['<a,b;c>; rel="next prev", <d>;rel=last;', { next: "a,b;c", prev: "a,b;c", last: "d" }],
    [',, <u>; rel="next",,', { next: "u" }],
    ['<u>; rel="next"; rel="prev"', { next: "u" }],
  ] as const
) {
  Deno.test(`case 15: the header link: ${header}`, () => assertEquals(Object.fromEntries(parseLinks(header)), rels));
}

/** The processor time in ms, with a read of a list after each step. Other processes do not count. */
async function timeOf(count: number, step: (R: any, c: any, at: number) => Promise<unknown>): Promise<number> {
  const R = resource(
    { urlPrefix, path: "/a/:id", schema: A, optimistic: true, fetch: () => new Promise<never>(() => {}) } as any,
  ) as any;
  const c: any = new Controller();
  c.setResponse(R.getList, Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: "t" })));
  const start = process.cpuUsage(), calls: Promise<unknown>[] = [];
  for (let at = 0; at < count; at++) {
    calls.push(step(R, c, at));
    c.getResponse(R.getList);
  }
  const time = process.cpuUsage(start).user / 1000;
  for (const call of calls) call.catch(() => {});
  c.resetEntireStore();
  c[Symbol.dispose]();
  await new Promise((go) => setTimeout(go, 10));
  return time;
}
for (
  const [what, count, step] of [
    ["deletes", 2_000, (R: any, c: any, at: number) => c.fetch(R.delete, { id: `${at}` })],
    [
      "edits of one record",
      2_000,
      (R: any, c: any, at: number) => c.fetch(R.partialUpdate, { id: "0" }, { title: `${at}` }),
    ],
    ["creates", 400, (R: any, c: any, at: number) => c.fetch(R.create, { title: `${at}` })],
  ] as const
) {
  Deno.test(`case 16: ${count} pending ${what}, the list read after each, do not grow by the cube`, async () => {
    // Four times as many steps take 16 times as long if quadratic, 64 times if cubic. The best of three, because the
    // machine may be busy.
    let few = Infinity, many = Infinity;
    for (let round = 0; round < 3; round++) {
      few = Math.min(few, await timeOf(count / 4, step));
      many = Math.min(many, await timeOf(count, step));
    }
    assert(many < few * 40, `${count / 4}: ${few.toFixed()} ms, ${count}: ${many.toFixed()} ms`);
  });
}
