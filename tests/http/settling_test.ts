// N1 of the promises: whatever the network does, every promise settles by its deadline, with an error that says what
// happened; nothing remains, and the next call works.
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import * as fc from "fast-check";
import { NetworkError } from "../../src/errors/network_error.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../src/errors/timeout_error.ts";
import { readBody } from "../../src/http/read_body.ts";
import { request, type RequestOptions } from "../../src/http/request.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { type Fault, FaultFetch } from "../support/fault_fetch.ts";
import { countListeners } from "../support/listeners.ts";
import { check, runs } from "../support/property.ts";

const url = "https://api.example.com/articles";
const ANSWER = '{"id":"5","title":"A title of some length"}';

/** One exchange: all that can happen to it, as plain data, so that a failure can be kept as JSON. */
interface Exchange {
  readonly startAt: number;
  readonly deadline: number;
  readonly fault: Fault;
  readonly answer: "ok" | "empty" | "html" | "refused" | "handler throws";
  readonly sent: "nothing" | "text" | "blob" | "form" | "stream" | "endless stream";
  readonly read: "json" | "text" | "stream" | "stream, cancelled" | "nothing, and throws" | "for ever";
  /** When the caller aborts, in ms after the start; twice, if at all. */
  readonly abortAt: number | null;
  /** When what is held goes on, in ms after the start. */
  readonly releaseAt: number | null;
}

const time = fc.integer({ min: 0, max: 60 });
const thrownValue = fc.constantFrom<{ readonly value: unknown }[]>(
  { value: null },
  { value: "text" },
  { value: 0 },
  { value: { name: "AbortError" } },
);
const fault: fc.Arbitrary<Fault> = fc.record({
  delay: time,
  replyDelay: time,
  hold: fc.constantFrom("request" as const, "reply" as const, "both" as const),
  never: fc.constantFrom("request" as const, "reply" as const),
  lost: fc.constantFrom("request" as const, "reply" as const),
  reject: thrownValue,
  throw: thrownValue,
  hangBody: fc.integer({ min: 0, max: 50 }),
  cutBody: fc.integer({ min: 0, max: 50 }),
  drip: fc.record({ bytes: fc.integer({ min: 1, max: 20 }), every: fc.integer({ min: 1, max: 30 }) }),
  deaf: fc.boolean(),
}, { requiredKeys: [] });

// Faults are rare among the members of one record, so that each shows by itself and pairs still come up.
const rareFault = fc.tuple(fault, fc.array(fc.constantFrom(...FAULT_NAMES()), { maxLength: 3 })).map(([all, kept]) => {
  const some: Record<string, unknown> = {};
  for (const name of kept) if (all[name] !== undefined) some[name] = all[name];
  return some as Fault;
});

function FAULT_NAMES(): (keyof Fault)[] {
  return ["delay", "replyDelay", "hold", "never", "lost", "reject", "throw", "hangBody", "cutBody", "drip", "deaf"];
}

const exchange: fc.Arbitrary<Exchange> = fc.record({
  startAt: time,
  deadline: fc.integer({ min: 1, max: 100 }),
  fault: rareFault,
  answer: fc.constantFrom("ok", "empty", "html", "refused", "handler throws"),
  sent: fc.constantFrom("nothing", "text", "blob", "form", "stream", "endless stream"),
  read: fc.constantFrom("json", "text", "stream", "stream, cancelled", "nothing, and throws", "for ever"),
  abortAt: fc.option(time),
  releaseAt: fc.option(time),
});

/** What an exchange came to. */
interface Outcome {
  readonly settledAt: number;
  readonly value?: unknown;
  readonly error?: unknown;
}

const OWN = new Error("thrown by parseResponse");

function bodyOf(sent: Exchange["sent"]): BodyInit | null {
  switch (sent) {
    case "nothing":
      return null;
    case "text":
      return "text";
    case "blob":
      return new Blob(["blob"]);
    case "form": {
      const form = new FormData();
      form.set("a", "b");
      return form;
    }
    case "stream":
      return new Blob(["stream"]).stream();
    case "endless stream":
      return new ReadableStream({ pull: () => new Promise<void>(() => {}) });
  }
}

function optionsOf({ read, deadline }: Exchange, method: string): RequestOptions<unknown> {
  switch (read) {
    case "json":
    case "text":
      return { deadline, parseResponse: (response) => readBody(response, read, { method, url }) };
    case "stream":
    case "stream, cancelled":
      return { deadline, stream: true, parseResponse: (response) => Promise.resolve(response.body) };
    case "nothing, and throws":
      return { deadline, parseResponse: () => Promise.reject(OWN) };
    case "for ever": {
      const parseResponse = async (response: Response): Promise<unknown> => {
        await readBody(response, "arrayBuffer", { method, url });
        return await new Promise(() => {});
      };
      return { deadline, parseResponse };
    }
  }
}

async function run(exchanges: readonly Exchange[]): Promise<void> {
  const clock = new FakeClock();
  const faults = new Map<string, Exchange>();
  const api = new FaultFetch(async (got) => {
    const { answer = "ok" } = faults.get(new URL(got.url).hash) ?? {};
    await got.text();
    if (answer === "handler throws") throw new Error("handler");
    const headers = { "content-type": "application/json" };
    if (answer === "refused") return new Response(ANSWER, { status: 422, headers });
    return new Response(answer === "ok" ? ANSWER : answer === "empty" ? "" : "<p>", { headers });
  });
  using _clock = clock.install();
  using _api = api.install();
  const later = (ms: number, fn: () => void): void => void clock.setTimeout(fn, ms);

  const outcomes = exchanges.map((one, index): { outcome?: Outcome; reason: unknown; listeners: { count: number } } => {
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const record: { outcome?: Outcome; reason: unknown; listeners: { count: number } } = {
      reason: { aborted: index },
      listeners,
    };
    const hash = `#${index}`;
    faults.set(hash, one);
    api.always((got) => got.url.endsWith(hash), one.fault);
    later(one.startAt, () => {
      const method = one.sent === "nothing" ? "GET" : "POST";
      const init = { method, body: bodyOf(one.sent), signal: controller.signal };
      const answer = request(url + hash, init, optionsOf(one, method)).then(async (value) => {
        if (!(value instanceof ReadableStream)) return value;
        if (one.read === "stream") return await new Response(value).text();
        await value.cancel();
        return "cancelled";
      });
      const settledAt = (): number => clock.elapsed - one.startAt;
      answer.then(
        (value) => record.outcome = { settledAt: settledAt(), value },
        (error) => record.outcome = { settledAt: settledAt(), error },
      );
    });
    if (one.abortAt !== null) {
      for (const again of [0, 1]) later(one.startAt + one.abortAt + again, () => controller.abort(record.reason));
    }
    if (one.releaseAt !== null) {
      for (const again of [0, 1]) {
        later(one.startAt + one.releaseAt + again, () => {
          for (const held of [...api.held]) if (held.request.url.endsWith(hash)) held.release();
        });
      }
    }
    return record;
  });

  // Longer than any deadline, any drip and any delay: what has not settled now never will.
  await clock.runAll();

  exchanges.forEach((one, index) => {
    const { outcome, reason, listeners } = outcomes[index]!;
    assert(outcome, `exchange ${index} did not settle`);
    assertEquals(listeners.count, 0, `exchange ${index} left a listener`);
    judge(one, outcome, reason);
  });
  assertEquals(clock.pending, 0, "a timer was left");
  const undeaf = exchanges.filter(({ fault }) => !fault.deaf).length === exchanges.length;
  if (undeaf) assertEquals([api.open, api.openBodies, api.listeners], [0, 0, 0], "the network was left waiting");

  api.heal();
  const next = await request(url, {}, {
    parseResponse: (response) => readBody(response, "json", { method: "GET", url }),
  });
  assertEquals(next, JSON.parse(ANSWER));
  await flush();
  assertEquals(clock.pending, 0);
}

/** Whether an outcome is one that may come of such an exchange, and not later than it may. */
function judge(one: Exchange, { settledAt, error, ...rest }: Outcome, reason: unknown): void {
  const { fault, read } = one;
  const streams = read === "stream" || read === "stream, cancelled";
  const large = one.sent !== "nothing" && one.sent !== "text";
  if (!streams && !large) assertLessOrEqual(settledAt, one.deadline, "settled after its deadline");
  if (one.abortAt !== null) assertLessOrEqual(settledAt, one.abortAt, "went on after its abort");
  if ("value" in rest) {
    assert(one.answer !== "handler throws" && one.answer !== "refused", "a refusal was taken for a success");
    assert(!fault.throw && !fault.reject && !fault.never && !fault.lost, "a value came of nothing");
    assert(read !== "for ever" && read !== "nothing, and throws", "a value came of what gives none");
    if (read === "json") assertEquals([one.answer, rest.value], ["ok", JSON.parse(ANSWER)]);
    return;
  }
  if (error === reason) assert(one.abortAt !== null);
  else if (error === OWN) assert(read === "nothing, and throws");
  else if (error instanceof TimeoutError) assertEquals(error.counted, streams || large ? "silence" : "total");
  else if (error instanceof ParseError) assert(read === "json" && one.answer !== "ok" && one.answer !== "refused");
  else if (error instanceof NetworkError) {
    if (error.status !== undefined) assertEquals([error.status, one.answer], [422, "refused"]);
  } else assert(error === (fault.reject ?? fault.throw)?.value || error === fault.throw?.value, `not typed: ${error}`);
}

Deno.test("request settles under every schedule of faults, aborts and releases", async () => {
  await check(
    fc.asyncProperty(fc.array(exchange, { minLength: 1, maxLength: 4 }), run),
    { name: "http_settling", runs: runs(1_000, 100_000) },
  );
});
