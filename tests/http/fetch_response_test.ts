import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { NetworkError } from "../../src/errors/network_error.ts";
import { TimeoutError } from "../../src/errors/timeout_error.ts";
import { fetchResponse } from "../../src/http/fetch_response.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

const url = "https://api.example.com/articles";

/** Replaces the global fetch by whatever a test or a library may put there. */
const replaceFetch = (fetch: (...args: unknown[]) => unknown): Disposable => replaceGlobals({ fetch });

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const thrown: readonly (readonly [string, unknown])[] = [
  ["a TypeError", new TypeError("network down")],
  ["a frozen Error", Object.freeze(new Error("frozen"))],
  ["a DOMException", new DOMException("not allowed", "NotAllowedError")],
  ["null", null],
  ["undefined", undefined],
  ["a string", "offline"],
  ["a number", 42],
  ["an object without prototype", Object.create(null)],
  ["a revoked Proxy", revoked.proxy],
];

for (const [name, value] of thrown) {
  for (const way of ["rejects with", "throws"]) {
    Deno.test(`fetchResponse rejects with NetworkError that holds the cause when fetch ${way} ${name}`, async () => {
      using _ = replaceFetch(() => {
        if (way === "rejects with") return Promise.reject(value);
        throw value;
      });
      const error = await assertRejects(() => fetchResponse(url, { method: "POST" }), NetworkError);
      assert(error.cause === value && Object.hasOwn(error, "cause"));
      assertEquals([error.status, error.method, error.url], [undefined, "POST", url]);
    });
  }
}

for (const error of [new DOMException("aborted", "AbortError"), new TimeoutError("GET", url, 1)]) {
  Deno.test(`fetchResponse passes on ${error.name} untouched`, async () => {
    using _ = replaceFetch(() => Promise.reject(error));
    assertStrictEquals(await fetchResponse(url, {}).catch((reason) => reason), error);
  });
}

Deno.test("fetchResponse rejects with the reason of the signal, whatever fetch says to an abort", async () => {
  const signal = AbortSignal.abort("left");
  using _ = replaceFetch(() => Promise.reject(new TypeError("load failed")));
  assertEquals(await fetchResponse(url, { signal }).catch((reason) => reason), "left");
});

Deno.test("fetchResponse gives an ok answer with its body not read", async () => {
  using _ = replaceFetch(() => Promise.resolve(new Response("text", { status: 201 })));
  const response = await fetchResponse(url, {});
  assertEquals([response.status, response.bodyUsed, await response.text()], [201, false, "text"]);
});

Deno.test("fetchResponse gives fetch an init without prototype", async () => {
  let given: unknown;
  using _ = replaceFetch((_url, init) => {
    given = init;
    return Promise.resolve(new Response());
  });
  await fetchResponse(url, { method: "PUT" });
  assertEquals([Object.getPrototypeOf(given), (given as RequestInit).method], [null, "PUT"]);
});

const bodies: readonly (readonly [string, BodyInit | null, string | undefined, unknown])[] = [
  ["JSON", '{"a":1}', "application/json", { a: 1 }],
  ["problem+json", '{"a":1}', "application/problem+json; charset=utf-8", { a: 1 }],
  ["JSON after a byte order mark", '\ufeff{"a":1}', "application/json", { a: 1 }],
  ["the JSON value null", "null", "application/json", null],
  ["JSON without a content type", new TextEncoder().encode('{"a":1}'), undefined, { a: 1 }],
  ["HTML labelled JSON", "<p>", "application/json", "<p>"],
  ["text", "no", "text/plain", "no"],
  ["text without a content type", new TextEncoder().encode("no"), undefined, "no"],
  ["nothing", null, undefined, undefined],
  ["nothing, labelled JSON", "", "application/json", undefined],
];

for (const [name, body, type, expected] of bodies) {
  Deno.test(`fetchResponse reads the body of a refusal once, and leaves it to be read, when it is ${name}`, async () => {
    const headers = type === undefined ? {} : { "content-type": type };
    using _ = replaceFetch(() => Promise.resolve(new Response(body, { status: 400, headers })));
    const error = await assertRejects(() => fetchResponse(url, {}), NetworkError);
    assertEquals([error.status, error.body], [400, expected]);
    const whole = new Uint8Array(await new Response(body).arrayBuffer());
    assertEquals(new Uint8Array(await error.response!.arrayBuffer()), whole);
  });
}

Deno.test("fetchResponse keeps the status of a refusal whose body breaks", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("cut")) });
  using _ = replaceFetch(() => Promise.resolve(new Response(body, { status: 503 })));
  const error = await assertRejects(() => fetchResponse(url, {}), NetworkError);
  assertEquals([error.status, error.body], [503, undefined]);
});

Deno.test("fetchResponse leaves no connection open for a refusal, whatever its body is", async () => {
  for (const type of ["image/png", "text/html", "application/json"]) {
    const api = new FaultFetch(() => new Response("x", { status: 400, headers: { "content-type": type } }));
    using _ = api.install();
    const { signal } = new AbortController();
    await assertRejects(() => fetchResponse(url, { signal }), NetworkError);
    assertEquals([api.openBodies, api.listeners], [0, 0]);
  }
});

for (const type of ["", "application/json", "text/plain"]) {
  Deno.test(`13.B5 a refusal lets go of a body of type "${type}" that is longer than a message`, async () => {
    let sent = 0;
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const size = Number(new URL(request.url).search.slice(1));
      let left = size;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (left === 0) return controller.close();
          const length = Math.min(left, 65_536);
          left -= length;
          sent += length;
          controller.enqueue(new Uint8Array(length).fill(0x61));
        },
      });
      return new Response(body, { status: 500, headers: type === "" ? {} : { "content-type": type } });
    });
    const at = (size: number) => `http://127.0.0.1:${server.addr.port}/?${size}`;
    const short = await assertRejects(() => fetchResponse(at(900_000), {}), NetworkError);
    assertEquals([short.body, await short.response!.text()], ["a".repeat(900_000), "a".repeat(900_000)]);
    sent = 0;
    const long = await assertRejects(() => fetchResponse(at(100_000_000), {}), NetworkError);
    assertEquals([long.status, long.body], [500, undefined]);
    assert(sent < 50_000_000, `${sent} bytes`);
  });
}

for (
  const type of ["image/png", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/zip"]
) {
  Deno.test(`13.B5 a refusal lets go of a body of type ${type}, whatever its size`, async () => {
    let isCancelled = false;
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        // It would have no end.
        if (pulled++ < 1_000) controller.enqueue(new Uint8Array(65_536));
        else controller.close();
      },
      cancel: () => void (isCancelled = true),
    });
    const headers = { "content-type": type, "x-reason": "none" };
    using _ = replaceFetch(() => Promise.resolve(new Response(body, { status: 500, headers })));
    const error = await assertRejects(() => fetchResponse(url, {}), NetworkError);
    assertEquals([error.status, error.body, error.headers?.get("x-reason")], [500, undefined, "none"]);
    assertEquals(isCancelled, true);
    assert(pulled < 10);
  });
}
