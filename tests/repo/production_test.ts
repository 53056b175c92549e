/** What `core.ts` does by itself: no sentence, and all that protects data. Nothing here may import the default entry. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  RejoinError,
  SchemaError,
} from "../../core.ts";

class User extends Entity {
  id = "";
  static override key = "User";
}

Deno.test("an error of production has its class, its code and its facts, and the line that leads to its section", () => {
  const error = assertThrows(() => normalize([User], { items: [] }), NormalizeError);
  assertEquals([error.code, error.subject, error.path], [126, '["User"]', ""]);
  assertMatch(error.message, /docs\/errors\.md#126$/);
});

Deno.test("an error keeps its code when it is told in which answer it was", async () => {
  const getUsers = new Endpoint(async (): Promise<unknown> => await Promise.resolve({ items: [] }), {
    name: "getUsers",
    schema: [User],
  });
  const error = await new Controller().fetch(getUsers).catch((reason: unknown) => reason);
  assert(error instanceof RejoinError && error.code === 126 && error.message.includes("getUsers"));
});

/** What a bundler makes of a class without a key. */
function shortened(entity: typeof Entity): typeof Entity {
  Object.defineProperty(entity, "name", { value: "e" });
  return entity;
}

Deno.test("two classes that reach one table by their names are refused in production, too", () => {
  const Film = shortened(
    class extends Entity {
      id = "";
      title = "";
    },
  );
  const Person = shortened(
    class extends Entity {
      id = "";
      name = "";
    },
  );
  const controller = new Controller();
  controller.set(Film, { id: "1" }, { id: "1" });
  const error = assertThrows(() => controller.set(Person, { id: "1" }, { id: "1" }), SchemaError);
  assertEquals(error.code, 302);
});

Deno.test("what only development checks is not in the way in production", () => {
  class Article extends Entity {
    id = "";
    static override key = "Article";
    static override indexes = ["nothing"] as never;
    static override schema = { author: User };
  }
  const { result, entities } = normalize([Article], [{ id: "5", author: { id: "1" } }]);
  assertEquals(entities, { Article: { 5: { id: "5", author: "1" } }, User: { 1: { id: "1" } } } as never);
  assert(denormalize([Article], result, entities)?.[0] instanceof Article);
});
