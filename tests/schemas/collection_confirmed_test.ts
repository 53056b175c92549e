// An edit is confirmed after a read has brought what it did: the lists follow it all the same.
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
import { Wire } from "../support/wire.ts";

class Post extends Entity {
  id = "";
  kind = "post";
  owner = "";
  static key = "Post";
}
class Note extends Entity {
  id = "";
  kind = "note";
  owner = "";
  static key = "Note";
}
const union = new schema.Union({ post: Post, note: Note }, "kind");
const old = { id: "3", kind: "post", owner: "2" };
const now = { ...old, owner: "1" };

const CASES = [
  ["an entity", Post, Post, now],
  ["a union", union, union, now],
  ["an entity in an envelope", Post, { data: Post }, { data: now }],
  ["a union in an envelope", union, { data: union }, { data: now }],
  ["several entities", Post, [Post], [now]],
  ["several by name", union, new schema.Values(union), { three: now }],
] as const;

for (const [name, item, said, reply] of CASES) {
  Deno.test(`lists follow a confirmed edit of ${name} that a read was faster to bring`, async () => {
    const wire = new Wire();
    const todos = new schema.Collection([item as typeof Post]);
    const getList = new Endpoint(wire.fn<[{ owner: string }]>("list"), { name: "list", schema: todos });
    const get = new Endpoint(wire.fn<[string]>("get"), { name: "get", schema: item as typeof Post });
    const edit = new Endpoint(wire.fn<[string, object]>("edit"), {
      name: "edit",
      schema: said as typeof Post,
      sideEffect: true,
    });
    const controller = new Controller();
    controller.setResponse(getList, { owner: "2" }, [old]);
    controller.setResponse(getList, { owner: "1" }, []);
    const editing = controller.fetch(edit, "3", { owner: "1" });
    const sent = wire.last;
    void controller.fetch(get, "3");
    await wire.last.reply(now);
    await sent.reply(reply);
    await editing;
    const ids = (owner: string) => controller.getResponse(getList, { owner }).data?.map(({ id }) => id);
    assertEquals([ids("2"), ids("1")], [[], ["3"]]);
  });
}
