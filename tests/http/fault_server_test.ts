// What the exchange makes of a real server, over real sockets. Deadlines pass on the fake clock: nothing here waits.
import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import { NetworkError } from "../../src/errors/network_error.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../mod.ts";
import { readAs, type ReadKinds, request } from "../support/request.ts";
import { FakeClock } from "../support/clock.ts";
import { type FaultServer, startFaultServer } from "../support/fault_server.ts";

function read<K extends keyof ReadKinds>(url: string, kind: K, init: RequestInit = {}): Promise<ReadKinds[K]> {
  const line = { method: init.method ?? "GET", url };
  // Waits and repetitions are for retry_test.ts.
  return request(url, init, { retry: false, parseResponse: (response) => readAs(response, kind, line) });
}

/** Gives the server until the request has arrived, on real sockets, before the fake clock goes on. */
async function arrived(server: FaultServer, count: number): Promise<void> {
  while (server.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("request settles every answer of a faulty server, and the next call works", async (t) => {
  await using server = await startFaultServer();
  const at = (path: string): string => server.origin + path;
  const works = async (): Promise<void> => assertEquals(await read(at("/json"), "json"), { ok: true });

  for (const path of ["/json", "/bom", "/no-type", "/json-as-text", "/delay?ms=1"]) {
    await t.step(`${path} is read as JSON`, async () => assertEquals(await read(at(path), "json"), { ok: true }));
  }
  await t.step("/drip is read as JSON", async () => {
    assertEquals(await read(at("/drip?ms=1&chunks=4"), "json"), [1, 2, 3, 4]);
  });
  await t.step("/text is read as text", async () => assertEquals(await read(at("/text"), "text"), "just text"));
  await t.step("/204 and /205 are read as empty text", async () => {
    assertEquals([await read(at("/204"), "text"), await read(at("/205"), "text")], ["", ""]);
  });
  await t.step("/binary is read as bytes and as a blob with its type", async () => {
    assertEquals([...new Uint8Array(await read(at("/binary"), "arrayBuffer"))], [0xff, 0xfe, 0x00, 0x80]);
    const blob = await read(at("/binary"), "blob");
    assertEquals([blob.size, blob.type], [4, "image/png"]);
  });

  const broken: readonly (readonly [string, string])[] = [
    ["/html", '(200, text/html; charset=utf-8): expected JSON, got "<!DOCTYPE html>\\n<title>Sign in</title>'],
    ["/html-as-json", '(200, application/json): expected JSON, got "<!DOCTYPE html>'],
    ["/truncated", "expected JSON, got 8 characters of JSON"],
    ["/empty", "expected JSON, got an empty body"],
    ["/text", '(200, text/plain): expected JSON, got "just text"'],
  ];
  for (const [path, message] of broken) {
    await t.step(`${path} is a ParseError where JSON is expected`, async () => {
      const error = await assertRejects(() => read(at(path), "json"), ParseError, message);
      assertEquals([error.url, error.method, error.status], [at(path), "GET", 200]);
      assertInstanceOf(error.cause, SyntaxError);
      await works();
    });
  }

  const refused: readonly (readonly [string, number, unknown])[] = [
    ["/500", 500, { error: "broken" }],
    ["/problem", 422, { title: "Invalid", detail: "title is empty" }],
    ["/status/418", 418, { status: 418 }],
    ["/404", 404, "<!DOCTYPE html>\n<title>Sign in</title>\n<h1>Sign in to the hotel's network</h1>\n"],
  ];
  for (const [path, status, body] of refused) {
    await t.step(`${path} is a NetworkError with its status and body`, async () => {
      const error = await assertRejects(
        () => read(at(path), "json"),
        NetworkError,
        `GET ${at(path)} failed: ${status}`,
      );
      assertEquals([error.status, error.body, error.url], [status, body, at(path)]);
      assertEquals(error.headers?.get("content-type"), error.response?.headers.get("content-type"));
      await error.response?.body?.cancel();
      await works();
    });
  }

  for (const path of ["/reset", "/cut", "/wrong-length", "/bad-gzip"]) {
    await t.step(`${path} is a NetworkError without status`, async () => {
      const error = await assertRejects(() => read(at(path), "json"), NetworkError, `GET ${at(path)} failed: `);
      assertEquals(error.status, undefined);
      assertInstanceOf(error.cause, TypeError);
      await works();
    });
  }

  for (const path of ["/hang", "/hang-body", "/500-hang"]) {
    await t.step(`${path} is a TimeoutError at the deadline, and the server sees us go`, async () => {
      const clock = new FakeClock();
      using _ = clock.install();
      server.clear();
      const rejected = assertRejects(() => read(at(path), "json"), TimeoutError, `GET ${at(path)}`);
      await arrived(server, 1);
      await clock.tickAsync(30_000);
      assertEquals((await rejected).deadline, 30_000);
      await server.settled();
      assertEquals(clock.pending, 0);
      await works();
    });
    await t.step(`${path} ends with the caller's reason on abort, and the server sees us go`, async () => {
      server.clear();
      const controller = new AbortController();
      const reason = new Error("left the page");
      const answer = read(at(path), "json", { signal: controller.signal });
      const outcome = answer.catch((error) => error);
      await arrived(server, 1);
      controller.abort(reason);
      assertStrictEquals(await outcome, reason);
      await server.settled();
      await works();
    });
  }

  await t.step("a server that is not there is a NetworkError without status", async () => {
    const gone = await startFaultServer();
    await gone.close();
    const url = `${gone.origin}/json`;
    const error = await assertRejects(() => read(url, "json"), NetworkError, `GET ${url} failed: `);
    assertEquals([error.status, error.response, error.body], [undefined, undefined, undefined]);
  });
});

Deno.test("request sends every kind of body to a real server as it is", async () => {
  await using server = await startFaultServer();
  const form = new FormData();
  form.set("title", "New");
  const bodies: readonly (readonly [BodyInit, RegExp])[] = [
    ['{"a":1}', /^\{"a":1\}$/],
    [new URLSearchParams({ a: "1" }), /^a=1$/],
    [new Blob(["blob"]), /^blob$/],
    [form, /name="title"\r\n\r\nNew/],
    [new Uint8Array([97, 98]), /^ab$/],
    [ReadableStream.from(["str", "eam"]).pipeThrough(new TextEncoderStream()), /^stream$/],
  ];
  for (const [body, expected] of bodies) {
    const { method, body: got } = await read(`${server.origin}/echo`, "json", { method: "POST", body }) as {
      method: string;
      body: string;
    };
    assertEquals(method, "POST");
    assert(expected.test(got), got);
  }
});

Deno.test("request hands a stream out that ends, breaks and times out as a typed error", async (t) => {
  await using server = await startFaultServer();
  const open = (path: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | null> =>
    request(server.origin + path, signal ? { signal } : {}, {
      stream: true,
      parseResponse: (response) => Promise.resolve(response.body),
    });
  const text = (body: ReadableStream<Uint8Array> | null): Promise<string> => new Response(body as BodyInit).text();

  await t.step("ends", async () => assertEquals(await text(await open("/drip?ms=1&chunks=3")), "[1,2,3]"));
  await t.step("is null where there is no body", async () => assertEquals(await open("/204"), null));
  await t.step("breaks", async () => {
    const body = await open("/cut");
    await assertRejects(() => text(body), NetworkError, `GET ${server.origin}/cut failed: `);
  });
  await t.step("times out in silence, and the server sees us go", async () => {
    const clock = new FakeClock();
    using _ = clock.install();
    const reader = (await open("/hang-body"))!.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value), '{"ok":');
    assertEquals(clock.pending, 0);
    const rejected = assertRejects(() => reader.read(), TimeoutError, "nothing moved for 30000 ms");
    await clock.tickAsync(30_000);
    await rejected;
    await server.settled();
  });
  await t.step("ends with the caller's reason on abort", async () => {
    const controller = new AbortController();
    const body = await open("/hang-body", controller.signal);
    controller.abort("left");
    assertEquals(await text(body).catch((reason) => reason), "left");
    await server.settled();
  });
  await t.step("lets the server go when it is cancelled", async () => {
    await (await open("/hang-body"))!.cancel();
    await server.settled();
  });
});
