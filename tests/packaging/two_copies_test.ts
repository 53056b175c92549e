/** The library loaded twice in one app: as modules, and as a bundle. */
import { assertEquals } from "@std/assert";
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
    static key = "Todo";
  }
  const options = { urlPrefix, path: "/todos/:id", schema: Todo } as const;
  return { Todo, live: resource(options), plain: createResource(options) };
}

Deno.test("two copies of the library work side by side, and endpoints without a class in both", async () => {
  for (const [declaring, storing] of [[ours, theirs], [theirs, ours]] as const) {
    const ping = new declaring.Endpoint(async () => await Promise.resolve("pong"), { name: "ping" });
    assertEquals(await new storing.Controller().fetch(ping), "pong");
    const { Todo } = resourceOf(declaring, "http://127.0.0.1:1");
    const controller = new declaring.Controller();
    controller.set(Todo, { id: "1" }, { id: "1", title: "One" });
    assertEquals(controller.get(Todo, { id: "1" })?.title, "One");
  }
});

Deno.test("hooks are made of the endpoints of another copy, too", async () => {
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
