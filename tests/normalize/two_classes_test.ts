import { assertEquals } from "@std/assert";
import { type AnyEntity, Controller, Endpoint, Entity, normalize, schema } from "@rejoin/data";

class Tag extends Entity {
  id = "";
  static key = "Tag";
}
class Draft extends Entity {
  id = "";
  tag: Tag | undefined = undefined;
  static key = "Draft";
  static schema = { tag: Tag };
}
class Issue extends Entity {
  id = "";
  tag: Tag | undefined = undefined;
  static key = "Issue";
  static schema = { tag: Tag };
}
/** Its `process` gives the same raw object to members of two classes. */
class Both extends Entity {
  id = "";
  draft: Draft | undefined = undefined;
  issue: Issue | undefined = undefined;
  issues: Issue[] = [];
  static key = "Both";
  static schema: { [member: string]: AnyEntity | readonly AnyEntity[] } = {
    draft: Draft,
    issue: Issue,
    issues: [Issue],
  };
  static process(value: { draft: object }) {
    return { ...value, issue: value.draft, issues: [value.draft] };
  }
}

const raw = { id: "1", draft: { id: "7", tag: { id: "t" } } };

Deno.test("a store keeps one raw object in members of two classes as a record of each, also on the second reply", async () => {
  const controller = new Controller();
  const get = new Endpoint(async () => await Promise.resolve(structuredClone(raw)), { name: "get", schema: Both });
  for (let turn = 0; turn < 2; turn++) {
    const both = await controller.fetch(get);
    assertEquals([both.draft?.tag?.id, both.issue?.tag?.id, both.issues[0]?.tag?.id], ["t", "t", "t"]);
  }
  assertEquals(controller.get(Issue, { id: "7" })?.tag?.id, "t");
});

Deno.test("one record in two raw objects, each under two classes, is written for both classes", () => {
  const controller = new Controller();
  const one = { id: "7", tag: { id: "t" } };
  const pairs = new Endpoint(async () => await Promise.resolve([]), {
    name: "pairs",
    schema: [{ draft: Draft, issue: Issue }],
  });
  // With stored records the reply takes the way of a comparison instead of a first write.
  controller.set(Draft, "7", { id: "7" });
  controller.set(Issue, "7", { id: "7" });
  const shared = { id: "7", tag: one.tag };
  controller.setResponse(pairs, [{ draft: one, issue: one }, { draft: shared, issue: shared }]);
  assertEquals(controller.get(Draft, "7")?.tag?.id, "t");
  assertEquals(controller.get(Issue, "7")?.tag?.id, "t");
});

Deno.test("a raw object that contains itself under two classes is a record of each", () => {
  class Left extends Entity {
    id = "";
    left: Left | undefined = undefined;
    right: Right | undefined = undefined;
    static key = "Left";
    static schema: { [member: string]: AnyEntity } = {};
    static process(value: { left: object }) {
      return { ...value, right: value.left };
    }
  }
  class Right extends Entity {
    id = "";
    left: Left | undefined = undefined;
    static key = "Right";
    static schema: { [member: string]: AnyEntity } = { left: Left };
  }
  Left.schema = { left: Left, right: Right };
  const value: { id: string; left?: object } = { id: "1" };
  value.left = value;
  const { entities } = normalize(new schema.Array(Left), [value]);
  assertEquals(entities.Left!["1"], { id: "1", left: "1", right: "1" });
  assertEquals(entities.Right!["1"], { id: "1", left: "1" });
});
