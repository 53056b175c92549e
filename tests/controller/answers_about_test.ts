// What an answer is about is told the same of one entity, of a union, and of one in an envelope.
import { assertEquals, assertRejects } from "@std/assert";
import { type AnyEndpoint, Controller, Endpoint, Entity, OvertakenError, schema } from "@rejoin/data";
import { Wire } from "../support/wire.ts";

class Post extends Entity {
  id = "";
  kind = "post";
  text = "";
  static key = "Post";
  static validate = ({ text }: { readonly text?: string }) => text === "bad" ? "bad" : undefined;
}
class Note extends Entity {
  id = "";
  kind = "note";
  static key = "Note";
}
const union = new schema.Union({ post: Post, note: Note }, "kind");
const post = { id: "1", kind: "post", text: "good" };

const CASES: readonly (readonly [name: string, said: unknown, reply: (row: object) => unknown])[] = [
  ["an entity", Post, (row) => row],
  ["a union", union, (row) => row],
  ["an entity in an envelope", { data: Post }, (row) => ({ data: row })],
  ["a union in an envelope", { data: union }, (row) => ({ data: row })],
];

for (const [name, said, reply] of CASES) {
  const setUp = (sideEffect: boolean) => {
    const wire = new Wire();
    const controller = new Controller();
    const endpoint: AnyEndpoint = new Endpoint(wire.fn(name), { name, schema: said as typeof Post, sideEffect });
    return { wire, controller, endpoint };
  };

  for (const sideEffect of [false, true]) {
    Deno.test(`the answer to a ${sideEffect ? "mutation" : "read"} of ${name} that a delete has overtaken rejects`, async () => {
      const { wire, controller, endpoint } = setUp(sideEffect);
      controller.set(Post, { id: "1" }, post);
      const answer = controller.fetch(endpoint);
      controller.set(new schema.Invalidate(Post), { id: "1" });
      const rejected = assertRejects(() => answer, OvertakenError);
      await wire.last.reply(reply(post));
      await rejected;
    });
  }

  Deno.test(`a list is asked for again whose row a mutation of ${name} has made one that its class refuses`, async () => {
    const { wire, controller, endpoint } = setUp(true);
    const getList = new Endpoint(() => Promise.reject(new Error()), { name: "list", schema: [union] });
    controller.setResponse(getList, [post as Post]);
    const done = controller.fetch(endpoint);
    await wire.last.reply(reply({ ...post, text: "bad" }));
    await done;
    const { data, expiresAt } = controller.getResponse(getList);
    assertEquals([data, expiresAt], [[], 0]);
  });
}
