/** A server of JSON:API 1.1: attributes, linkage, `included`, `errors` with pointers, pages with links. */
import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, resource, RestEndpoint, type RestGenerics, Union } from "@rejoin/data";
import { type Asked, empty, serve } from "../support/api.ts";
import { live } from "./_scene.ts";

type Linkage = { id: string } | { id: string }[] | null;
abstract class JsonApiEntity extends Entity {
  id = "";
  static override process({ id, attributes, relationships, ...rest }: any) {
    const linked = Object.entries((relationships ?? {}) as Record<string, { data: Linkage }>).map(([name, { data }]) =>
      [name, Array.isArray(data) ? data.map((one) => one.id) : data?.id] as const
    );
    return { id, ...rest, ...attributes, ...Object.fromEntries(linked) };
  }
}
class Person extends JsonApiEntity {
  name = "";
  static override key = "people";
}
class Post extends JsonApiEntity {
  title = "";
  author: Person | undefined = undefined;
  readers: Person[] = [];
  static override key = "posts";
  static override schema = { author: Person, readers: [Person] };
}
const included = [new Union({ people: Person, posts: Post }, "type")];
/** Reads keep the whole document because of `included`. Of a mutation's reply only the record is kept. */
class JsonApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async parseResponse(response: Response) {
    const body = await super.parseResponse(response) as { data?: unknown } | null;
    return this.sideEffect ? body?.data ?? body : body;
  }
  override getRequestInit(attributes: any) {
    return super.getRequestInit(attributes && { data: { type: this.path.split("/")[1], attributes } });
  }
}

function jsonApi() {
  let last = 3;
  const ref = (id: string) => ({ type: "people", id }), type = "application/vnd.api+json";
  const row = (id: string) => ({
    type: "posts",
    id,
    attributes: { title: `Post ${id}` },
    relationships: { author: { data: ref("9") }, readers: { data: ["8", "9"].map(ref) } },
  });
  const posts = new Map(["1", "2", "3"].map((id) => [id, row(id)]));
  const people = [{ ...ref("9"), attributes: { name: "Ada" } }, { ...ref("8"), attributes: { name: "Bo" } }];
  const reply = (body: object, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": type } });
  const api = serve(({ method, path, search, body }: Asked) => {
    const id = path.split("/")[2] ?? "", post = posts.get(id);
    if (id && !post) return reply({ errors: [{ status: "404", title: "Not found" }] }, 404);
    if (method === "GET" && post) return reply({ data: post, included: people });
    if (method === "GET") {
      const page = Number(new URLSearchParams(search).get("page[number]") ?? 0), all = [...posts.values()];
      return reply({
        data: page ? all.slice(page - 1, page) : all,
        included: people,
        links: { next: page < all.length ? `?page[number]=${page + 1}` : null },
      });
    }
    if (method === "DELETE") {
      posts.delete(id);
      return empty();
    }
    const { data } = JSON.parse(body);
    if (data.type !== "posts") return reply({ errors: [{ status: "409", title: "Conflict" }] }, 409);
    if (data.attributes.title === "") {
      return reply({
        errors: [{
          status: "422",
          detail: "This field may not be blank.",
          source: { pointer: "/data/attributes/title" },
        }],
      }, 422);
    }
    const saved = { ...post ?? row(`${++last}`), attributes: { ...post?.attributes, ...data.attributes } };
    posts.set(saved.id, saved);
    return reply({ data: saved }, post ? 200 : 201);
  });
  const resourceOf = (optimistic: boolean) =>
    resource({
      urlPrefix: api.urlPrefix,
      path: "/posts/:id",
      schema: Post,
      Endpoint: JsonApiEndpoint,
      list: (posts) => ({ data: posts, included }),
      optimistic,
    });
  return { posts, api, resourceOf, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

for (const optimistic of [false, true]) {
  Deno.test(`JSON:API: list, detail, create, edit, delete, error${optimistic ? ", optimistic" : ""}`, async () => {
    await using server = jsonApi();
    const R = server.resourceOf(optimistic), get = R.get.extend({ schema: { data: Post, included } });
    // The detail is a document, too, but the common tests read the record in it.
    const detail = get.extend({ process: ({ data }: any) => data, schema: Post } as object);
    await live({
      R: { ...R, get: detail },
      rows: (list) => list.data,
      onServer: (id) => server.posts.get(id)?.attributes,
      refused: {
        body: { title: "" },
        status: 422,
        errorsOf: (body) =>
          body.errors.filter(({ source }: any) => source.pointer.endsWith("/title")).map(({ detail }: any) => detail),
      },
    }, optimistic);
  });
}
Deno.test("JSON:API: linkage is joined with what is included, each person once, in lists and details", async () => {
  await using server = jsonApi();
  const R = server.resourceOf(true), get = R.get.extend({ schema: { data: Post, included } });
  using c = new Controller();
  const { data: [one, two] } = await c.fetch(R.getList);
  assertEquals([one!.author?.name, one!.readers.map(({ name }) => name)], ["Ada", ["Bo", "Ada"]]);
  assert(one!.author === two!.author && one!.readers[1] === one!.author);
  const { data } = await c.fetch(get, { id: "1" });
  assert(data === c.get(Post, { id: "1" }));
  await c.fetch(R.partialUpdate, { id: "1" }, { title: "New" });
  assertEquals([c.get(Post, { id: "1" })?.title, c.get(Post, { id: "1" })?.author?.name], ["New", "Ada"]);
});
Deno.test("JSON:API: parameters in brackets name pages, which are lists of their own", async () => {
  await using server = jsonApi();
  const { getList } = server.resourceOf(false);
  using c = new Controller();
  for (const number of [1, 2]) await c.fetch(getList, { page: { number } });
  const shown = [1, 2, 3].map((number) => c.getResponse(getList, { page: { number } }).data?.data.map(({ id }) => id));
  assertEquals([shown, server.api.asked.map(({ search }) => decodeURIComponent(search))], [[["1"], ["2"], undefined], [
    "?page[number]=1",
    "?page[number]=2",
  ]]);
});
