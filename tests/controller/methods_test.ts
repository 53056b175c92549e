import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, onCommit, stateOf } from "@rejoin/data";

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
  const { fetch, set, get, getResponse, expire, cleanup } = controller;
  let commits = 0;
  const stop = onCommit(controller, () => commits++);
  const article = await fetch(getArticle, "5");
  assertStrictEquals(get(Article, "5"), article);
  set(Article, "5", { title: "New" });
  assertEquals(getResponse(getArticle, "5").data?.title, "New");
  expire(getArticle, "5");
  assertEquals([commits, Object.keys(stateOf(controller).entities.Article!)], [3, ["5"]]);
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
  assertEquals(Object.keys(controller).filter((name) => !["store", "flights"].includes(name)), []);
  const seen: unknown[] = [];
  controller.invalidateAll = (endpoint: unknown) => void seen.push(endpoint);
  controller.invalidateAll(getArticle);
  assertEquals(seen, [getArticle]);
});

Deno.test("a manager takes methods out of the controller, and may put others in their place", async () => {
  const asked: string[] = [];
  const controller = new Controller({
    managers: [{
      middleware: (the) => {
        const { fetch } = the;
        the.fetch = (endpoint, ...args) => {
          asked.push(`${endpoint.name} of ${Object.keys(stateOf(the).entities).length} tables`);
          return fetch(endpoint, ...args);
        };
        return (next) => next;
      },
    }],
  });
  await controller.fetch(getArticle, "5");
  await controller.fetch(getArticle, "6");
  assertEquals(asked, ["getArticle of 0 tables", "getArticle of 1 tables"]);
});

Deno.test("a getter of a subclass stays, and so do functions that are none of ours", () => {
  class Model {}
  class Other extends Controller {
    // @ts-expect-error A method may not become an accessor; in JavaScript it may.
    override get get() {
      return () => "mine";
    }
    helper() {}
  }
  Object.assign(Other.prototype, { Model });
  const other = new Other();
  assertEquals((other.get as () => unknown)(), "mine");
  assertStrictEquals((other as unknown as { Model: unknown }).Model, Model);
  assertStrictEquals(other.helper, Other.prototype.helper);
});
