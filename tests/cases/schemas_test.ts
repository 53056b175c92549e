/**
 * Cases 14, 18, 19, 20, 21 and 23: wrong declarations are reported where they are made. The inputs of the reports are
 * in tests/schemas/checks_test.ts, tests/types/ and tests/http/wire_test.ts.
 */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  NetworkError,
  normalize,
  ParseError,
  RejoinError,
  resource,
  RestEndpoint,
  SchemaError,
  stateOf,
  typed,
  Union,
} from "@rejoin/data";
import { warnings } from "../support/warnings.ts";
import { useInfinite, useMutation, useSuspenseInfinite } from "@rejoin/data/preact";
import { renderPage, renderPageToStream, stateScript } from "@rejoin/data/ssr";
import { serve } from "../support/api.ts";

class A extends Entity {
  id = "";
  title = "";
  static key = "A";
}

for (
  const [schema, name] of [
    [{ results: [A], meta: { errors: [] } }, "errors"],
    [{ results: [A], at: new Date(0) }, "at"],
    [{ results: [A], seen: new Set() }, "seen"],
    [{ results: [A], both: [A, A] }, "both"],
  ] as [object, string][]
) {
  Deno.test(`case 14: "${name}" can be no default: nothing is sent, not even by a POST`, async () => {
    await using api = serve(() => ({ results: [{ id: "1" }], errors: ["x"] }));
    using c = new Controller();
    for (const method of ["GET", "POST"]) {
      const find: any = new RestEndpoint({ urlPrefix: api.urlPrefix, path: "/find", method, schema: schema as never });
      await assertRejects(async () => await c.fetch(find), SchemaError, `"${name}"`);
    }
    assertEquals(api.asked, []);
  });
}
Deno.test("case 14: what can be a default is one, absent or there", () => {
  const schema = { results: [A], errors: "", page: 1, isLast: true, next: undefined, meta: { total: 0 } };
  for (
    const reply of [{ results: [] }, { results: [], errors: ["x"], page: "2", next: { a: 1 }, meta: { total: 3 } }]
  ) {
    assertEquals(normalize(schema as never, reply).result, reply);
  }
});

Deno.test("case 18: options of a resource, and of a list in it, know their arguments", () => {
  const R = resource({ path: "/of/:by/a/:id", schema: A, searchParams: typed<{ q?: string }>() });
  const more = R.extend({
    getList: { key: ({ by }) => `${by}`.toUpperCase() },
    delete: {
      getOptimisticResponse: (_snapshot, { id, by }) => ({ id, by }),
      expires: ([{ by }]) => [R.getList, { testKey: (key: string) => key === by }],
    },
  });
  const one = R.update.extend({
    getOptimisticResponse: (_snapshot, { id }, body) => ({ id, title: body.title?.trim() }),
  });
  R.get.extend({ process: (value: { id: string }, { id, by }) => ({ ...value, of: `${by}/${id}` }) });
  R.create.extend({
    expires: ([{ by }, body], reply) => [by === body.title ? R.getList : R.getList.extend({ key: () => `${reply}` })],
  });
  // @ts-expect-error a body has no titel
  void R.update.extend({ getOptimisticResponse: (_snapshot, { id }, body) => ({ id, title: body.titel }) });
  assertEquals([more.getList.key({ by: "x" }), one.method], ["X", "PUT"]);
});
Deno.test("case 19: next and previous of pages may have defaults, whatever the endpoint takes", () => {
  const options = { path: "/of/:by/a/:id", schema: A } as const;
  const some = resource({ ...options, searchParams: typed<{ q: string; page?: number }>() }).getList,
    any = resource(options).getList,
    paged = resource({ ...options, searchParams: typed<{ q?: string }>(), paginationField: "cursor" }).getList,
    plain = new Endpoint(async ({ page = 0 }: { page?: number } = {}) => await Promise.resolve([page]), { name: "p" });
  void (() => [
    useInfinite(some, [{ by: "x", q: "" }], { next: (page, { page: n = 1 } = {}) => page.length && { page: n + 1 } }),
    useInfinite(any, [{ by: "x" }], { next: (page, { page: n = 1 } = {}) => page[0] && { page: Number(n) + 1 } }),
    useInfinite(paged, [{ by: "x" }], { next: ([a], { cursor = a?.id } = {}) => cursor ? { cursor } : undefined }),
    useSuspenseInfinite(plain, [], {
      next: ([n = 0], { page = n } = {}) => ({ page: page + 1 }),
      previous: (_, { page: n = 1 } = {}) => n > 0 && { page: n - 1 },
    }),
    // @ts-expect-error there is no parameter pages
    useInfinite(some, [{ by: "x", q: "" }], { next: (_, { pages: n = 1 } = {}) => ({ page: n }) }),
  ]);
});
Deno.test("case 20: the body of a NetworkError has a type that is said once", async () => {
  await using api = serve(() => Response.json({ errors: { title: ["blank"] } }, { status: 422 }));
  const R = resource({ urlPrefix: api.urlPrefix, path: "/a/:id", schema: A });
  const error = await assertRejects(
    () => new Controller().fetch(R.create, { title: "" }),
    NetworkError<{ errors: Record<string, string[]> }>,
  );
  assertEquals([error.status, error.body?.errors.title], [422, ["blank"]]);
});

Deno.test("case 20: an error of a hook, a boundary or a rejection has its body where its type is asked for", () => {
  const isRefused = (error: unknown): string | undefined =>
    error instanceof NetworkError ? error.body?.errors.title[0] : undefined;
  void (() => {
    const { error } = useMutation(resource({ path: "/a/:id", schema: A }).create, {
      onError: (error) => error instanceof NetworkError && error.status === 422,
    });
    if (error instanceof NetworkError) return [error.status?.toFixed(), error.response?.headers.get("x")];
    if (error instanceof ParseError) return [error.status?.toFixed(), error.code.toFixed()];
    // @ts-expect-error any other error has no body
    return error?.body;
  });
  const body = { errors: { title: ["blank"] } };
  assertEquals(isRefused(new NetworkError(602, [], undefined, { status: 422, body })), "blank");
  assertEquals([isRefused(new NetworkError(601)), isRefused(new TypeError("x"))], [undefined, undefined]);
});

Deno.test("case 21: in members, lists and unions, too, and once for a class", () => {
  class Owner extends Entity {
    id = "";
    static key = "Owner21";
  }
  class Part extends Entity {
    id = "";
    owner = Owner.fromJS();
    static key = "Part21";
  }
  class Whole extends Entity {
    id = "";
    parts: Part[] = [];
    static key = "Whole21";
    static schema = { parts: [Part] };
  }
  const input = { id: "1", owner: { id: "7" } };
  const said = warnings(() => {
    normalize(Whole, { id: "1", parts: [input, { ...input, id: "2" }] });
    normalize([new Union({ part: Part, whole: Whole }, "type")], [{ type: "part", ...input }]);
  });
  assertEquals(said.length, 1);
  assertMatch(said[0]!, /Part21\.owner|Part\.owner/);
});
for (
  const [declared, sent] of [["createdAt", "created-at"], ["user_name", "userName"], ["URL", "url"]] as const
) {
  Deno.test(`case 21: "${sent}" for "${declared}" is said`, () => {
    class Spelt extends Entity {
      id = "";
      static key = `Spelt ${declared}`;
      constructor() {
        super();
        Object.assign(this, { [declared]: "" });
      }
    }
    const said = warnings(() => normalize(Spelt, { id: "1", [sent]: "x" }));
    assert(said.length === 1 && said[0]!.includes(declared) && said[0]!.includes(sent), `${said}`);
  });
}
Deno.test("case 21: a key that stands for the record, null, and a member beside the declared one are no mistake", () => {
  class Owner extends Entity {
    id = "";
    static key = "OwnerOf21";
  }
  class Fine extends Entity {
    id = "";
    owner = Owner.fromJS();
    owner_id = "";
    static key = "Fine21";
  }
  assertEquals(
    warnings(() => normalize([Fine], [{ id: "1", owner: "7" }, { id: "2", owner: null, ownerId: "7", owner_id: "7" }])),
    [],
  );
});

for (
  const [what, text, type, said] of [
    ["several values", '{"id":"1"}\n{"id":"2"}\n', "application/json", /several JSON values.*content: "text"/],
    ["a page", "<!doctype html><p>Sign in</p>", "application/json", /no JSON/],
    ["half of it", '{"id":"1","ti', "application/json", /no JSON/],
  ] as const
) {
  Deno.test(`case 23: JSON that is ${what} is told as such`, async () => {
    await using api = serve(() => new Response(text, { headers: { "content-type": type } }));
    const R = resource({ urlPrefix: api.urlPrefix, path: "/a/:id", schema: A });
    const error = await assertRejects(() => new Controller().fetch(R.get, { id: "1" }), ParseError);
    assertMatch(error.message, said);
  });
}
Deno.test("case 23: a reply that is text is an error of ours, not of the engine", () => {
  assertThrows(() => normalize([A], "x" as never), Error, "expected an array, got string");
});
const page: any = () => null;
for (
  const [what, run, says] of [
    [
      "a state in place of a controller",
      () => stateScript(stateOf(new Controller()) as any),
      "stateScript() takes a controller",
    ],
    [
      "nothing in place of a controller",
      () => stateOf(undefined as any),
      "stateOf() or stateScript() takes a controller",
    ],
    ["a page in place of a function", () => renderPage(null as any), "takes a function that returns the page"],
    ["no document", () => renderPageToStream(page, {} as any), "takes { document: (html) => … }"],
    ["a class that is no entity", () => normalize([class Plain {}] as any, [{}]), 'At "0" the schema has neither'],
    ["an endpoint for its schema", () => normalize(new RestEndpoint({ path: "/a" }) as any, {}), 'At "/a" the schema'],
  ] as [string, () => unknown, string][]
) {
  Deno.test(`case 23: ${what} is told by its name`, async () => {
    await assertRejects(async () => await run(), RejoinError, says);
  });
}
