import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { ConflictError, NetworkError, RejoinError } from "@rejoin/data";

const details = {
  method: "PUT",
  url: "https://api.example.com/films/4",
  status: 412,
  body: { error: "changed" },
  mine: { title: "A New Hope" },
  theirs: { id: "4", title: "Star Wars" },
};

Deno.test("a ConflictError is a NetworkError that carries both versions", () => {
  const error = new ConflictError(details);
  assertInstanceOf(error, NetworkError);
  assert(RejoinError.is(error));
  assertEquals([error.name, error.status, error.method, error.url], ["ConflictError", 412, "PUT", details.url]);
  assertEquals([error.mine, error.theirs, error.body], [details.mine, details.theirs, details.body]);
});

Deno.test("a ConflictError says what was refused, why, and the way out", () => {
  assertEquals(
    new ConflictError(details).message,
    "PUT https://api.example.com/films/4 failed: 412 Precondition Failed: the server has another version than this was " +
      "based on; read it again, and decide what of yours is to stay",
  );
  assert(new ConflictError({ ...details, statusText: "Changed" }).message.includes("412 Changed: the server has"));
});

Deno.test("a ConflictError keeps what went wrong below, and leaves headers out of its JSON", () => {
  const cause = new Error("412");
  const error = new ConflictError({ ...details, headers: new Headers({ authorization: "secret" }), cause });
  assertEquals(error.cause, cause);
  assertEquals(JSON.stringify(error).includes("secret"), false);
  assertEquals(JSON.parse(JSON.stringify(error)).name, "ConflictError");
});
