import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { inspect } from "node:util";
import { ConflictError } from "../../src/errors/conflict_error.ts";
import { NetworkError } from "../../src/errors/network_error.ts";
import { RejoinError } from "../../src/errors/rejoin_error.ts";

const request = { method: "GET", url: "https://api.example.com/articles/5" };

Deno.test("NetworkError says method, URL, status and the server's words", () => {
  const error = new NetworkError({ ...request, status: 404, statusText: "Not Found" });
  assertEquals(error.message, "GET https://api.example.com/articles/5 failed: 404 Not Found");
  assertEquals([error.name, error.status, error.method, error.url], ["NetworkError", 404, "GET", request.url]);
  assert(RejoinError.is(error));
});

Deno.test("NetworkError does without the server's words, which HTTP/2 does not have", () => {
  assertEquals(new NetworkError({ ...request, status: 503, statusText: "" }).message, `GET ${request.url} failed: 503`);
});

Deno.test("NetworkError takes status, words and headers of a Response", () => {
  const response = new Response(null, { status: 418, statusText: "Teapot", headers: { "x-pot": "tea" } });
  const { status, statusText, headers } = response;
  const error = new NetworkError({ ...request, status, statusText, headers, response, body: { detail: "no" } });
  assertEquals(error.message, `GET ${request.url} failed: 418 Teapot`);
  assertEquals([error.headers?.get("x-pot"), error.body], ["tea", { detail: "no" }]);
  assertStrictEquals(error.response, response);
});

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const causes: readonly (readonly [string, unknown, string])[] = [
  ["an Error", new TypeError("connection refused"), "connection refused"],
  ["an Error without words", new Error(""), "no answer (Error)"],
  ["a frozen Error", Object.freeze(new Error("frozen")), "frozen"],
  ["a DOMException", new DOMException("too many", "QuotaExceededError"), "too many"],
  ["null", null, "no answer (null)"],
  ["undefined", undefined, "no answer"],
  ["a string", "offline", "no answer (offline)"],
  ["a number", 0, "no answer (0)"],
  ["a symbol", Symbol("off"), "no answer (Symbol(off))"],
  ["a thenable", { then() {} }, "no answer ([object Object])"],
  ["an object without a prototype", Object.create(null), "no answer"],
  ["a revoked Proxy", revoked.proxy, "no answer"],
];

for (const [name, cause, reason] of causes) {
  Deno.test(`NetworkError keeps its cause and has no status when the cause is ${name}`, () => {
    const error = new NetworkError({ ...request, cause });
    assertEquals(error.message, `GET ${request.url} failed: ${reason}`);
    assert(error.cause === cause && Object.hasOwn(error, "cause"));
    assertEquals(error.status, undefined);
  });
}

Deno.test("NetworkError has no cause of its own when none is given", () => {
  assert(!Object.hasOwn(new NetworkError({ ...request, status: 500 }), "cause"));
});

Deno.test("NetworkError.toJSON leaves out headers, body and response, which may hold secrets", () => {
  const headers = new Headers({ "set-cookie": "session=secret" });
  const response = new Response(null, { status: 500, headers });
  const error = new NetworkError({ ...request, status: 500, headers, response, body: { detail: "no" } });
  assertEquals(JSON.parse(JSON.stringify(error)), {
    name: "NetworkError",
    message: `GET ${request.url} failed: 500`,
    method: "GET",
    url: request.url,
    status: 500,
  });
  assertEquals(error.body, { detail: "no" });
});

Deno.test("NetworkError says what is wrong beyond the status", () => {
  const error = new NetworkError({ ...request, status: 302, statusText: "Found", problem: "its Location is no URL" });
  assertEquals(error.message, `GET ${request.url} failed: 302 Found: its Location is no URL`);
});

Deno.test("13.B5 a console that prints a NetworkError prints neither its headers nor its answer, nor data", () => {
  const headers = new Headers({ "set-cookie": "session=s3cret", "x-token": "s3cret" });
  const response = new Response(null, { status: 500, headers });
  const details = {
    method: "GET",
    url: "https://api.example.com/",
    status: 500,
    headers,
    response,
    body: { input: "s3cret" },
  };
  const data = { mine: { token: "s3cret" }, theirs: { token: "s3cret" } };
  for (const error of [new NetworkError(details), new ConflictError({ ...details, ...data })]) {
    for (const each of [error, new Error("outer", { cause: error })]) {
      for (const printed of [Deno.inspect(each, { depth: 10 }), inspect(each, { depth: 10, showHidden: true })]) {
        assert(!printed.includes("s3cret"), printed);
      }
    }
    assertEquals(JSON.stringify([error, { ...error }]).includes("s3cret"), false);
    assertEquals(error.body, details.body);
    assertStrictEquals(error.response, response);
    assertStrictEquals(error.headers, headers);
  }
});
