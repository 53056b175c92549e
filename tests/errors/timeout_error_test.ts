import { assert, assertEquals } from "@std/assert";
import { RejoinError, TimeoutError } from "../../mod.ts";

const url = "https://api.example.com/articles";
const cure = 'If this server needs longer, give its endpoint a longer "deadline"';

Deno.test("TimeoutError says what was asked for, how long was waited, and the way out", () => {
  const error = new TimeoutError("GET", url, 30_000);
  assertEquals(error.message, `GET ${url} gave no complete answer within 30000 ms. ${cure}`);
  assertEquals([error.name, error.method, error.url, error.deadline, error.counted], [
    "TimeoutError",
    "GET",
    url,
    30_000,
    "total",
  ]);
  assert(RejoinError.is(error));
});

Deno.test("TimeoutError tells silence from the total", () => {
  const error = new TimeoutError("POST", url, 5_000, "silence");
  assertEquals(error.message, `POST ${url} was given up: nothing moved for 5000 ms. ${cure}`);
  assertEquals(error.counted, "silence");
});

Deno.test("TimeoutError says how many attempts were made when there was more than one", () => {
  const error = new TimeoutError("GET", url, 30_000, "total", 3);
  assertEquals(error.message, `GET ${url} gave no complete answer within 30000 ms, in 3 attempts. ${cure}`);
  assertEquals([error.attempts, new TimeoutError("GET", url, 30_000).attempts], [3, 1]);
});
