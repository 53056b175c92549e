import { assertEquals } from "@std/assert";
import { createResource, Entity, resource } from "@rejoin/data";

class Tag extends Entity {
  id = "";
  static key = "Tag";
}
const urlPrefix = "https://api.example.com";
const slash = { urlPrefix: `${urlPrefix}/tags`, path: "/:id", schema: Tag } as const;
const plain = { urlPrefix, path: "/tags/:id", schema: Tag } as const;

Deno.test("13.E14 a path that is only a parameter makes the address of lists end in a slash", () => {
  for (const { getList, create, get } of [createResource(slash), resource(slash)]) {
    assertEquals(
      [getList.url(), create.url({}), get.url({ id: "5" })],
      [`${urlPrefix}/tags/`, `${urlPrefix}/tags/`, `${urlPrefix}/tags/5`],
    );
  }
});

Deno.test("13.E14 with a segment before the parameter it ends in none", () => {
  for (const { getList, create, get } of [createResource(plain), resource(plain)]) {
    assertEquals(
      [getList.url(), create.url({}), get.url({ id: "5" })],
      [`${urlPrefix}/tags`, `${urlPrefix}/tags`, `${urlPrefix}/tags/5`],
    );
  }
});
