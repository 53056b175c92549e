// U5 of the promises: what an app put into a request for one origin does not reach another. Real servers at two origins.
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import "../../src/dev/mod.ts";
import { NetworkError } from "../../src/errors/network_error.ts";
import { fetchResponse as fetchOnce } from "../../src/http/fetch_response.ts";
import { followByHand } from "../../src/http/redirect.ts";
import { readBody } from "../../src/http/read_body.ts";
import { showsRedirects } from "../../src/http/platform.ts";
import { request as requestOnce, type RequestOptions } from "../support/request.ts";
import { FakeClock } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { type FaultServer, type Logged, startFaultServer } from "../support/fault_server.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

const STATUSES = [301, 302, 303, 307, 308];
const SECRETS = {
  "Authorization": "Bearer secret",
  "Cookie": "session=secret",
  "X-API-Key": "secret",
  "Access-Token": "secret",
  "Proxy-Authorization": "Basic secret",
  "X-CSRF-Token": "secret",
};

/** What the step `followRedirects()` does. */
const followed = (init: RequestInit) => ({ ...init, follow: followByHand });
const fetchResponse = (url: string, init: RequestInit) => fetchOnce(url, followed(init));
const request = <T>(url: string, init: RequestInit, options: RequestOptions<T>) =>
  requestOnce(url, followed(init), options);

/** Asks, and gives what arrived at the end of all redirects. */
async function arrived(url: string, init: RequestInit = {}): Promise<Logged> {
  return await (await fetchResponse(url, init)).json();
}

function rejected(url: string, init: RequestInit = {}): Promise<NetworkError> {
  return assertRejects(() => fetchResponse(url, init), NetworkError);
}

/** The way of a request through the two origins. */
function way(server: FaultServer): string[] {
  return server.requests.map(({ method, origin, path }) =>
    `${method} ${origin === server.origin ? "here" : "there"} ${path.split("?")[0]}`
  );
}

Deno.test("fetchResponse shows another origin none of the headers that an app set, whatever the status", async () => {
  await using server = await startFaultServer();
  let leaks = 0;
  for (const status of STATUSES) {
    for (const [name, value] of Object.entries(SECRETS)) {
      for (const method of ["GET", "POST"]) {
        server.clear();
        const init = { method, headers: { [name]: value, accept: "application/json", "accept-language": "en" } };
        const there = await arrived(`${server.origin}/redirect?status=${status}&to=other`, init);
        assertEquals(there.origin, server.otherOrigin);
        assertEquals([there.headers.accept, there.headers["accept-language"]], ["application/json", "en"]);
        if (JSON.stringify(there.headers).includes("secret")) leaks++;
        const [first] = server.requests;
        assertEquals(first!.headers[name.toLowerCase()], value, `the first origin gets its ${name}`);
        const here = await arrived(`${server.origin}/redirect?status=${status}&to=same`, init);
        assertEquals(here.headers[name.toLowerCase()], value, `the same origin gets its ${name} again`);
      }
    }
  }
  assertEquals(leaks, 0);
});

Deno.test("fetchResponse takes another port, scheme or host for another origin", async () => {
  const seen: string[] = [];
  const targets = ["https://a.example", "http://a.example:8080", "http://b.example", "http://a.example.b.example"];
  using _ = new FaultFetch((got) => {
    const { origin, pathname } = new URL(got.url);
    if (got.headers.has("x-api-key") && origin !== "http://a.example") seen.push(origin);
    const location = `${targets[Number(pathname.slice(1))]}/end`;
    return pathname === "/end" ? new Response() : new Response(null, { status: 307, headers: { location } });
  }).install();
  for (const at of targets.keys()) await fetchResponse(`http://a.example/${at}`, { headers: { "x-api-key": "k" } });
  assertEquals(seen, []);
});

Deno.test("fetchResponse does not bring headers back when a redirect returns to the first origin", async () => {
  await using server = await startFaultServer();
  const back = encodeURIComponent(`/redirect?to=other`);
  const last = await arrived(`${server.origin}/redirect?to=other&path=${back}`, { headers: SECRETS });
  assertEquals(way(server), ["GET here /redirect", "GET there /redirect", "GET here /echo"]);
  assert(!JSON.stringify(last.headers).includes("secret"));
});

Deno.test("fetchResponse leaves credentials out of what another origin is sent, and only there", async () => {
  const sent: unknown[] = [];
  using _ = new FaultFetch((got) => {
    const { pathname, host } = new URL(got.url);
    sent.push([host, got.credentials]);
    if (pathname === "/end") return new Response();
    const location = pathname === "/here" ? "/there" : "https://b.example/end";
    return new Response(null, { status: 302, headers: { location } });
  }).install();
  await fetchResponse("https://a.example/here", { credentials: "include" });
  assertEquals(sent, [["a.example", "include"], ["a.example", "include"], ["b.example", "omit"]]);
});

// What the Fetch standard makes of a method, and whether the body stays.
const methods: readonly (readonly [string, number, string])[] = [
  ...STATUSES.flatMap((status) => ["GET", "HEAD"].map((method) => [method, status, method] as const)),
  ...[301, 302, 303].map((status) => ["POST", status, "GET"] as const),
  ...[307, 308].map((status) => ["POST", status, "POST"] as const),
  ...["PUT", "PATCH", "DELETE"].flatMap((method) => [
    [method, 303, "GET"] as const,
    ...[301, 302, 307, 308].map((status) => [method, status, method] as const),
  ]),
];

for (const [method, status, then] of methods) {
  Deno.test(`fetchResponse sends ${then} after a ${method} that is answered with ${status}`, async () => {
    await using server = await startFaultServer();
    const body = method === "GET" || method === "HEAD" ? null : '{"title":"New"}';
    const headers = { "content-type": "application/json", "content-language": "en", "x-api-key": "k" };
    await (await fetchResponse(`${server.origin}/redirect?status=${status}`, { method, body, headers })).body?.cancel();
    const { method: sent, body: got, headers: had } = server.requests[1]!;
    const isKept = then === method;
    assertEquals([sent, got], [then, isKept ? body ?? "" : ""]);
    const described = isKept ? ["application/json", "en"] : [undefined, undefined];
    assertEquals([had["content-type"], had["content-language"], had["x-api-key"]], [...described, "k"]);
    assertEquals(had["content-length"] ?? "0", String(got.length));
  });
}

Deno.test("fetchResponse takes body, its description and idempotency key to another origin", async () => {
  await using server = await startFaultServer();
  const headers = { "content-type": "application/json", "idempotency-key": "order 7", "x-api-key": "secret" };
  const init = { method: "POST", body: '{"a":1}', headers };
  const there = await arrived(`${server.origin}/redirect?status=307&to=other`, init);
  assertEquals([there.method, there.body], ["POST", '{"a":1}']);
  const { "content-type": type, "idempotency-key": key, "x-api-key": secret } = there.headers;
  assertEquals([type, key, secret], ["application/json", "order 7", undefined]);
});

Deno.test("fetchResponse sends every kind of body again but a stream", async () => {
  await using server = await startFaultServer();
  const form = new FormData();
  form.set("title", "New");
  const bodies: readonly (readonly [BodyInit, RegExp])[] = [
    [new URLSearchParams({ a: "1" }), /^a=1$/],
    [new Blob(["blob"]), /^blob$/],
    [form, /name="title"\r\n\r\nNew/],
    [new Uint8Array([97, 98]), /^ab$/],
  ];
  for (const [body, expected] of bodies) {
    const got = await arrived(`${server.origin}/redirect?status=308`, { method: "PUT", body });
    assert(expected.test(got.body), got.body);
  }
});

Deno.test("fetchResponse says that a stream cannot be sent again, and what to do", async () => {
  await using server = await startFaultServer();
  const stream = (): RequestInit => ({ method: "POST", body: new Blob(["stream"]).stream(), duplex: "half" } as object);
  for (const status of [307, 308]) {
    server.clear();
    const url = `${server.origin}/redirect?status=${status}`;
    const error = await rejected(url, stream());
    assertEquals([error.status, error.url, server.requests.length], [status, url, 1]);
    assert(error.message.includes(`: it leads to ${server.origin}/echo, and the body is a stream`), error.message);
    assert(error.message.endsWith("send a Blob, or give the endpoint the URL that it leads to"), error.message);
  }
  // A GET has no body that would have to be sent again.
  for (const status of [301, 302, 303]) {
    assertEquals((await arrived(`${server.origin}/redirect?status=${status}`, stream())).method, "GET");
  }
});

Deno.test("fetchResponse follows a relative Location, one with letters that are not ASCII, and keeps the fragment", async () => {
  await using server = await startFaultServer({ fallback: (got) => Response.json(new URL(got.url).pathname) });
  const locations: readonly (readonly [string, string])[] = [
    ["/films/5", "/films/5"],
    ["films/5", "/films/5"],
    [`//${new URL(server.otherOrigin).host}/there`, "/there"],
    ["/caf%C3%A9", "/caf%C3%A9"],
    // As bytes of UTF-8, of which each is one character of a header.
    ["/caf\u00c3\u00a9", "/caf%C3%A9"],
  ];
  for (const [location, path] of locations) {
    const url = `${server.origin}/redirect?location=${encodeURIComponent(location)}#part`;
    const response = await fetchResponse(url, {});
    assertEquals([await response.json(), new URL(response.url).pathname], [path, path], location);
  }
  using _ = new FaultFetch((got) => {
    const { hash, pathname } = new URL(got.url);
    return pathname === "/end"
      ? new Response(hash)
      : new Response(null, { status: 302, headers: { location: "/end" } });
  }).install();
  assertEquals(await (await fetchResponse("https://a.example/#part", {})).text(), "#part");
});

const deadEnds: readonly (readonly [string, string])[] = [
  ["http://", 'its Location is no URL, "http://": correct it on the server'],
  ["http://a b/", 'its Location is no URL, "http://a b/"'],
  ["http://127.0.0.1:99999/", "its Location is no URL"],
  ["http://user:secret@127.0.0.1:99999/", 'its Location is no URL, "http://…@127.0.0.1:99999/": correct it'],
  ["ftp://files.example/5", "its Location is neither http nor https, but ftp: correct it on the server"],
  ["javascript:alert(1)", "its Location is neither http nor https, but javascript:"],
  ["data:application/json,{}", "its Location is neither http nor https, but data:"],
  ["file:///etc/passwd", "its Location is neither http nor https, but file:"],
  ["http://user:secret@127.0.0.1:1/", "its Location holds credentials, for 127.0.0.1:1: send them as a header"],
  ["//user@127.0.0.1:1/", "its Location holds credentials"],
];

for (const [location, problem] of deadEnds) {
  Deno.test(`fetchResponse does not follow a redirect to ${location}, and says why`, async () => {
    await using server = await startFaultServer();
    const url = `${server.origin}/redirect?location=${encodeURIComponent(location)}`;
    const error = await rejected(url);
    assert(error.message.startsWith(`GET ${url} failed: 302 Found: ${problem}`), error.message);
    assert(!error.message.slice(url.length + 10).includes("secret"));
    assertEquals([error.status, error.headers?.get("location"), server.requests.length], [302, location, 1]);
    assertEquals(await error.response?.text(), error.body);
    await server.settled();
  });
}

Deno.test("fetchResponse takes a redirect without Location for the answer", async () => {
  await using server = await startFaultServer();
  for (const status of [...STATUSES, 300, 304, 305]) {
    const error = await rejected(`${server.origin}/redirect?location=&status=${status}`);
    assertEquals([error.status, error.message.includes("Location")], [status, false]);
  }
});

Deno.test("fetchResponse takes only the five statuses for redirects", async () => {
  await using server = await startFaultServer();
  for (const status of [300, 304, 305, 306]) {
    assertEquals((await rejected(`${server.origin}/redirect?status=${status}`)).status, status);
  }
  assertEquals(server.requests.length, 4);
  // 201 has a Location, too: that of what was made.
  const made = await fetchResponse(`${server.origin}/redirect?status=201`, { method: "POST" });
  assertEquals([made.status, made.redirected], [201, false]);
  await made.body?.cancel();
});

Deno.test("fetchResponse follows twenty redirects and no more", async () => {
  await using server = await startFaultServer();
  assertEquals((await arrived(`${server.origin}/redirect?count=20`)).path, "/echo");
  server.clear();
  const error = await rejected(`${server.origin}/redirect?count=21`);
  assert(
    error.message.endsWith(
      "302 Found: it is redirect number 21, so the server probably redirects in a loop: end it there",
    ),
    error.message,
  );
  assertEquals(server.requests.length, 21);
  await error.response?.body?.cancel();
  await server.settled();
});

Deno.test("fetchResponse gives an answer that says where it is from, and whether it was redirected", async () => {
  await using server = await startFaultServer();
  for (const [path, redirected] of [["/redirect?count=2", true], ["/echo", false]] as const) {
    const response = await fetchResponse(server.origin + path, {});
    assertEquals([response.url, response.redirected], [`${server.origin}/echo`, redirected]);
    await response.body?.cancel();
  }
});

Deno.test("fetchResponse refuses what a redirect ends at as any other answer", async () => {
  await using server = await startFaultServer();
  const url = `${server.origin}/redirect?to=other&path=/problem`;
  const error = await rejected(url);
  assertEquals([error.status, error.url], [422, url]);
  assertEquals([error.response?.url, error.response?.redirected], [`${server.otherOrigin}/problem`, true]);
});

Deno.test("fetchResponse respects redirect: manual and error, and takes follow for the default", async () => {
  await using server = await startFaultServer();
  const url = `${server.origin}/redirect?to=other`;
  const manual = await rejected(url, { redirect: "manual" });
  assertEquals([manual.status, manual.headers?.get("location")], [302, `${server.otherOrigin}/echo`]);
  const refused = await rejected(url, { redirect: "error" });
  assertEquals(refused.status, undefined);
  assertEquals(server.requests.length, 2, "neither of them was followed");
  const there = await arrived(url, { redirect: "follow", headers: SECRETS });
  assertEquals([there.origin, JSON.stringify(there.headers).includes("secret")], [server.otherOrigin, false]);
});

Deno.test("fetchResponse does not change the init that it was given", async () => {
  await using server = await startFaultServer();
  const headers = new Headers(SECRETS);
  const init = Object.freeze({ method: "POST", body: "x", headers });
  await arrived(`${server.origin}/redirect?to=other&status=303`, init);
  assertEquals([...headers].length, Object.keys(SECRETS).length);
});

Deno.test("showsRedirects is true on a server runtime, and not deceived by Object.prototype", () => {
  const polluted = Object.prototype as Record<string, unknown>;
  try {
    Object.assign(polluted, { method: "POST", body: "evil", headers: {} });
    assertEquals(showsRedirects(), true);
  } finally {
    for (const name of ["method", "body", "headers"]) delete polluted[name];
  }
});

/** A platform as browsers are: scripts set no cookies, and redirects are hidden. */
function asBrowser(guarded: boolean, fetch: (url: string, init: RequestInit) => Promise<Response>): Disposable {
  class GuardedRequest extends Request {
    constructor(url: string, init?: RequestInit) {
      super(url, init);
      this.headers.delete("cookie");
    }
  }
  return replaceGlobals({ fetch, ...(guarded && { Request: GuardedRequest }) });
}

const hidden = (): Response =>
  Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" }, status: { value: 0 } });

Deno.test("fetchResponse leaves redirects to a platform that hides them, with one request", async () => {
  const modes: unknown[] = [];
  using _ = asBrowser(true, (_url, { redirect }) => {
    modes.push(redirect);
    return Promise.resolve(new Response("followed"));
  });
  for (const method of ["GET", "POST"]) {
    assertEquals(await (await fetchResponse("https://api.example.com/", { method })).text(), "followed");
  }
  assertEquals(modes, [undefined, undefined]);
});

Deno.test("fetchResponse sends no POST again on a platform that shows cookies and hides redirects", async () => {
  const sent: string[] = [];
  using _ = asBrowser(false, (_url, { method = "GET", redirect }) => {
    sent.push(`${method} ${redirect}`);
    return Promise.resolve(redirect === "follow" ? new Response("followed") : hidden());
  });
  assertEquals(await (await fetchResponse("https://api.example.com/", {})).text(), "followed");
  const error = await rejected("https://api.example.com/", { method: "POST" });
  assert(error.message.includes("this platform does not say where"), error.message);
  assertEquals(sent, ["GET manual", "GET follow", "POST manual"]);
});

Deno.test("request bounds all redirects by its deadline, follows its signal on the way, and leaves nothing open", async () => {
  await using server = await startFaultServer();
  const url = `${server.origin}/redirect?to=other&path=/hang`;
  const text = (response: Response): Promise<string> => readBody(response, "text", { method: "GET", url });
  const clock = new FakeClock();
  using _ = clock.install();
  for (const end of ["deadline", "abort"]) {
    server.clear();
    const controller = new AbortController();
    const outcome = request(url, { signal: controller.signal }, { parseResponse: text }).catch((error) => error);
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    if (end === "abort") controller.abort("left");
    else await clock.tickAsync(30_000);
    const error = await outcome;
    if (end === "abort") assertStrictEquals(error, "left");
    else assertEquals(error.name, "TimeoutError");
    await server.settled();
    assertEquals(clock.pending, 0);
  }
});

Deno.test("request begins anew where it was asked when the end of a redirect refuses for now", async () => {
  await using server = await startFaultServer();
  const url = `${server.origin}/redirect?to=other&path=${encodeURIComponent("/flaky?retry-after=0&status=503")}`;
  const text = (response: Response): Promise<string> => readBody(response, "text", { method: "GET", url });
  const init = { headers: SECRETS };
  assertEquals(await request(url, init, { retry: 1, parseResponse: text }), '{"ok":true}');
  const once = ["GET here /redirect", "GET there /flaky"];
  assertEquals(way(server), [...once, ...once]);
  const [first, , second] = server.requests;
  assertEquals(first!.headers.authorization, second!.headers.authorization);
});
