/** An API as Rails (or Express with Mongo) serves it: `_id`, snake_case, replies with only some members, 422. */
import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, resource, RestEndpoint, type RestGenerics } from "@rejoin/data";
import { type Asked, empty, serve } from "../support/api.ts";
import { live } from "./_scene.ts";

const camelCase = (name: string) => name.replace(/(?!^)_(\w)/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const renamed = (value: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), member]));

abstract class ApiEntity extends Entity {
  _id = "";
  override pk() {
    return this._id;
  }
  static override process(value: Record<string, unknown>) {
    return renamed(value, camelCase);
  }
}
class User extends ApiEntity {
  userName = "";
  static override key = "User";
}
class Post extends ApiEntity {
  title = "";
  createdAt = new Date(0);
  commentsCount = 0;
  author = User.fromJS();
  static override key = "Post";
  static override schema = { createdAt: Date, author: User };
}
/** Sends bodies in snake_case. */
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getRequestInit(body: any) {
    return super.getRequestInit(body && renamed(body, snakeCase));
  }
}

function rails() {
  let last = 2;
  const row = (id: number) => ({
    _id: `a${id}`,
    title: `Post ${id}`,
    created_at: "2026-01-01T00:00:00Z",
    comments_count: 3,
    author: { _id: "u1", user_name: "ada" },
  });
  const posts = new Map([1, 2].map((id) => [`a${id}`, row(id)]));
  const api = serve(({ method, path, search, body }: Asked) => {
    const id = path.split("/")[2] ?? "", post = posts.get(id);
    if (id && !post) return Response.json({ status: 404, error: "Not Found" }, { status: 404 });
    if (method === "GET") {
      const query = new URLSearchParams(search), page = Number(query.get("page") ?? 0), all = [...posts.values()];
      return post ?? (page ? all.slice(page - 1, page) : all);
    }
    if (method === "DELETE") {
      posts.delete(id);
      return empty();
    }
    const sent = JSON.parse(body);
    if (sent.title === "") {
      return Response.json({ errors: { title: ["This field may not be blank."] } }, { status: 422 });
    }
    const saved = { ...post ?? row(++last), ...sent };
    posts.set(saved._id, saved);
    // An edit is answered with the changed members, a create with those that the client cannot know.
    return Response.json(post ? { _id: id, updated_at: "now" } : { _id: saved._id, created_at: saved.created_at }, {
      status: post ? 200 : 201,
    });
  });
  const resourceOf = (optimistic: boolean) =>
    resource({ urlPrefix: api.urlPrefix, path: "/posts/:_id", schema: Post, Endpoint: ApiEndpoint, optimistic });
  return { posts, api, resourceOf, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

for (const optimistic of [false, true]) {
  Deno.test(`Rails: list, detail, create, edit, delete, error${optimistic ? ", optimistic" : ""}`, async () => {
    await using server = rails();
    await live({
      R: server.resourceOf(optimistic),
      pk: ({ _id }) => _id,
      params: (_id) => ({ _id }),
      onServer: (id) => server.posts.get(id),
      refused: { body: { title: "" }, status: 422, errorsOf: (body) => body.errors.title },
    }, optimistic);
  });
}
Deno.test("Rails: members have the names of the app in both directions, and a nested user is one record", async () => {
  await using server = rails();
  const R = server.resourceOf(true);
  using c = new Controller();
  const [one, two] = await c.fetch(R.getList);
  assert(one!.author === two!.author && one!.createdAt.getFullYear() === 2026);
  assertEquals([one!.author.userName, one!.commentsCount], ["ada", 3]);
  await c.fetch(R.partialUpdate, { _id: "a1" }, { commentsCount: 4 });
  assertEquals([server.posts.get("a1")?.comments_count, c.get(Post, { _id: "a1" })?.commentsCount], [4, 4]);
  assert(c.getResponse(R.get, { _id: "a1" }).expiresAt <= Date.now(), "the reply lacks what was sent: asked for again");
});
Deno.test("Rails: pages by number are lists of their own", async () => {
  await using server = rails();
  const { getList } = server.resourceOf(false);
  using c = new Controller();
  for (const page of [1, 2]) await c.fetch(getList, { page });
  assertEquals([1, 2, 3].map((page) => c.getResponse(getList, { page }).data?.map(({ title }) => title)), [["Post 1"], [
    "Post 2",
  ], undefined]);
});
