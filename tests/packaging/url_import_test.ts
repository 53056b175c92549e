import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../repo/module_graph.ts";
import { ARTICLE_OUTPUT, ARTICLE_REQUESTS, articleProgram, serveArticles } from "./article_api.ts";

/** Serves the repository's files; TypeScript as `type`. */
function serveSources(type: string): AsyncDisposable & { host: string; requests: string[] } {
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    const file = await Deno.readFile(ROOT + pathname.slice(1)).catch(() => undefined);
    return file === undefined
      ? new Response("not found", { status: 404 })
      : new Response(file, { headers: { "content-type": type } });
  });
  return {
    host: `127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Runs a script in an empty folder, with a cache of its own and no permission but those given. */
async function run(script: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/project`);
    await Deno.writeTextFile(`${folder}/project/main.ts`, script);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--no-config", ...args, "main.ts"],
      cwd: `${folder}/project`,
      env: { DENO_DIR: `${folder}/cache`, NO_COLOR: "1" },
    }).output();
    return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const type of ["text/plain", "application/typescript"]) {
  Deno.test(`mod.ts works from a URL when it is served as ${type}`, async () => {
    await using sources = serveSources(type);
    await using api = serveArticles();
    const load = `import { Controller, createResource, Entity } from "http://${sources.host}/mod.ts";`;
    const { code, stdout, stderr } = await run(
      articleProgram(load, api.origin),
      `--allow-import=${sources.host}`,
      `--allow-net=${api.origin.slice("http://".length)}`,
    );
    assertEquals(code, 0, stderr);
    assertEquals(JSON.parse(stdout), ARTICLE_OUTPUT);
    assertEquals(api.requests, ARTICLE_REQUESTS);
    assertEquals(sources.requests.filter((path) => !/^\/((mod|core)\.ts|src\/.+\.ts)$/.test(path)), []);
  });
}

Deno.test("14.7 core.ts works from a URL, and loads no sentence of development", async () => {
  await using sources = serveSources("text/plain");
  await using api = serveArticles();
  const load = `import { Controller, createResource, Entity } from "http://${sources.host}/core.ts";`;
  const { code, stdout, stderr } = await run(
    articleProgram(load, api.origin),
    `--allow-import=${sources.host}`,
    `--allow-net=${api.origin.slice("http://".length)}`,
  );
  assertEquals(code, 0, stderr);
  assertEquals(JSON.parse(stdout), ARTICLE_OUTPUT);
  assertEquals(
    sources.requests.filter((path) => /^\/mod\.ts$|^\/src\/dev\/|^\/src\/(?!errors)\w+\/texts\.ts$/.test(path)),
    [],
  );
});

Deno.test("mod.ts asks for no permission when it is imported", async () => {
  await using sources = serveSources("text/plain");
  const script = `import * as rejoin from "http://${sources.host}/mod.ts"; console.log(typeof rejoin.Controller);`;
  const { code, stdout, stderr } = await run(script, `--allow-import=${sources.host}`);
  assertEquals(code, 0, stderr);
  assertEquals(stdout, "function\n");
});

Deno.test("a script is refused when it fetches without the permission for its API", async () => {
  await using sources = serveSources("text/plain");
  await using api = serveArticles();
  const load = `import { Controller, createResource, Entity } from "http://${sources.host}/mod.ts";`;
  const { code, stderr } = await run(articleProgram(load, api.origin), `--allow-import=${sources.host}`);
  assert(code !== 0);
  assert(/--allow-net/.test(stderr), stderr);
  assertEquals(api.requests, []);
});

Deno.test("mod.ts has types from a URL when a script is checked", async () => {
  await using sources = serveSources("application/typescript");
  const script = `
    import { Controller, createResource, Entity } from "http://${sources.host}/mod.ts";
    class User extends Entity {
      id = "";
      username = "";
      pk() {
        return this.id;
      }
      static key = "User";
    }
    const UserResource = createResource({ urlPrefix: "https://api.example.com", path: "/users/:id", schema: User });
    export async function read(controller: Controller): Promise<string> {
      const user = await controller.fetch(UserResource.get, { id: "5" });
      // @ts-expect-error an entity has the members that it declares
      void user.nothing;
      // @ts-expect-error the path has no such parameter
      await controller.fetch(UserResource.get, { slug: "5" });
      return user.username;
    }
  `;
  const { code, stderr } = await run(script, "--check=all", `--allow-import=${sources.host}`);
  assertEquals(code, 0, stderr);
});
