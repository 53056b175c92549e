import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const getArticle = new Endpoint(async (id: string) => await Promise.resolve({ id, title: "Hello" }), {
  name: "getArticle",
  schema: Article,
});

Deno.test("methods can be taken out of a controller", async () => {
  using controller = new Controller();
  const { fetch, set, get, getResponse, onCommit, expire, getState, cleanup } = controller;
  let commits = 0;
  const stop = onCommit(() => commits++);
  const article = await fetch(getArticle, "5");
  assertStrictEquals(get(Article, "5"), article);
  set(Article, "5", { title: "New" });
  assertEquals(getResponse(getArticle, "5").data?.title, "New");
  expire(getArticle, "5");
  assertEquals([commits, Object.keys(getState().entities.Article!)], [3, ["5"]]);
  stop();
  cleanup();
});

Deno.test("a method that a subclass replaces is the one that is taken out, and reaches that of its base", async () => {
  const asked: string[] = [];
  class Noting extends Controller {
    override fetch: Controller["fetch"] = (endpoint, ...args) => {
      asked.push(endpoint.key(...args));
      return Controller.prototype.fetch.call(this, endpoint, ...args) as ReturnType<Controller["fetch"]>;
    };
    override resetEntireStore() {
      asked.push("reset");
      super.resetEntireStore();
    }
  }
  const { fetch, resetEntireStore, get } = new Noting();
  await fetch(getArticle, "5");
  resetEntireStore();
  assertEquals(asked, ['getArticle ["5"]', "reset"]);
  assertEquals(get(Article, "5"), undefined);
});

Deno.test("the methods of a controller are not among its members, and may be replaced, as spies of tests do", () => {
  const controller = new Controller();
  assertEquals(Object.keys(controller).filter((name) => name !== "store"), []);
  const seen: unknown[] = [];
  controller.invalidateAll = (endpoint: unknown) => void seen.push(endpoint);
  controller.invalidateAll(getArticle);
  assertEquals(seen, [getArticle]);
});
