import "../support/fixed_names.ts";
import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { useRef } from "preact/hooks";
import { Controller, Entity, keyOf, resource } from "@rejoin/data";
import { DataProvider, useSuspense } from "@rejoin/data/preact";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

Deno.test("a row that the server names is not mounted again; its detail, opened by its first name, stays open", async () => {
  const replies: ((row: object) => void)[] = [];
  const sent: string[] = [];
  const { getList, create, get } = resource({
    urlPrefix: "https://api.example.com",
    path: "/todos/:id",
    schema: Todo,
    optimistic: true,
  });
  const send = create.extend({
    fetch: (body: object) => new Promise<object>((resolve) => replies.push((row) => resolve({ ...body, ...row }))),
  });
  const detail = get.extend({
    fetch: async ({ id }: { id: string }) => (sent.push(id), await Promise.resolve({ id, title: "detail" })),
  });
  using controller = new Controller({ strict: true });
  controller.setResponse(getList, {}, [{ id: "1", title: "Read" }]);
  let mounts = 0;
  function Row({ todo }: { readonly todo: Todo }) {
    const number = useRef(0);
    number.current ||= ++mounts;
    return <li>{`${todo.id} ${todo.title} #${number.current};`}</li>;
  }
  function List() {
    return <ul>{useSuspense(getList, {}).map((todo) => <Row key={keyOf(todo)} todo={todo} />)}</ul>;
  }
  function Detail() {
    return <p>{`detail ${useSuspense(detail, { id: "~0000000000000000-1" }).id}`}</p>;
  }
  const page = (isOpen: boolean) => (
    <DataProvider controller={controller}>
      <List />
      {isOpen && <Detail />}
    </DataProvider>
  );
  await using app = mount(page(false));
  await settled();
  const creations = ["Write", "Call"].map((title) => controller.fetch(send, { title } as never));
  await settled();
  assertEquals(app.text, "1 Read #1;~0000000000000000-1 Write #2;~0000000000000000-2 Call #3;");
  app.render(page(true));
  await settled();
  assertEquals(
    app.text,
    "1 Read #1;~0000000000000000-1 Write #2;~0000000000000000-2 Call #3;detail ~0000000000000000-1",
  );
  const row = app.host.querySelectorAll("li")[1];
  replies[1]!({ id: "11" });
  await creations[1];
  await settled();
  assertEquals(app.text, "1 Read #1;~0000000000000000-1 Write #2;11 Call #3;detail ~0000000000000000-1");
  replies[0]!({ id: "10" });
  await creations[0];
  await settled();
  assertEquals(app.text, "1 Read #1;10 Write #2;11 Call #3;detail 10");
  assertStrictEquals(app.host.querySelectorAll("li")[1], row);
  // The reply of the create is fresh: nothing more is asked for.
  assertEquals(sent, []);
});
