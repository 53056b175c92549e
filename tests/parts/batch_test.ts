// deno-lint-ignore-file no-explicit-any
import { batch, Controller, resource } from "@rejoin/data";
import { assertEquals } from "@std/assert";
import { Film, served, test, urlPrefix } from "../support/wired.ts";

test("batch: details asked for at once are one request; what it does not answer is asked for alone", async () => {
  const R: any = resource({
      urlPrefix,
      path: "/of/:by/films/:id",
      schema: Film,
      getMany: batch({ param: "id[]", separator: "," }),
    }),
    c = new Controller(),
    film = (id: string) => ({ id, title: `t${id}` });
  const urls = await served([
    () => Response.json([film("2"), film("1")]),
    () => Response.json(film("4")),
    () => Response.json(film("3")),
  ], async () => {
    const all = await Promise.all(
      [["x", "1"], ["x", "2"], ["x", "3"], ["y", "4"]].map(([by, id]) => c.fetch(R.get, { by, id })),
    );
    assertEquals(all.map(({ title }: any) => title), ["t1", "t2", "t3", "t4"]);
  });
  assertEquals(urls, [
    `${urlPrefix}/of/x/films?id%5B%5D=1%2C2%2C3`,
    `${urlPrefix}/of/y/films/4`,
    `${urlPrefix}/of/x/films/3`,
  ]);
});
test("batch: a null among the items, or a `process` that throws, concerns one call only", async () => {
  const R: any = resource({ urlPrefix, path: "/films/:id", schema: Film, getMany: batch({ param: "id" }) });
  const process = (value: any) => value.id === "1" ? JSON.parse("") : value;
  const c = new Controller(), get = R.get.extend({ process });
  await served([() => Response.json([null, { id: "1" }, { id: "2" }])], async () => {
    const all = await Promise.allSettled(["1", "2"].map((id) => c.fetch(get, { id })));
    assertEquals(all.map(({ status }) => status), ["rejected", "fulfilled"]);
  });
});
