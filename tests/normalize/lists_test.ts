/** Lists of entities inside entities: made in one place for all, cut out of it when they are done. */
import { assertEquals } from "@std/assert";
import { Entity, normalize } from "@rejoin/data";
import type { NormalizeWalk } from "@rejoin/data/extend";

class Tag extends Entity {
  id = "";
  static key = "Tag";
}
class Draft extends Entity {
  id = "";
  tags: Tag[] = [];
  static key = "Draft";
  static schema = { tags: [Tag] };
}

Deno.test("an app's schema that catches what an inner value throws leaves nothing of it in the outer list", () => {
  class Lenient {
    normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
      try {
        return walk.visit(Draft, value, parent, key);
      } catch {
        return null;
      }
    }
    denormalize(kept: unknown): unknown {
      return kept;
    }
  }
  class Block extends Entity {
    id = "";
    draft: unknown = null;
    static key = "Block";
    static schema = { draft: new Lenient() as never };
  }
  class Page extends Entity {
    id = "";
    blocks: Block[] = [];
    static key = "Page";
    static schema = { blocks: [Block] };
  }
  const unsaved = (...tags: unknown[]) => ({ draft: { tags } });
  const page = { id: "p", blocks: [unsaved({ id: "t1" }, true), { id: "b2" }, unsaved({ id: "t2" }), { id: "b3" }] };
  const { entities } = normalize(Page, page);
  const [one, two, three, four] = entities.Page!.p!.blocks as unknown[];
  assertEquals([one, two, four], [{ draft: null }, "b2", "b3"]);
  assertEquals(three, { draft: { tags: ["t2"] } });
});

Deno.test("lists in lists in lists of what has no pk keep their own items", () => {
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

Deno.test("a list that is empty asks nothing of the class of its items", () => {
  class Late extends Entity {
    id = "";
    static key = "Late";
  }
  normalize([Late], []);
  Late.process = (value: object) => ({ ...value, seen: true });
  assertEquals(normalize([Late], [{ id: "1" }]).entities.Late!["1"] as unknown, { id: "1", seen: true });
});
