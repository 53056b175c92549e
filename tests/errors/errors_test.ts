import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { AbortError, isEnding, NetworkError, normalize, NormalizeError, RejoinError } from "@rejoin/data";
import * as core from "../../core.ts";

Deno.test("rule 34: errors are told apart by class, name and code, and keep their cause", () => {
  const cause = new TypeError("refused"), error = new NetworkError(601, ["GET", "https://api.example.com/"], cause);
  assertInstanceOf(error, RejoinError);
  assertEquals([error.name, error.code, error.cause, error.status], ["NetworkError", 601, cause, undefined]);
  assertEquals(error.message, "GET https://api.example.com/: no answer.");
  assert(!Object.hasOwn(new NetworkError(601), "cause"));
});

Deno.test("rule 34: consoles and reports print no data of a reply", () => {
  const facts = { status: 422, response: Response.json({ token: "s3cret" }), body: { token: "s3cret" } };
  const error = new NetworkError(602, ["GET", "https://api.example.com/", 422], undefined, facts);
  assertEquals([error.status, error.response, error.body], [422, facts.response, facts.body]);
  assert(!`${JSON.stringify(error)}${Deno.inspect(error, { depth: 9 })}`.includes("s3cret"));
});

Deno.test("rule 34: without the entry of development an error is its code and what it is about, without data", () => {
  const script = `import { normalize, Entity } from "${new URL("../../core.ts", import.meta.url)}";
    class User extends Entity { id = ""; static key = "User" }
    try { normalize([User], { token: "s3cret" }) } catch (error) { console.log(error.name, error.code, error.message) }`;
  const { stdout } = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--config", new URL("../../deno.json", import.meta.url).pathname, script],
    env: { NO_COLOR: "1" },
  }).outputSync();
  assertEquals(new TextDecoder().decode(stdout).trim(), "NormalizeError 201 Rejoin 201:");
});

Deno.test("isEnding: aborts of ours and of the platform, and nothing else", () => {
  const given = [new AbortError(701), new DOMException("", "AbortError"), new Error("AbortError"), null, "AbortError"];
  assertEquals(given.map(isEnding), [true, true, false, false, false]);
});

Deno.test("both entries have the same errors", () => {
  assertEquals([core.RejoinError, core.NormalizeError, core.normalize], [RejoinError, NormalizeError, normalize]);
});
