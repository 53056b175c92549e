import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { ParseError, RejoinError } from "../../mod.ts";

const answer = { method: "GET", url: "https://api.example.com/a", status: 200, expected: "JSON" };

Deno.test("ParseError shows the first characters, what was expected, the URL and the status", () => {
  const error = new ParseError({ ...answer, contentType: "text/html", received: "<!DOCTYPE html>\n<p>" });
  assertEquals(
    error.message,
    'Cannot read the answer to GET https://api.example.com/a (200, text/html): expected JSON, got "<!DOCTYPE html>\\n<p>". ' +
      "This is a page: check urlPrefix, and the proxy if there is one",
  );
  assertEquals([error.name, error.status, error.url, error.method], ["ParseError", 200, answer.url, "GET"]);
  assert(RejoinError.is(error));
});

Deno.test("ParseError shows 80 characters at most, and keeps no more", () => {
  const error = new ParseError({ ...answer, contentType: "text/plain", received: "x".repeat(1_000_000) });
  assert(error.message.endsWith(`got "${"x".repeat(80)}"…`));
  assertEquals(error.received, "x".repeat(80));
});

Deno.test("ParseError names an empty body, binary data and a missing content type", () => {
  const empty = new ParseError({ ...answer, contentType: null, received: "" });
  assert(empty.message.endsWith("(200, no content type): expected JSON, got an empty body"));
  assertEquals(empty.contentType, undefined);
  const binary = new ParseError({ ...answer, contentType: "image/png" });
  assert(binary.message.endsWith("(200, image/png): expected JSON, got binary data"));
});

Deno.test("ParseError keeps what the parser said", () => {
  const cause = new SyntaxError("Unexpected end of JSON input");
  const error = new ParseError({ ...answer, contentType: "application/json", received: "{", cause });
  assertStrictEquals(error.cause, cause);
  assert(error.message.endsWith("expected JSON, got 1 characters of JSON (Unexpected end of JSON input)"));
});

Deno.test("17. a ParseError of data says where it breaks and shows none of it, to consoles and reports neither", () => {
  for (const received of ['{"id": 5, "token": "s3cret', '{"token": s3cret}', '["s3cret", ]']) {
    let cause: unknown;
    try {
      JSON.parse(received);
    } catch (error) {
      cause = error;
    }
    const error = new ParseError({ ...answer, contentType: "application/json", received, cause });
    assertEquals(error.received, received);
    assert(error.message.includes(`got ${received.length} characters of JSON`), error.message);
    assert(!`${error.message}${JSON.stringify(error)}`.includes("s3cret"), error.message);
  }
});

Deno.test("ParseError lets no control character of the server into a log", () => {
  const error = new ParseError({ ...answer, contentType: "text/plain", received: "a\r\n\u001b[31mb" });
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  assert(!/[\u0000-\u001f]/.test(error.message));
});
