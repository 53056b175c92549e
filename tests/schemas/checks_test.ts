/** The checks of development on schemas: rules 2 and 6, cases 4, 14 and 21. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  Controller,
  createResource,
  EndpointError,
  Entity,
  normalize,
  resource,
  schema,
  SchemaError,
} from "@rejoin/data";
import { warnings } from "../support/warnings.ts";

Deno.test("rule 6, case 14: a value that cannot be a default is a SchemaError at the first use, which names the member", () => {
  class Item extends Entity {
    id = "";
    static key = "Item";
  }
  for (const wrong of [[], [Item, Item], new Date(), new URL("http://a/")]) {
    const error = assertThrows(
      () => normalize({ results: [Item], errors: wrong } as never, { results: [] }),
      SchemaError,
    );
    assertEquals([error.code, /"errors"/.test(error.message)], [204, true]);
  }
  class Holder extends Entity {
    id = "";
    static key = "Holder";
    static schema = { at: new Date() as never };
  }
  assertThrows(() => normalize([Holder], []), SchemaError, '"Holder.at"');
  class Early extends Entity {
    id = "";
    static key = "Early";
    static schema = { later: undefined as never };
  }
  assertThrows(() => new Controller().get(new schema.All(Early)), SchemaError, '"Early.later"');
});

Deno.test("case 21: a forgotten `static schema` or a misspelt member is warned of once per class", () => {
  class User extends Entity {
    id = "";
    static key = "User";
  }
  class Article extends Entity {
    id = "";
    author = User.fromJS();
    at = new Date(0);
    static key = "Article";
  }
  class Comment extends Entity {
    id = "";
    commentCount = 0;
    user: User | undefined = undefined;
    get userId() {
      return this.user!.id; // throws on defaults
    }
    static key = "Comment";
  }
  const said = warnings(() => {
    normalize([Article], ["1", "2"].map((id) => ({ id, author: { id: "5" }, at: "2026-01-01T00:00:00Z" })));
    normalize([Comment], [{ id: "1", userId: "5" }, { id: "2", comment_count: 3 }, { id: "3", comment_count: 4 }]);
  });
  assertEquals(said.map((text) => text.slice(0, 62)), [
    "The default of Article.author is a User, but what the server s",
    "The default of Article.at is a Date, but what the server sends",
    'Comment declares "commentCount", and the server sends "comment',
  ]);
  class Renamed extends Comment {
    static override key = "Renamed";
    static process({ comment_count: commentCount, ...rest }: { comment_count: number }) {
      return { commentCount, ...rest };
    }
  }
  assertEquals(warnings(() => normalize(Renamed, { id: "1", comment_count: 3 })), []);
});

Deno.test("rule 2: an optimistic create has no pk yet, and is not warned of", () => {
  class Draft extends Entity {
    id = "";
    static key = "Draft";
  }
  const fetch = () => new Promise(() => {});
  const R = createResource({ path: "/d/:id", schema: Draft, optimistic: true, fetch } as never);
  assertEquals(warnings(() => void new Controller().fetch(R.create, {} as never)), []);
});

Deno.test("case 4: an update that sends never received defaults is warned of; a value that is no endpoint throws", () => {
  class Note extends Entity {
    id = "";
    title = "";
    text = "";
    tag: string | undefined = undefined;
    static key = "Note";
  }
  const R = resource({ path: "/notes/:id", schema: Note, fetch: async () => await Promise.resolve(null) } as never);
  // deno-lint-ignore no-explicit-any -- calls that its types refuse
  const c: any = new Controller();
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  const update = (body: object) => warnings(() => void c.fetch(R.update, { id: "1" }, body));
  const row = { ...c.get(Note, "1") };
  assertEquals(update({ ...row, title: "b" }).map((text) => text.slice(0, 44)), [
    "An update of Note sends the defaults of text",
  ]);
  assertEquals([update({ title: "b" }), update({ ...row, text: "b" })], [[], []]);
  for (const wrong of [R, Note, undefined]) {
    assertThrows(() => c.fetch(wrong), SchemaError, "fetch() takes an endpoint");
    for (const method of ["getResponse", "getError", "fetchIfStale", "invalidate", "expire"]) {
      assertThrows(() => c[method](wrong, { id: "1" }), SchemaError, "The controller takes an endpoint");
    }
  }
  assertThrows(() => c.getResponse(R), SchemaError, 'the resource "Note"');
  for (const make of [resource, createResource] as ((options: object) => unknown)[]) {
    assertThrows(() => make({ schema: Note }), EndpointError, "has no path");
    assertThrows(() => make({ path: "/notes/:id" }), EndpointError, 'at "/notes/:id" has no schema');
  }
  assertThrows(() => normalize([undefined as never], []), SchemaError, '"[undefined]"');
});
