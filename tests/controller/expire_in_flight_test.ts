import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, Query, schema } from "@rejoin/data";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

Deno.test("expireAll leaves a first answer stale whose request started before, though nobody has read it yet", async () => {
  let answer: (value: unknown) => void = () => {};
  const getArticle = new Endpoint((_: { id: string }) => new Promise<unknown>((resolve) => answer = resolve), {
    name: "getArticle",
    schema: Article,
  });
  const controller = new Controller();
  const fetched = controller.fetch(getArticle, { id: "1" });
  controller.expireAll(getArticle);
  await Promise.resolve();
  answer({ id: "1", title: "old" });
  assertEquals((await fetched).title, "old");
  const { data, expiresAt } = controller.getResponse(getArticle, { id: "1" });
  assertEquals([data?.title, expiresAt], ["old", 0]);
});

Deno.test("getResponse of a Query is never due: it is made of what is there", () => {
  const controller = new Controller();
  const all = new Query(new schema.All(Article));
  controller.set(Article, { id: "1" }, { title: "one" });
  const { data, expiresAt } = controller.getResponse(all);
  assert(data?.length === 1);
  assertEquals(expiresAt, Infinity);
});
