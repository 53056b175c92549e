/** The types that `setResponse` and `setError` accept: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, resource } from "@rejoin/data";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const ArticleResource = resource({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });
const ping = new Endpoint(async () => await Promise.resolve("pong"), { name: "ping" });

Deno.test("arguments that are all optional may be left out before the response, others may not", () => {
  const controller = new Controller();
  controller.setResponse(ArticleResource.getList, [{ id: "1" }]);
  assertEquals(controller.getResponse(ArticleResource.getList).data?.length, 1);
  controller.setResponse(ArticleResource.getList, { tag: "deno" }, []);
  controller.setResponse(ArticleResource.get, { id: "5" }, { id: "5", title: "Hello" });
  controller.setResponse(ping, "pong");
  controller.setError(ArticleResource.getList, new Error("no"));
  assertEquals(controller.getError(ArticleResource.getList) instanceof Error, true);
  // @ts-expect-error the id is missing
  const wrong = () => controller.setResponse(ArticleResource.get, { id: "5" });
  // @ts-expect-error one argument too many
  const more = () => controller.setResponse(ping, "pong", 1);
  assertEquals([typeof wrong, typeof more], ["function", "function"]);
});
