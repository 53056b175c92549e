// Redirects through the public API: without the step they are refused where the platform would take headers along.
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  batch,
  conditional,
  Controller,
  createResource,
  Entity,
  followRedirects,
  NetworkError,
  RestEndpoint,
  type RestGenerics,
} from "@rejoin/data";
import type { Step } from "@rejoin/data/extend";
import { startFaultServer } from "../support/fault_server.ts";
import { bundledFiles } from "../support/bundle.ts";
import * as esbuild from "esbuild";

const SECRETS = { "Authorization": "Bearer secret", "Cookie": "a=secret", "X-API-Key": "secret" };
const base = { path: "/redirect", requestInit: { headers: SECRETS } } as const;

Deno.test("14.5 without the step a redirect is a refusal that says what to write, and nothing reaches another origin", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ ...base, urlPrefix: server.origin });
  for (const status of [301, 302, 303, 307, 308]) {
    for (const to of ["other", "same"]) {
      for (const method of ["GET", "POST"]) {
        server.clear();
        const call = get.extend({ method, body: undefined });
        const error = await assertRejects(() => call({ status, to }), NetworkError);
        assertEquals([error.status, error.code, server.requests.length], [status, 457, 1]);
        assert(error.message.includes("write use: [followRedirects()]"), error.message);
        assertEquals(error.headers?.get("location"), `${to === "other" ? server.otherOrigin : server.origin}/echo`);
      }
    }
  }
  await server.settled();
});

Deno.test("14.5 an answer that is no redirect is not taken for one", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ ...base, urlPrefix: server.origin, retry: false });
  for (const [status, location] of [[304, ""], [300, ""], [409, "/there"], [503, "/there"]] as const) {
    const error = await assertRejects(() => get({ status, location }), NetworkError);
    assertEquals([error.status, error.code], [status, 0]);
  }
});

Deno.test("14.5 a redirect of the app's own is respected without the step", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ path: "/redirect", urlPrefix: server.origin });
  const with_ = (redirect: RequestRedirect) => get.extend({ requestInit: { redirect } });
  const { origin } = await with_("follow")({ to: "other" }) as { origin: string };
  assertEquals(origin, server.otherOrigin);
  assertEquals((await assertRejects(() => with_("manual")({}), NetworkError)).status, 302);
  assertEquals((await assertRejects(() => with_("error")({}), NetworkError)).status, undefined);
});

Deno.test("14.5 what an override of fetchResponse adds stays behind, too, with the step before or after others", async () => {
  await using server = await startFaultServer();
  class Signed<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = server.origin;
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return super.fetchResponse(url, { ...init, headers: { ...SECRETS } });
    }
  }
  const late: Step = (call, next) => {
    call.init.headers.set("x-trace", "secret");
    return next(call);
  };
  for (const use of [[followRedirects()], [late, followRedirects()], [followRedirects(), late, conditional()]]) {
    for (const Class of [Signed, RestEndpoint]) {
      server.clear();
      const get = new Class({ ...base, urlPrefix: server.origin, use });
      await get({ to: "other", status: 307 });
      const seen = server.requests.map(({ origin, headers }) => [origin, JSON.stringify(headers).includes("secret")]);
      assertEquals(seen, [[server.origin, true], [server.otherOrigin, false]]);
    }
  }
});

Deno.test("14.5 a resource names the step once: its members, its batches and its conflicts follow", async () => {
  class Film extends Entity {
    id = "";
    title = "";
    static override key = "Film";
  }
  const seen: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ method, url }) => {
    const { pathname, search } = new URL(url);
    seen.push(`${method} ${pathname}`);
    if (!pathname.endsWith("/")) {
      return new Response(null, { status: 308, headers: { location: `${pathname}/${search}` } });
    }
    return Response.json(pathname === "/films/" ? [{ id: "1", title: "A" }, { id: "2", title: "B" }] : { id: "1" });
  });
  const films = createResource({
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    path: "/films/:id",
    schema: Film,
    use: [followRedirects()],
    getMany: batch({ param: "ids" }),
  });
  using controller = new Controller();
  const [one, two] = await Promise.all(["1", "2"].map((id) => controller.fetch(films.get, { id })));
  assertEquals([one!.title, two!.title], ["A", "B"]);
  await controller.fetch(films.partialUpdate, { id: "1" }, { title: "C" });
  assertEquals(seen, ["GET /films", "GET /films/", "PATCH /films/1", "PATCH /films/1/"]);
});

Deno.test("14.5 an app that does not name the step has nothing of it", async () => {
  try {
    const files = await bundledFiles(`export { Controller, createResource, Entity } from "./core.ts";`);
    assertEquals(files.filter((file) => /redirect\.ts$|follow_redirects/.test(file)), []);
  } finally {
    await esbuild.stop();
  }
});
