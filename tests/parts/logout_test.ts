/** Each logout empties the store once. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  Controller,
  isEnding,
  LogoutManager,
  type LogoutManagerOptions,
  NetworkError,
  RestEndpoint,
} from "@rejoin/data";
import { empty, serve } from "../support/api.ts";

/** A server that knows who is logged in, and answers when the test tells it to. */
function app(options: LogoutManagerOptions = {}) {
  let isIn = true, logouts = 0;
  const gates = new Map<string, Promise<void>>();
  const server = serve(async ({ path, headers }) => {
    const isKnown = isIn;
    await gates.get(path);
    if (path === "/public") return "hello";
    if (path === "/login") return headers.has("wrong") ? empty(401) : isIn = true;
    return isKnown ? path : empty(401);
  });
  const { urlPrefix } = server;
  const controller = new Controller({
    use: [
      new LogoutManager({
        onLogout(controller, error) {
          logouts++;
          assertEquals((error as NetworkError).status, 401);
          controller.resetEntireStore();
        },
        ...options,
      }),
    ],
  });
  return {
    urlPrefix,
    controller,
    get: new RestEndpoint({ urlPrefix, path: "/:what" }),
    login: new RestEndpoint({ urlPrefix, path: "/login", method: "POST" }),
    logout: () => void (isIn = false),
    logouts: () => logouts,
    /** Holds responses for a path back. Returns a function that releases them. */
    hold(path: string) {
      let go = () => {};
      gates.set(path, new Promise((resolve) => go = resolve));
      return () => {
        gates.delete(path);
        go();
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

Deno.test("the 401 of a read empties the store; what was in flight with it is the same logout", async () => {
  await using it = app();
  const { controller, get } = it;
  await controller.fetch(get, { what: "a" });
  it.logout();
  const both = [controller.fetch(get, { what: "b" }), controller.fetch(get, { what: "c" })];
  const outcomes = await Promise.allSettled(both);
  assertEquals(outcomes.map(({ status }) => status), ["rejected", "rejected"]);
  assertEquals(it.logouts(), 1);
  assertEquals(controller.getResponse(get, { what: "a" }).data, undefined);
});

Deno.test("until somebody is logged in again, a 401 is an error like any other; then it is a logout", async () => {
  await using it = app();
  const { controller, get, login } = it;
  it.logout();
  assertEquals(isEnding(await controller.fetch(get, { what: "a" }).catch((error) => error)), true);
  for (const what of ["a", "b"]) await assertRejects(() => controller.fetch(get, { what }), NetworkError);
  assertEquals(it.logouts(), 1);
  assertEquals(
    (controller.getError(get, { what: "b" }) as NetworkError).status,
    401,
    "kept, so that nothing asks without end",
  );
  await controller.fetch(get, { what: "public" });
  await assertRejects(() => controller.fetch(get, { what: "b" }));
  assertEquals(it.logouts(), 1, "what anybody may read says nothing");
  await controller.fetch(login, {});
  await controller.fetch(get, { what: "a" });
  it.logout();
  await assertRejects(() => controller.fetch(get, { what: "a" }));
  assertEquals(it.logouts(), 2);
});

Deno.test("the 401 of a read that was sent before the login does not log out who has logged in since", async () => {
  await using it = app();
  const { controller, get, login } = it;
  it.logout();
  await assertRejects(() => controller.fetch(get, { what: "a" }));
  const go = it.hold("/b"), slow = controller.fetch(get, { what: "b" });
  await controller.fetch(login, {});
  await controller.fetch(get, { what: "a" });
  go();
  await assertRejects(() => slow, NetworkError);
  assertEquals([it.logouts(), controller.getResponse(get, { what: "a" }).data], [1, "/a"]);
});

Deno.test("the 401 of a mutation may be the login form's own; isLogout replaces the rules", async () => {
  await using it = app();
  const wrong = it.login.extend({ requestInit: { headers: { wrong: "1" } } });
  await assertRejects(() => it.controller.fetch(wrong, {}), NetworkError);
  assertEquals(it.logouts(), 0);
  let asked: unknown;
  await using other = app({
    isLogout: (error, { endpoint, key }) => {
      asked = [(error as NetworkError).status, endpoint.sideEffect, key];
      return true;
    },
  });
  await assertRejects(() =>
    other.controller.fetch(other.login.extend({ requestInit: { headers: { wrong: "1" } } }), {})
  );
  assertEquals([asked, other.logouts()], [[401, true, `POST ${other.urlPrefix}/login`], 1]);
});
