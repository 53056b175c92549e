import { assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import { NetworkError } from "../../src/errors/network_error.ts";
import { readAs } from "../support/request.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../src/errors/timeout_error.ts";

const line = { method: "GET", url: "https://api.example.com/articles" };
const failing = (error: unknown): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(error) }), { headers: { "x-a": "b" } });

Deno.test("a body is parsed as JSON of every kind, also after a byte order mark", async () => {
  for (const value of [{ a: [1] }, [], null, false, 0, "", "text"]) {
    assertEquals(await readAs(Response.json(value), "json", line), value);
    assertEquals(await readAs(new Response(`\ufeff${JSON.stringify(value)}`), "json", line), value);
  }
});

Deno.test("parseJson makes no prototype of a member __proto__", async () => {
  const body = await readAs(new Response('{"__proto__":{"polluted":true}}'), "json", line) as object;
  assertEquals([Object.getPrototypeOf(body), Object.keys(body)], [Object.prototype, ["__proto__"]]);
});

Deno.test("parseJson rejects with ParseError and shows what came when it is not JSON", async () => {
  for (const text of ["", "{", "<html>", "undefined", '{"a":1}}', "\u0000"]) {
    const response = new Response(text, { status: 203, headers: { "content-type": "application/json" } });
    const error = await assertRejects(() => readAs(response, "json", line), ParseError);
    assertEquals([error.received, error.expected, error.status, error.url], [text, "JSON", 203, line.url]);
    assertInstanceOf(error.cause, SyntaxError);
  }
});

Deno.test("readBody gives text as it is, whatever it looks like", async () => {
  assertEquals(await readAs(new Response("{"), "text", line), "{");
  assertEquals(await readAs(new Response("\ufeffa\ufeff"), "text", line), "a\ufeff");
  assertEquals(await readAs(new Response(null, { status: 204 }), "text", line), "");
});

Deno.test("readBody rejects with NetworkError when the connection breaks, in every way of reading", async () => {
  for (const kind of ["json", "text", "blob", "arrayBuffer"] as const) {
    const cause = new TypeError("connection reset");
    const error = await assertRejects(() => readAs(failing(cause), kind, line), NetworkError);
    assertStrictEquals(error.cause, cause);
    assertEquals([error.status, error.headers?.get("x-a")], [undefined, "b"]);
    assertEquals(error.message, `GET ${line.url} failed: connection reset`);
  }
});

Deno.test("readBody passes on aborts and errors of this library untouched", async () => {
  for (const error of [new DOMException("aborted", "AbortError"), new TimeoutError("GET", line.url, 5)]) {
    assertStrictEquals(await readAs(failing(error), "text", line).catch((reason) => reason), error);
  }
});

Deno.test("readBody rejects with NetworkError when the body was read before", async () => {
  const response = new Response("x");
  await response.text();
  await assertRejects(() => readAs(response, "text", line), NetworkError, `GET ${line.url} failed: `);
});
