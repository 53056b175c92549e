// deno-lint-ignore-file no-explicit-any
import { batch, cacheControl, Controller, isEnding, resource } from "@rejoin/data";
import { assertEquals } from "@std/assert";
import { Film, served, test, tick, urlPrefix } from "../support/wired.ts";

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
test("rule 32: batch: its request is aborted when all of its calls are, and not before", async () => {
  let request: AbortSignal | undefined;
  const fetchResponse = (_url: string, { signal }: RequestInit) => {
    request = signal!;
    return new Promise<Response>((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
  };
  const R: any = resource({
    urlPrefix,
    path: "/films/:id",
    schema: Film,
    getMany: batch({ param: "id" }),
    fetchResponse,
  });
  const c = new Controller(), calls = Promise.allSettled(["1", "2"].map((id) => c.fetch(R.get, { id })));
  await tick();
  c.abort(R.get, { id: "1" });
  const isEarly = request!.aborted;
  c.cleanup();
  assertEquals([isEarly, request!.aborted], [false, true]);
  assertEquals((await calls).map((call) => isEnding((call as any).reason)), [true, true]);
});
test("batch: the header of its reply says how long each record is fresh, and nothing of one asked for alone", async () => {
  const R: any = resource({
    urlPrefix,
    path: "/films/:id",
    schema: Film,
    dataExpiryLength: Infinity,
    use: [cacheControl()],
    getMany: batch({ param: "id" }),
  });
  const c = new Controller(), film = (id: string) => ({ id, title: "", year: 0, genre: "" });
  await served([
    () => Response.json([film("1"), film("2")], { headers: { "cache-control": "max-age=0" } }),
    () => Response.json(film("3")),
    () => Response.json([film("4"), film("5")]),
  ], async () => {
    await Promise.all(["1", "2", "3"].map((id) => c.fetch(R.get, { id })));
    await Promise.all(["4", "5"].map((id) => c.fetch(R.get, { id })));
  });
  const lasts = ["1", "2", "3", "4"].map((id) => c.getResponse(R.get, { id }).expiresAt === Infinity);
  assertEquals(lasts, [false, false, true, true]);
});
