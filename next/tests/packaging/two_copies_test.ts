/** What happens to who has loaded the library twice: as a bundle of its own beside the modules. */
import { stateOf } from "@rejoin/data";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as esbuild from "esbuild";
import * as ours from "@rejoin/data";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { ROOT } from "../repo/module_graph.ts";

type Library = typeof ours;

async function anotherCopy(): Promise<Library> {
  const { outputFiles: [bundle] } = await esbuild.build({
    stdin: { contents: `export * from "./mod.ts";`, resolveDir: ROOT, sourcefile: "copy.ts" },
    absWorkingDir: ROOT,
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "silent",
    plugins: [denoSpecifiers],
  });
  await esbuild.stop();
  return await import(`data:text/javascript;base64,${btoa(unescape(encodeURIComponent(bundle!.text)))}`);
}

const theirs = await anotherCopy();

/** A resource whose class and lists are of one copy. */
function resourceOf({ Entity, resource, createResource }: Library, urlPrefix: string) {
  class Todo extends Entity {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static key = "Todo";
  }
  const options = { urlPrefix, path: "/todos/:id", schema: Todo } as const;
  return { Todo, live: resource(options), plain: createResource(options) };
}

Deno.test("13.C9 a class of another copy of the library is named, whoever meets it, and nothing internal is given", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ method, url }) => {
    const row = { id: "1", title: "One" };
    return Response.json(method === "GET" && url.endsWith("/todos") ? [row] : row);
  });
  const urlPrefix = `http://127.0.0.1:${server.addr.port}`;
  for (const [declaring, storing] of [[ours, theirs], [theirs, ours]] as const) {
    const { Todo, live, plain } = resourceOf(declaring, urlPrefix);
    const controller = new storing.Controller({ strict: true });
    const named = "another copy of @rejoin/data";
    for (const { get, getList, create, delete: remove } of [live, plain as unknown as typeof live]) {
      for (
        const call of [
          () => controller.fetch(getList),
          () => controller.fetch(get, { id: "1" }),
          () => controller.fetch(create, { title: "New" }),
          () => controller.fetch(remove, { id: "1" }),
        ]
      ) {
        const error = await assertRejects(async () => await call());
        const { message, cause } = error as Error & { cause?: Error };
        assert(`${message} ${cause?.message}`.includes(named), message);
        assert(storing.RejoinError.is(error) && declaring.RejoinError.is(error));
      }
    }
    assertThrows(() => controller.getResponse(live.getList), storing.SchemaError, named);
    const all = new declaring.Query(new declaring.schema.All(Todo));
    assertThrows(() => controller.get(Todo, { id: "1" }), storing.SchemaError, `"Todo" was made by ${named}`);
    assertThrows(() => controller.get(all), storing.SchemaError, named);
    assertThrows(() => controller.set(Todo, { id: "1" }, { title: "x" }), storing.SchemaError, named);
    assertThrows(() => storing.normalize([Todo], [{ id: "1" }]), storing.SchemaError, named);
    assertThrows(() => storing.denormalize([Todo], ["1"], {}), storing.SchemaError, named);
    assertEquals(Object.keys(stateOf(controller).entities), []);
  }
});

Deno.test("13.C9 within one copy, and where an endpoint has no class in it, two copies are in nobody's way", async () => {
  for (const [declaring, storing] of [[ours, theirs], [theirs, ours]] as const) {
    const ping = new declaring.Endpoint(async () => await Promise.resolve("pong"), { name: "ping" });
    assertEquals(await new storing.Controller().fetch(ping), "pong");
    const { Todo } = resourceOf(declaring, "http://127.0.0.1:1");
    const controller = new declaring.Controller();
    controller.set(Todo, { id: "1" }, { id: "1", title: "One" });
    assertEquals(controller.get(Todo, { id: "1" })?.title, "One");
    const error = new declaring.OvertakenError("save", "reset");
    assert(storing.isEnding(error));
  }
});

Deno.test("13.C9 hooks are made of the endpoints of another copy, too", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ headers }) => Response.json({ id: "1", title: headers.get("who") }),
  );
  const urlPrefix = `http://127.0.0.1:${server.addr.port}`;
  for (const [declaring, hooking] of [[ours, theirs], [theirs, ours]] as const) {
    const { live } = resourceOf(declaring, urlPrefix);
    const { useGet } = hooking.hookifyResource(live, () => ({ headers: { who: "ann" } }));
    assertEquals((await new declaring.Controller().fetch(useGet(), { id: "1" })).title, "ann");
  }
});
