import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../repo/module_graph.ts";
import { ARTICLE_OUTPUT, ARTICLE_REQUESTS, articleProgram, serveArticles } from "./article_api.ts";

/** Servers of the repository's files: one that knows no TypeScript, and one that sends its media type. */
const servers = new Map(["text/plain", "application/typescript"].map((type) => [type, serveSources(type)]));

/** Deno's cache: the first run requests all modules of a server. */
const cache = await Deno.makeTempDir();

Deno.test.afterAll(async () => {
  for (const sources of servers.values()) await sources.server.shutdown();
  await Deno.remove(cache, { recursive: true });
});

function serveSources(type: string) {
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    const file = await Deno.readFile(ROOT + pathname.slice(1)).catch(() => undefined);
    return file === undefined
      ? new Response("not found", { status: 404 })
      : new Response(file, { headers: { "content-type": type } });
  });
  return { server, host: `127.0.0.1:${server.addr.port}`, requests };
}

/** Runs a script in an empty folder, with only the given permissions. */
async function run(script: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/main.ts`, script);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--no-config", ...args, "main.ts"],
      cwd: folder,
      env: { DENO_DIR: cache, NO_COLOR: "1" },
    }).output();
    return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function worksFrom(host: string, entry: string): Promise<void> {
  await using api = serveArticles();
  const load = `import { Controller, createResource, Entity } from "http://${host}/${entry}";`;
  const allowed = [`--allow-import=${host}`, `--allow-net=${api.origin.slice("http://".length)}`];
  const { code, stdout, stderr } = await run(articleProgram(load, api.origin), ...allowed);
  assertEquals(code, 0, stderr);
  assertEquals(JSON.parse(stdout), ARTICLE_OUTPUT);
  assertEquals(api.requests, ARTICLE_REQUESTS);
}

Deno.test("14.7 core.ts works from a URL, and loads no sentence of development", async () => {
  const sources = servers.get("text/plain")!;
  await worksFrom(sources.host, "core.ts");
  assert(sources.requests.includes("/core.ts"), "somebody has loaded it before");
  assertEquals(
    sources.requests.filter((path) => /^\/mod\.ts$|^\/src\/dev\/|^\/src\/(?!errors)\w+\/texts\.ts$/.test(path)),
    [],
  );
});

for (const [type, sources] of servers) {
  Deno.test(`mod.ts works from a URL when it is served as ${type}`, async () => {
    await worksFrom(sources.host, "mod.ts");
    assertEquals(sources.requests.filter((path) => !/^\/((mod|core)\.ts|src\/.+\.ts)$/.test(path)), []);
  });
}

Deno.test("mod.ts asks for no permission when it is imported", async () => {
  const sources = servers.get("text/plain")!;
  const script = `import * as rejoin from "http://${sources.host}/mod.ts"; console.log(typeof rejoin.Controller);`;
  const { code, stdout, stderr } = await run(script, `--allow-import=${sources.host}`);
  assertEquals(code, 0, stderr);
  assertEquals(stdout, "function\n");
});

Deno.test("a script is refused when it fetches without the permission for its API", async () => {
  const sources = servers.get("text/plain")!;
  await using api = serveArticles();
  const load = `import { Controller, createResource, Entity } from "http://${sources.host}/mod.ts";`;
  const { code, stderr } = await run(articleProgram(load, api.origin), `--allow-import=${sources.host}`);
  assert(code !== 0);
  assert(/--allow-net/.test(stderr), stderr);
  assertEquals(api.requests, []);
});

Deno.test("mod.ts has types from a URL when a script is checked", async () => {
  const sources = servers.get("application/typescript")!;
  const script = `
    import { Controller, createResource, Entity } from "http://${sources.host}/mod.ts";
    class User extends Entity {
      id = "";
      username = "";
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
