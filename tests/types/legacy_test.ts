/** What must compile in the 5.0 form, and what must not: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import { type AnyEndpoint, Query, type ReadEndpoint, schema } from "@rejoin/data";
import { HookableResource, Resource } from "@rejoin/data/legacy";
import { useQuery, useSuspense } from "@rejoin/data/preact";
import { same } from "../support/same.ts";

/** The data of an endpoint. */
type Data<E extends AnyEndpoint> = E["~types"]["data"];

class User extends Resource {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static urlRoot = "https://api.example.com/users";
}
/** Replaces every member that may be replaced, none with `override`. */
class Article extends Resource {
  id: number | undefined = undefined;
  title = "";
  author = User.fromJS();
  createdAt = new Date(0);
  replies: Article[] = [];
  pk() {
    return this.id?.toString();
  }
  static key = "Article";
  static urlRoot = "https://api.example.com/articles/";
  static schema = { author: User, createdAt: Date, replies: [Article] };
  static url(params: { readonly id?: number }) {
    return super.url(params);
  }
  static listUrl(params?: { readonly tag?: string }) {
    return super.listUrl(params);
  }
  static init(init: RequestInit) {
    return { ...super.init(init), credentials: "same-origin" as const };
  }
  static getFetchInit(init: RequestInit) {
    return { ...super.getFetchInit(init), keepalive: true };
  }
  static getEndpointExtra() {
    return { ...super.getEndpointExtra(), dataExpiryLength: 10_000 };
  }
  static async fetch(input: RequestInfo, init: RequestInit) {
    return await super.fetch(input, init);
  }
  static async fetchResponse(input: RequestInfo, init: RequestInit) {
    return await super.fetchResponse(input, init);
  }
  static list() {
    const fetchResponse = this.fetchResponse.bind(this);
    return super.list().extend({
      fetch: async function (params: { page: number }) {
        const response = await fetchResponse(this.url(params), this.init);
        return { link: response.headers.get("link"), results: await response.json() };
      },
      schema: { results: [this], link: "" as string | null },
    });
  }
  static detail<T extends typeof Resource>(this: T) {
    return super.detail().extend({ schema: { data: this } });
  }
  static delete() {
    return super.delete().extend({ schema: new schema.Invalidate(this) });
  }
  static publish() {
    return this.memo("publish", () =>
      this.endpointMutate().extend({
        url: ({ id }: { id: number }) => `${this.urlRoot}${id}/publish`,
        schema: this,
      }));
  }
  static newest() {
    return this.list().extend({ schema: [this], url: () => "/newest" });
  }
  static own = User.detail();
}
class Special extends Article {
  special = true;
}
/** A base class of an app, written as in the guides of 5.0. */
abstract class Paged extends Resource {
  static list<T extends typeof Resource>(this: T) {
    return super.list().extend({ schema: { results: [this], next: "" } });
  }
}
class Film extends Paged {
  id = "";
  url = "";
  pk() {
    return this.id;
  }
  static get urlRoot() {
    return "https://api.example.com/films";
  }
  static get key() {
    return "Film";
  }
}
class Draft extends HookableResource {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static urlRoot = "https://api.example.com/drafts";
  static useFetchInit(init: RequestInit) {
    return { ...super.useFetchInit(init), credentials: "include" as const };
  }
  static useList() {
    return super.useList().extend({ schema: { results: [this] } });
  }
}

Deno.test("what a class gives is inferred from the class", () => {
  same<Data<ReturnType<typeof User.detail<typeof User>>>, User>();
  const detail = User.detail();
  const list = User.list();
  const create = User.create();
  const remove = User.delete();
  same<Data<typeof detail>, User>();
  same<Data<typeof list>, User[]>();
  same<Data<typeof create>, User>();
  same<Data<typeof remove>, string>();
  same<(typeof list)["schema"], (typeof User)[]>();
  same<Awaited<ReturnType<typeof detail>>, unknown>();
  same<(typeof detail)["sideEffect"], undefined>();
  same<(typeof create)["sideEffect"], true>();
  const reads: ReadEndpoint[] = [detail, list];
  // @ts-expect-error create has side effects
  const mutation: ReadEndpoint = create;
  assertEquals([reads.length, mutation.sideEffect], [2, true]);
});

Deno.test("an endpoint that is replaced gives what its schema says, in subclasses as well", () => {
  const [list, detail, special, newest] = [Article.list(), Article.detail(), Special.detail(), Special.newest()];
  same<Data<typeof list>, { results: Article[]; link: string | null }>();
  same<Parameters<typeof list>, [params: { page: number }]>();
  same<Data<typeof detail>, { data: Article }>();
  same<Data<typeof special>, { data: Special }>();
  same<Data<typeof newest>, Article[]>();
  const films = Film.list();
  same<Data<typeof films>, { results: Film[]; next: string }>();
  const publish = Article.publish();
  same<Data<typeof publish>, Article>();
  same<(typeof publish)["sideEffect"], true>();
  const processed = User.detail().extend({ process: (value: { user: User }) => value.user });
  same<Awaited<ReturnType<typeof processed>>, User>();
  const search = User.create().extend({ sideEffect: false });
  same<(typeof search)["sideEffect"], false>();
  const asked = User.detail().extend({ method: "POST" });
  same<(typeof asked)["sideEffect"], true>();
  const hooked = Draft.useList;
  same<Data<ReturnType<typeof hooked>>, { results: Draft[] }>();
  assertEquals(publish.sideEffect, true);
});

/** Never called, because only the type checker looks at the hooks and requests. */
export function page(form: FormData): unknown[] {
  const user: User = useSuspense(User.detail(), { id: "5" });
  const users: User[] = useSuspense(User.list());
  const named: User[] = useSuspense(User.list(), { name: "ann" });
  const draft: Draft = useSuspense(Draft.useDetail(), { id: "5" });
  const all: User[] | undefined = useQuery(new Query(new schema.All(User)));
  const calls = [
    User.create()({ name: "Ann" }),
    User.create()({ team: 5 }, { name: "Ann" }),
    User.create()(form),
    User.update()({ id: 5 }, { id: "5", name: "Ann" }),
    Article.partialUpdate()({ id: 5 }, { createdAt: "2026-01-01T00:00:00Z" }),
    User.delete()({ id: 5 }),
    Article.publish()({ id: 5 }),
  ];
  const mistakes = [
    // @ts-expect-error a detail has parameters
    () => User.detail()(),
    // @ts-expect-error an update has a body
    () => User.update()({ id: 5 }),
    // @ts-expect-error nam
    () => User.create()({ nam: "Ann" }),
    // @ts-expect-error the fetch that replaced it takes page
    () => Article.list()({ pag: 1 }),
    // @ts-expect-error shcema is no option
    () => User.detail().extend({ shcema: User }),
    // @ts-expect-error the class defines the URL
    () => User.detail().extend({ urlPrefix: "/api" }),
    // @ts-expect-error a text has no toFixed
    () => useSuspense(User.detail(), { id: "5" }).name.toFixed(),
    // @ts-expect-error a mutation
    () => useSuspense(User.create(), { name: "Ann" }),
    // @ts-expect-error a class without pk
    class NoPk extends Resource {},
    // @ts-expect-error the classes with hooks have no other endpoints
    () => Draft.detail(),
  ];
  return [user, users, named, draft, all, calls, mistakes];
}
