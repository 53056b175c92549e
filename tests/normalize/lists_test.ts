import { assertEquals } from "@std/assert";
import { Entity, normalize } from "@rejoin/data";

class Tag extends Entity {
  id = "";
  static key = "Tag";
}

Deno.test("lists in nested records without a pk keep their own items", () => {
  class Group extends Entity {
    id = "";
    groups: Group[] = [];
    tags: Tag[] = [];
    static key = "Group";
    static schema: { groups: (typeof Group)[]; tags: (typeof Tag)[] };
  }
  Group.schema = { groups: [Group], tags: [Tag] };
  const group = (depth: number): object => ({
    tags: [{ id: `a${depth}` }, { id: `b${depth}` }],
    groups: depth === 0 ? [] : [group(depth - 1), { id: `g${depth}` }, group(depth - 1)],
  });
  const expected = (depth: number): object => ({
    tags: [`a${depth}`, `b${depth}`],
    groups: depth === 0 ? [] : [expected(depth - 1), `g${depth}`, expected(depth - 1)],
  });
  assertEquals(normalize([Group], [group(4)]).result as unknown, [expected(4)]);
});

Deno.test("an empty list does not fix the statics of its entity: process may be set after it", () => {
  class Late extends Entity {
    id = "";
    static key = "Late";
  }
  normalize([Late], []);
  Late.process = (value: object) => ({ ...value, seen: true });
  assertEquals(normalize([Late], [{ id: "1" }]).entities.Late!["1"] as unknown, { id: "1", seen: true });
});
