import { assertEquals, assertRejects } from "@std/assert";
import {
  Endpoint,
  Entity,
  hydrate,
  LogoutManager,
  type LogoutManagerOptions,
  NetworkError,
  OvertakenError,
  resource,
  RestEndpoint,
  stateOf,
} from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { flush } from "../support/clock.ts";
import { uncaught } from "../support/uncaught.ts";
import { Wire } from "../support/wire.ts";

class Note extends Entity {
  id = "";
  text = "";
  static key = "Note";
}

const refused = (status = 401) => Object.assign(new Error(String(status)), { status });

function start(options: LogoutManagerOptions = {}) {
  const wire = new Wire();
  const logouts: unknown[] = [];
  const controller = new Controller({
    managers: [
      new LogoutManager({
        onLogout: (controller, error) => {
          logouts.push(error);
          controller.resetEntireStore();
        },
        ...options,
      }),
    ],
  });
  const read = (name: string) => new Endpoint(wire.fn(name), { name, schema: Note });
  const login = new Endpoint(wire.fn("login"), { name: "login", sideEffect: true });
  /** Asks, and has the server refuse. */
  const refuse = async (endpoint: { (): Promise<unknown> } & ReturnType<typeof read>, status = 401) => {
    const answer = controller.fetch(endpoint).catch((error) => error);
    await wire.last.fail(refused(status));
    return await answer;
  };
  const answer = async (endpoint: typeof login | ReturnType<typeof read>, value: unknown) => {
    const promise = controller.fetch(endpoint);
    await wire.last.reply(value);
    await promise;
  };
  return { wire, controller, logouts, read, login, refuse, answer };
}

Deno.test("a 401 of a read empties the store by default, and the caller still gets the error", async () => {
  const { controller, wire } = start({ onLogout: undefined! });
  const get = new Endpoint(wire.fn("get"), { name: "get", schema: Note });
  controller.set(Note, { id: "1" }, { text: "secret" });
  const answer = controller.fetch(get);
  const error = refused();
  await wire.last.fail(error);
  assertEquals(await answer.catch((reason) => reason), error);
  assertEquals(controller.get(Note, "1"), undefined);
  controller.cleanup();
});

Deno.test("13.B6 a 401 of a mutation counts only where that is said, other statuses and other errors do not", async () => {
  const { controller, wire, logouts, read, login, refuse } = start();
  const get = read("get");
  for (const status of [400, 403, 404, 500]) await refuse(get, status);
  for (const thrown of [null, undefined, "401", 401, new Error("401")]) {
    const answer = controller.fetch(get).catch(() => {});
    await wire.last.fail(thrown);
    await answer;
  }
  assertEquals(logouts.length, 0);
  const mutation = controller.fetch(login);
  await wire.last.fail(refused());
  await assertRejects(() => mutation, Error, "401");
  assertEquals(logouts.length, 0, "it may be the login form's own");

  const told = start({
    isLogout: (error, { endpoint, args, key }) =>
      (error as { status: number }).status === 401 && endpoint.name !== "login" && args.length === 0 &&
      key === endpoint.key(),
  });
  const rename = new Endpoint(told.wire.fn("rename"), { name: "rename", sideEffect: true });
  for (const [endpoint, expected] of [[told.login, 0], [rename, 1]] as const) {
    const answer = told.controller.fetch(endpoint);
    await told.wire.last.fail(refused());
    await assertRejects(() => answer, Error, "401");
    assertEquals(told.logouts.length, expected);
  }
});

/** Two servers that answer what the test says. */
function twoOrigins(options: LogoutManagerOptions = {}) {
  const status = { own: 200, other: 200 };
  const serve = (which: "own" | "other") =>
    Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request) => Response.json({ id: "1", text: which }, { status: request.method === "POST" ? 401 : status[which] }),
    );
  const servers = { own: serve("own"), other: serve("other") };
  const origins = {
    own: `http://127.0.0.1:${servers.own.addr.port}`,
    other: `http://127.0.0.1:${servers.other.addr.port}`,
  };
  let logouts = 0;
  const onLogout = (controller: Controller) => {
    logouts++;
    controller.resetEntireStore();
  };
  const controller = new Controller({ managers: [new LogoutManager({ onLogout, ...options })] });
  const notes = resource({ urlPrefix: origins.own, path: "/notes/:id", schema: Note });
  const weather = new RestEndpoint({ urlPrefix: origins.other, path: "/weather" });
  const login = new RestEndpoint({ urlPrefix: origins.own, path: "/login", method: "POST" });
  return {
    status,
    origins,
    controller,
    notes,
    weather,
    login,
    text: () => controller.get(Note, "1")?.text,
    get logouts() {
      return logouts;
    },
    [Symbol.asyncDispose]: async () => {
      controller.cleanup();
      await Promise.all([servers.own.shutdown(), servers.other.shutdown()]);
    },
  };
}

Deno.test("13.B6 the 401 of a login form leaves the store as it is, the next one of a read empties it", async () => {
  await using app = twoOrigins();
  await app.controller.fetch(app.notes.get, { id: "1" });
  await assertRejects(() => app.controller.fetch(app.login, { password: "wrong" }), NetworkError, "401");
  assertEquals([app.text(), app.logouts], ["own", 0]);
  app.status.own = 401;
  await assertRejects(() => app.controller.fetch(app.notes.get, { id: "1" }), NetworkError, "401");
  assertEquals([app.text(), app.logouts], [undefined, 1]);
});

Deno.test("13.B6 a 401 of an origin that has brought nothing is no logout, that of one that has is", async () => {
  await using app = twoOrigins();
  await app.controller.fetch(app.notes.get, { id: "1" });
  app.status.other = 401;
  await assertRejects(() => app.controller.fetch(app.weather), NetworkError, "401");
  assertEquals([app.text(), app.logouts], ["own", 0]);
  app.status.own = 401;
  await assertRejects(() => app.controller.fetch(app.notes.getList), NetworkError, "401");
  assertEquals([app.text(), app.logouts], [undefined, 1]);
});

Deno.test("13.B6 what an origin has brought by mutations, or with a state from elsewhere, is emptied by its 401, too", async () => {
  for (const how of ["mutation", "state"] as const) {
    await using app = twoOrigins();
    await app.controller.fetch(app.weather);
    if (how === "mutation") await app.controller.fetch(app.notes.update, { id: "1" }, { id: "1", text: "own" });
    else {
      const elsewhere = new Controller();
      await elsewhere.fetch(app.notes.get, { id: "1" });
      hydrate(app.controller, JSON.parse(JSON.stringify(stateOf(elsewhere))));
    }
    assertEquals([app.text(), app.logouts], ["own", 0], how);
    app.status.own = 401;
    await assertRejects(() => app.controller.fetch(app.notes.get, { id: "2" }), NetworkError, "401");
    assertEquals([app.text(), app.logouts], [undefined, 1], how);
  }
});

Deno.test("13.B6 the first answer of all may be a 401, and is a logout: nobody is logged in", async () => {
  await using app = twoOrigins();
  app.status.own = 401;
  await assertRejects(() => app.controller.fetch(app.notes.get, { id: "1" }), NetworkError, "401");
  assertEquals(app.logouts, 1);
});

Deno.test("13.B6 where it is said at which origin somebody is logged in, no other counts, whatever it has brought", async () => {
  const origins: string[] = [];
  await using app = twoOrigins({ origins });
  origins.push(app.origins.own);
  await app.controller.fetch(app.notes.get, { id: "1" });
  await app.controller.fetch(app.weather);
  app.status.other = 401;
  await assertRejects(() => app.controller.fetch(app.weather), NetworkError, "401");
  assertEquals([app.text(), app.logouts], ["own", 0]);
  app.status.own = 401;
  await assertRejects(() => app.controller.fetch(app.notes.get, { id: "1" }), NetworkError, "401");
  assertEquals([app.text(), app.logouts], [undefined, 1]);
});

Deno.test("what counts as a logout can be said", async () => {
  const { logouts, read, refuse } = start({ isLogout: (error) => (error as { status: number }).status === 419 });
  await refuse(read("get"), 401);
  assertEquals(logouts.length, 0);
  await refuse(read("get"), 419);
  assertEquals(logouts.length, 1);
});

Deno.test("requests that were on their way together are one logout, also where the handler resets nothing", async () => {
  for (const resets of [true, false]) {
    const seen: unknown[] = [];
    const { controller, wire, read, answer } = start({
      onLogout: (controller, error) => {
        seen.push(error);
        if (resets) controller.resetEntireStore();
      },
    });
    const reads = ["a", "b", "c"].map(read);
    for (const each of reads) await answer(each, { id: each.name });
    const answers = reads.map((each) => controller.fetch(each).catch((error) => error));
    const calls = wire.calls.slice(-3);
    for (const call of calls) await call.fail(refused());
    const errors = await Promise.all(answers);
    assertEquals(seen.length, 1, String(resets));
    assertEquals(errors.map((error) => error instanceof OvertakenError), [false, resets, resets]);
  }
});

Deno.test("a page whose reads are refused again after the reset does not reset for ever", async () => {
  const { logouts, read, refuse, answer } = start();
  const [notes, profile, news] = [read("notes"), read("profile"), read("news")];
  await refuse(notes);
  for (let round = 0; round < 5; round++) {
    await refuse(notes);
    await refuse(profile);
    await answer(news, { id: "public" });
  }
  assertEquals(logouts.length, 1);
});

Deno.test("after somebody has logged in again a 401 is another logout, whatever told of the login", async () => {
  for (const sign of ["mutation", "refused read", "same read"] as const) {
    const { logouts, read, login, refuse, answer } = start();
    const [notes, profile] = [read("notes"), read("profile")];
    await refuse(notes);
    await refuse(profile);
    assertEquals(logouts.length, 1);
    if (sign === "mutation") await answer(login, { token: "new" });
    else if (sign === "refused read") await answer(profile, { id: "me" });
    else await answer(notes, { id: "1" });
    await refuse(notes);
    assertEquals(logouts.length, 2, sign);
  }
});

Deno.test("a 401 of what was asked for before a login does not log out who has logged in since", async () => {
  const { controller, wire, logouts, read, login, refuse, answer } = start();
  await refuse(read("first"));
  const slow = controller.fetch(read("slow")).catch((error) => error);
  const call = wire.last;
  await answer(login, {});
  await call.fail(refused());
  assertEquals([(await slow).status, logouts.length], [401, 1]);
  await refuse(read("slow"));
  assertEquals(logouts.length, 2);
});

Deno.test("after a login that nothing here has seen, a 401 of what was answered since is another logout", async () => {
  const { logouts, read, refuse, answer } = start();
  await refuse(read("notes"));
  await answer(read("profile"), { id: "me" });
  await refuse(read("profile"));
  assertEquals(logouts.length, 2);
});

Deno.test("a login that is refused does not empty the store again and again", async () => {
  const { controller, wire, logouts, read, login, refuse } = start();
  await refuse(read("notes"));
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = controller.fetch(login).catch(() => {});
    await wire.last.fail(refused());
    await answer;
  }
  assertEquals(logouts.length, 1);
});

Deno.test("a handler that throws or rejects is reported, and the caller gets the server's error", async () => {
  for (
    const onLogout of [() => Promise.reject(new Error("no page")), () => {
      throw new Error("no page");
    }]
  ) {
    const { read, refuse } = start({ onLogout });
    let thrown: unknown;
    const errors = await uncaught(async () => {
      thrown = await refuse(read("get"));
      await flush();
    });
    assertEquals([String(thrown), errors.map(String)], ["Error: 401", ["Error: no page"]]);
  }
});

Deno.test("an isLogout that throws is reported, and is no logout", async () => {
  const { read, refuse, logouts } = start({
    isLogout: () => {
      throw new Error("no status");
    },
  });
  const errors = await uncaught(() => refuse(read("get")));
  assertEquals([errors.map(String), logouts], [["Error: no status"], []]);
});
