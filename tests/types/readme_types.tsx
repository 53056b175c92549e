import { Controller, createResource, Entity, isEnding, keyOf, Query, resource, schema, typed } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useDLE,
  useMutation,
  useQuery,
  useSuspense,
} from "@rejoin/data/preact";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author = User.fromJS();
  createdAt = new Date(0);
  static key = "Article";
  static schema = { author: User, createdAt: Date };
}
const ArticleResource = resource({ urlPrefix: "/api", path: "/articles/:id", schema: Article });
const explain = (error: unknown) => isEnding(error) || alert(`Not renamed: ${error}`);

export function Articles({ tag }: { tag: string }) {
  const articles = useSuspense(ArticleResource.getList, { tag }); // Article[]
  const controller = useController();
  const rename = (id: string) =>
    controller.fetch(ArticleResource.partialUpdate, { id }, { title: "New" }).catch(explain);
  const typedList: Article[] = articles;
  void typedList;
  return articles.map((article) => (
    <p key={keyOf(article)} onClick={() => rename(article.id)}>
      {article.title} by {article.author.name}
    </p>
  ));
}
export const App = () => (
  <DataProvider>
    <AsyncBoundary fallback="…">
      <Articles tag="deno" />
    </AsyncBoundary>
  </DataProvider>
);

const PlainResource = createResource({
  path: "/a/:group/:id",
  schema: Article,
  searchParams: typed<{ page?: number } | undefined>(),
});
export function Types() {
  const controller = new Controller();
  const one = useSuspense(PlainResource.get, { group: "g", id: 5 });
  same<typeof one, Article>();
  const list = useSuspense(PlainResource.getList, { group: "g", page: 2 });
  same<typeof list, Article[]>();
  const none = useSuspense(PlainResource.get, null);
  same<typeof none, Article | undefined>();
  const { data, loading, error } = useDLE(PlainResource.get, { group: "g", id: 5 });
  if (loading || error) return null;
  same<typeof data, Article>();
  const { mutate } = useMutation(PlainResource.create);
  mutate({ group: "g" }, { title: "x" });
  const count = new Query(
    new schema.All(Article),
    (all, { min = 0 }: { min?: number } = {}) => all.filter((a) => a.title.length > min).length,
  );
  const n = useQuery(count, { min: 1 });
  same<typeof n, number | undefined>();
  const stored = controller.get(Article, { id: "1" });
  same<typeof stored, Article | undefined>();
  const fetched = controller.fetch(ArticleResource.get, { id: 5 });
  same<typeof fetched, Promise<Article>>();
  const created = controller.fetch(ArticleResource.create, { title: "x" });
  same<typeof created, Promise<Article>>();
  controller.set(Article, { id: "1" }, { title: "y" });
  const response = controller.getResponse(ArticleResource.getList, { tag: "x" }).data;
  same<typeof response, Article[] | undefined>();
  // @ts-expect-error the path needs an id
  useSuspense(ArticleResource.get, {});
  // @ts-expect-error a search parameter that is not declared
  useSuspense(PlainResource.getList, { group: "g", other: 1 });
  // @ts-expect-error no such member
  controller.fetch(ArticleResource.partialUpdate, { id: "1" }, { titel: "x" });
  return null;
}
