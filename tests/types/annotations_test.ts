/** Types that apps write in annotations: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  type AbstractInstanceType,
  type AnySearch,
  Controller,
  createResource,
  Entity,
  type EntityInput,
  type GetEndpoint,
  type MutateEndpoint,
  type PathKeys,
  type PathValue,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  type RestEndpointConstructorOptions,
  type RestGenerics,
  type schema,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
type Path = "/articles/:id";
const Plain = createResource({ path: "/articles/:id", schema: Article });
const Growing = resource({ path: "/articles/:id", schema: Article, searchParams: {} as { tag?: string } | undefined });

Deno.test("13.E12 endpoints are annotated by path, schema, search parameters and body", () => {
  const gets: GetEndpoint<{ path: Path; schema: typeof Article }>[] = [Plain.get, Growing.get];
  const lists: [
    GetEndpoint<{ path: "/articles"; schema: (typeof Article)[]; searchParams: AnySearch | undefined }>,
    GetEndpoint<
      { path: "/articles"; schema: schema.Collection<(typeof Article)[]>; searchParams: { tag?: string } | undefined }
    >,
  ] = [Plain.getList, Growing.getList];
  const update: MutateEndpoint<{ path: Path; schema: typeof Article; body: EntityInput<Article> }> = Plain.update;
  const any: [GetEndpoint, MutateEndpoint, ReadEndpoint] = [Plain.get, Growing.update, gets[0]!];
  const read = async (endpoint: GetEndpoint<{ path: Path; schema: typeof Article }>): Promise<string> =>
    (await new Controller().fetch(endpoint, { id: 5 })).title;
  const write = async (endpoint: typeof update): Promise<string> =>
    (await new Controller().fetch(endpoint, { id: 5 }, { title: "" })).title;
  void (() => [read(Growing.get), write(Plain.update), gets[0]!({ id: 5 }), update({ id: 5 }, {})]);
  // @ts-expect-error another path
  void (() => read(new RestEndpoint({ path: "/articles/:slug", schema: Article })));
  // @ts-expect-error a mutation is no read
  void (() => read(Plain.update));
  // @ts-expect-error another parameter
  void (() => gets[0]!({ slug: 5 }));
  assertEquals([lists.length, any.length, gets[0]!.url({ id: 5 }), update.method], [2, 3, "/articles/5", "PUT"]);
});

Deno.test("13.E12 the other types that apps write out", () => {
  same<PathKeys<"/a/:id{/:b}">, "id" | "b">();
  same<PathKeys<"/a">, never>();
  same<AbstractInstanceType<typeof Article>, Article>();
  class Tagged<O extends RestGenerics> extends RestEndpoint<O> {
    readonly tag: string;
    constructor(options: RestEndpointConstructorOptions<O>) {
      super(options);
      this.tag = "x";
    }
  }
  const tagged = new Tagged({ path: "/articles/:id", schema: Article, searchParams: undefined });
  same<Parameters<typeof tagged>, [params: { id: PathValue }]>();
  same<typeof tagged["~types"]["data"], Article>();
  assertEquals(tagged.tag, "x");
});
