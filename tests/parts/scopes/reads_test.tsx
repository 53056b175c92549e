import { mount, settled } from "../../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Endpoint, Entity, latest, resource, serial } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useController, useSuspense } from "@rejoin/data/preact";
import type { Controller } from "@rejoin/data";

class Todo extends Entity {
  id = "";
  rank = 0;
  static key = "Todo";
}

for (const scope of [serial, latest]) {
  Deno.test(`16.1 ${scope.name}: a list that edits reorder is asked again once, after the last of its line`, async () => {
    const rows = [{ id: "1", rank: 1 }, { id: "2", rank: 2 }];
    const asked: string[] = [];
    const replies: (() => void)[] = [];
    const todos = resource({
      urlPrefix: "https://x.test",
      path: "/todos/:id",
      schema: Todo,
      optimistic: true,
      scope: scope("record"),
      retry: false,
      async fetchResponse(url: string, { method, body }: RequestInit): Promise<Response> {
        asked.push(`${method} ${new URL(url).pathname}`);
        if (method === "GET") return Response.json(rows.toSorted((a, b) => a.rank - b.rank));
        await new Promise<void>((resolve) => replies.push(resolve));
        return Response.json(Object.assign(rows[0]!, JSON.parse(String(body))));
      },
    });
    const other = new Endpoint((_: { id: string }) => new Promise<object>(() => {}), {
      name: "other",
      schema: Todo,
      sideEffect: true,
    });
    let controller: Controller;
    function List() {
      controller = useController();
      return <p>{useSuspense(todos.getList, { sort: "rank" }).map(({ id }) => id).join()}</p>;
    }
    await using root = mount(
      <DataProvider>
        <AsyncBoundary fallback="…">
          <List />
        </AsyncBoundary>
      </DataProvider>,
    );
    const rest = async () => {
      for (let turn = 0; turn < 5; turn++) await settled();
    };
    await rest();
    assertEquals([root.text, asked], ["1,2", ["GET /todos"]]);
    const edits = [3, 4, 5].map((rank) => controller.fetch(todos.partialUpdate, { id: "1" }, { rank }));
    await rest();
    for (let reply = replies.shift(); reply !== undefined; reply = replies.shift()) {
      reply();
      await rest();
    }
    await Promise.all(edits);
    await rest();
    const writes = scope === latest ? 2 : 3;
    assertEquals(asked, ["GET /todos", ...Array(writes).fill("PATCH /todos/1"), "GET /todos"]);
    assertEquals(root.text, "2,1");

    // What stands in no line with it holds nothing up.
    controller!.fetch(other, { id: "2" }).catch(() => {});
    const edit = controller!.fetch(todos.partialUpdate, { id: "1" }, { rank: 0 });
    await rest();
    replies.shift()!();
    await edit;
    await rest();
    assertEquals(asked.slice(writes + 2), ["PATCH /todos/1", "GET /todos"]);
    assertEquals(root.text, "1,2");
  });
}
