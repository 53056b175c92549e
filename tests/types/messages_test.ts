/** The compiler's messages about mistakes. Their texts are part of what we promise, as the texts of our errors are. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { compile } from "../support/compile.ts";

const DECLARATIONS = `
import {
  type AnyEndpoint, type AnyReadable, Controller, createResource, Endpoint, Entity, Query, type Queryable,
  type ReadEndpoint, RestEndpoint, schema,
} from "@rejoin/data";
import type {
  ActiveArgs, ChangingEndpoint, FetchedEndpoint, InactiveArgs, StoredEndpoint, StoredSource,
} from "@rejoin/data/preact";
export class User extends Entity {
  id = "";
  pk() { return this.id; }
  static key = "User";
}
export class Article extends Entity {
  id = ""; title = ""; author = User.fromJS();
  pk() { return this.id; }
  static key = "Article";
  static schema = { author: User };
}
export const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
export class NoPk extends Entity { slug = ""; static key = "NoPk"; }
// The signature of useSuspense and useLive.
export declare function read<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>, ...args: ActiveArgs<E["~types"]["args"], F>
): E["~types"]["data"];
export declare function read<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>, ...args: InactiveArgs<E["~types"]["args"], F>
): E["~types"]["nullable"];
// The signature of useMutation.
export declare function change<E extends AnyEndpoint, G = E>(
  endpoint: ChangingEndpoint<E, G>,
): { mutate(...args: E["~types"]["args"]): void; readonly data: E["~types"]["data"] | undefined };
// The signature of useCache and useSelect.
export declare function cache<E extends AnyReadable, G = E>(
  endpoint: StoredEndpoint<E, G>, ...args: E["~types"]["args"]
): E["~types"]["nullable"];
export declare function select<S extends AnyReadable | Queryable, G = S>(source: StoredSource<S, G>): void;
export declare const id: string | undefined;
export const ping = new Endpoint(() => Promise.resolve(1), { name: "ping" });
export const all = new Query(new schema.All(Article));
export const controller = new Controller();
`;

/** The mistakes, and the texts that each message must have. */
const MISTAKES: readonly (readonly [code: string, ...said: string[]])[] = [
  ["ArticleResource.get({});", "Property 'id' is missing in type '{}' but required in type '{ id: PathValue; }'"],
  ["ArticleResource.get();", "Expected 1 arguments, but got 0"],
  ["ArticleResource.get({ id: new Date() });", "Type 'Date' is not assignable to type 'PathValue'"],
  [
    "ArticleResource.get({ id: 5, tag: 'x' });",
    "Object literal may only specify known properties, and 'tag' does not exist in type '{ id: PathValue; }'",
  ],
  ["ArticleResource.update({ id: 5 });", "Expected 2 arguments, but got 1"],
  ["ArticleResource.create();", "[body: EntityInput<Article>] | [params: AnySearch, body: EntityInput<Article>]"],
  [
    "ArticleResource.update({ id: 5 }, { titel: 'x' });",
    "'titel' does not exist in type 'EntityInput<Article>'. Did you mean to write 'title'?",
  ],
  [
    "read(ArticleResource.update, { id: 5 });",
    "a mutation is no read: write useMutation(endpoint), or controller.fetch(endpoint, …) in an event handler",
  ],
  ["read(ArticleResource);", "a resource is no endpoint: write Resource.get or Resource.getList"],
  ["read(Article, { id: 5 });", "an entity is no endpoint: write Resource.get, or useQuery(Entity, …)"],
  ["read(all);", "a Query has nothing to fetch: write useQuery(query, …)"],
  ["read('x');", "Argument of type 'string' is not assignable to parameter of type 'ReadEndpoint'"],
  ["read(ArticleResource.get, {});", "Property 'id' is missing in type '{}' but required in type '{ id: PathValue; }'"],
  ["read(ArticleResource.get);", "Expected 2 arguments, but got 1"],
  ["read(ping, { id: 5 });", "Expected 1 arguments, but got 2"],
  ["read(ArticleResource.get, id);", "Type 'undefined' is not assignable to type '{ id: PathValue; }'"],
  [
    "read(ArticleResource.get, { id: 5, tag: 'x' });",
    "Object literal may only specify known properties, and 'tag' does not exist in type '{ id: PathValue; }'",
  ],
  [
    "read(ArticleResource.get, id ? { id, tag: 'x' } : null);",
    "Object literal may only specify known properties, and 'tag' does not exist in type '{ id: PathValue; }'",
  ],
  [
    "change(ArticleResource.get);",
    "a read is no mutation: write useSuspense(endpoint, …), or controller.fetch(endpoint, …) in an event handler",
  ],
  ["change(ArticleResource);", "a resource is no endpoint: write Resource.create or Resource.update"],
  ["change('x');", "Argument of type 'string' is not assignable to parameter of type 'AnyEndpoint'"],
  ["change(ArticleResource.getList.push);", "its list does not grow by itself: make it with resource()"],
  ["change(ArticleResource.update).mutate({ id: 5 });", "Expected 2 arguments, but got 1"],
  [
    "change(ArticleResource.update).mutate({ id: 5 }, { titel: 'x' });",
    "'titel' does not exist in type 'EntityInput<Article>'. Did you mean to write 'title'?",
  ],
  [
    "cache(ArticleResource.update, { id: 5 }, {});",
    "a mutation is no read: write useMutation(endpoint), or controller.fetch(endpoint, …) in an event handler",
  ],
  ["cache(ArticleResource);", "a resource is no endpoint: write Resource.get or Resource.getList"],
  ["cache(Article, { id: 5 });", "an entity is no endpoint: write Resource.get, or useQuery(Entity, …)"],
  [
    "cache(ArticleResource.get, {});",
    "Property 'id' is missing in type '{}' but required in type '{ id: PathValue; }'",
  ],
  [
    "select(ArticleResource.delete);",
    "a mutation is no read: write useMutation(endpoint), or controller.fetch(endpoint",
  ],
  ["select(ArticleResource);", "a resource is no endpoint: write Resource.get or Resource.getList"],
  [
    "controller.get(ArticleResource.get, { id: 5 });",
    "an endpoint is no schema: write controller.getResponse(endpoint",
  ],
  ["controller.get(ArticleResource);", "a resource is no schema: write its entity"],
  ["controller.get(NoPk, '1');", "the entity has no id: write pk() { return this.… }"],
  [
    'ArticleResource.getList.push({ title: "x" });',
    "This expression is not callable",
    "its list does not grow by itself: make it with resource()",
  ],
  [
    'createResource({ path: "/x/:id", schema: Article, shcema: Article });',
    "'shcema' does not exist in type 'ResourceOptions<",
    "Did you mean to write 'schema'?",
  ],
  ['new RestEndpoint({ path: "/x", shcema: Article });', 'Invalid<"shcema is not an option of RestEndpoint">'],
  ["ArticleResource.get.extend({ shcema: Article });", "'shcema' does not exist", "Did you mean to write 'schema'?"],
  ['new RestEndpoint({ path: "/x/:id?" });', "write {/:name} for an optional parameter"],
  ['createResource({ path: "/x/:id?", schema: Article });', "write {/:name} for an optional parameter"],
  ['ArticleResource.get.extend({ path: "/x/:id?" });', "write {/:name} for an optional parameter"],
  ['new RestEndpoint({ path: "/x/:id(\\\\d+)" });', "write :name without (pattern)"],
  ['new RestEndpoint({ path: "/x/:id+" });', "write *name for one or more segments"],
  ['new RestEndpoint({ path: "/x/:id*" });', "write *name: a wildcard has a name"],
  ['new RestEndpoint({ path: "https://example.com/x" });', "write the host in urlPrefix"],
  [
    `class Bad extends Entity {
      id = ""; author = "";
      pk() { return this.id; }
      static key = "Bad";
      static schema = { auther: User };
    }
    createResource({ path: "/x/:id", schema: Bad });`,
    'static schema names \\"auther\\", which is no field of the entity',
  ],
  [
    `class Late extends Entity {
      id = ""; at = "";
      static key = "Late";
      static schema = { at: Date };
    }
    createResource({ path: "/x/:id", schema: Late });`,
    'static schema makes a Date of \\"at\\": write at = new Date(0)',
  ],
  ['createResource({ path: "/x/:id", schema: NoPk });', "the entity has no id: write pk() { return this.… }"],
  [
    'createResource({ path: "/users/:id/settings", schema: User }).getList;',
    "Property 'getList' does not exist on type 'DetailResource<",
  ],
];

Deno.test("13.D3 mistakes are explained, each once", () => {
  const names =
    "{ all, Article, ArticleResource, cache, change, controller, createResource, Entity, id, NoPk, ping, read, RestEndpoint, select, User }";
  const sources = MISTAKES.map(([code], index) => [
    `mistake${index}.ts`,
    `import ${names} from "./all.ts";\n${code}\nvoid ${names};`,
  ]);
  const { errors } = compile({
    "all.ts": `${DECLARATIONS}\nexport { createResource, Entity, RestEndpoint };`,
    ...Object.fromEntries(sources),
  });
  assertEquals(errors.filter((error) => error.startsWith("all.ts")), []);
  for (const [index, [code, ...said]] of MISTAKES.entries()) {
    const about = errors.filter((error) => error.startsWith(`mistake${index}.ts `)).join("\n");
    for (const text of said) assertStringIncludes(about, text, code);
    assertEquals([about.includes("Overload"), about.split(" TS").length], [false, 2], `${code}\n${about}`);
  }
});

Deno.test("hovers show the types as they are declared", () => {
  const { errors } = compile({
    "all.ts": `${DECLARATIONS}
export const wrong: [1, 2, 3] = [ArticleResource, ArticleResource.getList, ArticleResource.get.extend({ schema: [Article] })];`,
  });
  const said = errors.join("\n");
  assertStringIncludes(
    said,
    "'Resource<\"/articles/:id\", typeof Article, AnySearch | undefined, EntityInput<Article>, (typeof Article)[]>'",
  );
  assertStringIncludes(
    said,
    "'RestEndpoint<{ readonly path: \"/articles\"; readonly schema: (typeof Article)[]; readonly searchParams: AnySearch | undefined; }>'",
  );
});
