import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, Entity, resource, StreamManager } from "@rejoin/data";
import type { StreamListener } from "@rejoin/data/extend";
import { useSuspense } from "@rejoin/data/preact";
import { App } from "./_cinema.tsx";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

Deno.test("13.A6 what a stream puts into a list that comes in pages is shown, and nothing is asked for", async () => {
  const asked: string[] = [];
  const { getList, create } = resource({
    urlPrefix: "http://films.test",
    path: "/films/:id",
    schema: Film,
    searchParams: {} as { page?: number } | undefined,
    paginationField: "page",
    fetch: async (...[params, body]: [{ page?: number }?, object?]) => {
      const isMade = params !== undefined && !("page" in params) || body !== undefined;
      asked.push(isMade ? "create" : `page ${params?.page ?? 1}`);
      return await Promise.resolve(
        isMade ? { id: "9", title: "made" } : [{ id: String(params?.page ?? 1), title: "" }],
      );
    },
  } as never) as unknown as ReturnType<
    typeof resource<"/films/:id", typeof Film, { page?: number } | undefined, object, "page">
  >;
  let stream: StreamListener;
  const source = (listener: StreamListener) => {
    stream = listener;
    listener.open();
    return { close() {} };
  };
  const controller = new Controller({
    managers: [new StreamManager({ source, messages: { made: getList.schema.push } })],
  });
  function Films() {
    return <p>{useSuspense(getList).map(({ id }) => id).join("")}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Films />
    </App>,
  );
  await settled();
  const told = async (id: string) => {
    stream.message({ type: "made", data: { id, title: "told" } });
    await settled();
  };
  await told("5");
  assertEquals([app.text, asked.join()], ["15", "page 1"]);
  await controller.fetch(getList.getPage, { page: 2 });
  await told("6");
  await told("7");
  assertEquals([app.text, asked.join()], ["15267", "page 1,page 2"]);
  await controller.fetch(create, { title: "made" });
  await settled();
  assertEquals(asked.join(), "page 1,page 2,create,page 1");
  controller.cleanup();
});
