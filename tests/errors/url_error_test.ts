import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { RejoinError } from "../../src/errors/rejoin_error.ts";
import { UrlError } from "../../src/errors/url_error.ts";

const path = "/articles/:id";

Deno.test("UrlError names the endpoint, the template and the parameter", () => {
  const error = new UrlError('is ".."', { path, endpoint: "Article.get", parameter: "id", value: ".." });
  assertEquals(error.message, 'Cannot build the URL of "Article.get" (/articles/:id): parameter "id" is ".."');
  assertEquals([error.name, error.path, error.endpoint, error.parameter, error.value], [
    "UrlError",
    path,
    "Article.get",
    "id",
    "..",
  ]);
  assert(RejoinError.is(error));
});

Deno.test("UrlError names the template alone where the endpoint has no name of its own", () => {
  const message = 'Cannot build the URL of "/articles/:id": it has no origin';
  assertEquals(new UrlError("it has no origin", { path }).message, message);
  assertEquals(new UrlError("it has no origin", { path, endpoint: path }).message, message);
});

Deno.test("UrlError keeps its cause, and has none of its own when none is given", () => {
  const cause = new URIError("malformed");
  assertStrictEquals(new UrlError("cannot be encoded", { path, cause }).cause, cause);
  assert(!Object.hasOwn(new UrlError("is missing", { path }), "cause"));
});
