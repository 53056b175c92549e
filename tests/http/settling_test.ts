// N1 of the promises: whatever the network does, every promise settles by its deadline, with an error that says what
// happened; nothing remains, and the next call works. N6 and U5 beside it: nothing is repeated that may not be, and no
// secret reaches another origin.
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import * as fc from "fast-check";
import { NetworkError } from "../../src/errors/network_error.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../mod.ts";
import { followByHand } from "../../src/http/redirect.ts";
import { readAs, request, type RequestOptions } from "../support/request.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { type Fault, FaultFetch } from "../support/fault_fetch.ts";
import { countListeners } from "../support/listeners.ts";
import { check, runs } from "../support/property.ts";
import { moment, rareFault } from "../support/random_fault.ts";

const ORIGIN = "https://api.example.com";
const url = `${ORIGIN}/articles`;
const ANSWER = '{"id":"5","title":"A title of some length"}';

/** One exchange: all that can happen to it, as plain data, so that a failure can be kept as JSON. */
interface Exchange {
  readonly startAt: number;
  readonly deadline: number;
  readonly fault: Fault;
  /** How many requests the fault meets; `null` is all of them. */
  readonly faulty: number | null;
  /** What a server says that is busy, as often as it is busy. */
  readonly busy: { readonly times: number; readonly status: number; readonly retryAfter: string | null };
  /** The redirects on the way to the answer. */
  readonly hops: readonly Hop[];
  /** Whether redirects are followed; not there: they are. */
  readonly follows?: boolean;
  readonly retry: number | false;
  readonly keyed: boolean;
  /** What chance gives, for the jitter; that of the first exchange counts for all. */
  readonly chance: number;
  readonly answer: "ok" | "empty" | "html" | "refused" | "handler throws";
  readonly sent: "nothing" | "text" | "blob" | "form" | "stream" | "endless stream";
  readonly read: "json" | "text" | "stream" | "stream, cancelled" | "nothing, and throws" | "for ever";
  /** When the caller aborts, in ms after the start; twice, if at all. */
  readonly abortAt: number | null;
  /** When what is held goes on, in ms after the start. */
  readonly releaseAt: number | null;
}

interface Hop {
  readonly status: number;
  readonly to: "same origin" | "other origin" | "nowhere";
}

const BUSY = [408, 429, 502, 503, 504];
const MOVED = [301, 302, 303, 307, 308];

const exchange: fc.Arbitrary<Exchange> = fc.record({
  startAt: moment,
  deadline: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1_000, max: 4_000 })),
  fault: rareFault,
  faulty: fc.option(fc.integer({ min: 1, max: 3 })),
  busy: fc.record({
    times: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
    status: fc.constantFrom(...BUSY, 500),
    retryAfter: fc.constantFrom(null, "0", "1", "60", "Mon, 01 Jan 2024 00:00:02 GMT", "soon"),
  }),
  hops: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(
      fc.record({
        status: fc.constantFrom(...MOVED),
        to: fc.constantFrom("same origin" as const, "other origin" as const, "nowhere" as const),
      }),
      { maxLength: 3 },
    ),
  ),
  follows: fc.boolean(),
  retry: fc.constantFrom(false as const, 1, 2, 5),
  keyed: fc.boolean(),
  chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  answer: fc.constantFrom("ok", "empty", "html", "refused", "handler throws"),
  sent: fc.constantFrom("nothing", "text", "blob", "form", "stream", "endless stream"),
  read: fc.constantFrom("json", "text", "stream", "stream, cancelled", "nothing, and throws", "for ever"),
  abortAt: fc.option(moment),
  releaseAt: fc.option(moment),
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

function optionsOf({ read, deadline, retry }: Exchange, method: string): RequestOptions<unknown> {
  const both = { deadline, retry };
  switch (read) {
    case "json":
    case "text":
      return { ...both, parseResponse: (response) => readAs(response, read, { method, url }) };
    case "stream":
    case "stream, cancelled":
      return { ...both, stream: true, parseResponse: (response) => Promise.resolve(response.body) };
    case "nothing, and throws":
      return { ...both, parseResponse: () => Promise.reject(OWN) };
    case "for ever": {
      const parseResponse = async (response: Response): Promise<unknown> => {
        await readAs(response, "arrayBuffer", { method, url });
        return await new Promise(() => {});
      };
      return { ...both, parseResponse };
    }
  }
}

const SECRET = "x-api-key";

async function run(exchanges: readonly Exchange[]): Promise<void> {
  const clock = new FakeClock().draw(() => exchanges[0]?.chance ?? 0);
  const faults = new Map<string, Exchange>();
  const refused = new Map<Exchange, number>();
  let leaks = 0;
  const api = new FaultFetch(async (got) => {
    const { hash, searchParams, origin } = new URL(got.url);
    const one = faults.get(hash);
    if (origin !== ORIGIN && got.headers.has(SECRET)) leaks++;
    await got.text();
    const moved = one?.hops[Number(searchParams.get("hop"))];
    if (one && moved) {
      const next = `/articles?hop=${Number(searchParams.get("hop")) + 1}`;
      const to = { "same origin": next, "other origin": `https://other.example.com${next}`, "nowhere": "ftp:x" };
      return new Response("<p>", { status: moved.status, headers: { location: to[moved.to] } });
    }
    const { answer = "ok", busy } = one ?? {};
    const times = one ? refused.get(one) ?? 0 : 0;
    if (one && busy && times < busy.times) {
      refused.set(one, times + 1);
      const { status, retryAfter } = busy;
      return new Response("busy", { status, headers: retryAfter === null ? {} : { "retry-after": retryAfter } });
    }
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
    const isOurs = (got: Request): boolean => got.url.endsWith(hash);
    if (one.faulty === null) api.always(isOurs, one.fault);
    for (let times = 0; times < (one.faulty ?? 0); times++) api.once(isOurs, one.fault);
    later(one.startAt, () => {
      const method = one.sent === "nothing" ? "GET" : "POST";
      const headers = { [SECRET]: "secret", ...one.keyed ? { "idempotency-key": hash } : {} };
      const follow = one.follows === false ? undefined : followByHand;
      const init = { method, headers, body: bodyOf(one.sent), signal: controller.signal, follow };
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
    const attempts = api.calls.filter(({ request }) => request.url === `${url}#${index}`).length;
    judge(one, outcome, reason, attempts);
  });
  assertEquals(leaks, 0, "a secret reached another origin");
  assertEquals(clock.pending, 0, "a timer was left");
  const undeaf = exchanges.filter(({ fault }) => !fault.deaf).length === exchanges.length;
  if (undeaf) assertEquals([api.open, api.openBodies, api.listeners], [0, 0, 0], "the network was left waiting");

  api.heal();
  const next = await request(url, {}, {
    parseResponse: (response) => readAs(response, "json", { method: "GET", url }),
  });
  assertEquals(next, JSON.parse(ANSWER));
  await flush();
  assertEquals(clock.pending, 0);
}

/** Whether an outcome is one that may come of such an exchange, and not later than it may. */
function judge(one: Exchange, { settledAt, error, ...rest }: Outcome, reason: unknown, attempts: number): void {
  const { fault, read, busy, sent } = one;
  const streams = read === "stream" || read === "stream, cancelled";
  const large = sent !== "nothing" && sent !== "text";
  const mayRepeat = (sent === "nothing" || one.keyed) && sent !== "stream" && sent !== "endless stream";
  assertLessOrEqual(attempts, mayRepeat ? 1 + Number(one.retry) : 1, "was sent too often");
  if (!streams && !large) assertLessOrEqual(settledAt, one.deadline, "settled after its deadline");
  if (one.abortAt !== null) assertLessOrEqual(settledAt, one.abortAt, "went on after its abort");
  if ("value" in rest) {
    assert(one.answer !== "handler throws" && one.answer !== "refused", "a refusal was taken for a success");
    const fails = fault.throw || fault.reject || fault.never || fault.lost;
    const hopeless = one.faulty === null || !mayRepeat || !one.retry;
    // What is faulty for the first requests only may be over after a retry.
    assert(!fails || !hopeless, "a value came of nothing");
    assert(!one.hops.some(({ to }) => to === "nowhere"), "a redirect was followed to nowhere");
    assert(one.follows !== false || one.hops.length === 0, "a redirect was followed unasked");
    assertLessOrEqual(busy.times, attempts - 1, "a value came of a refusal");
    assert(read !== "for ever" && read !== "nothing, and throws", "a value came of what gives none");
    if (read === "json") assertEquals([one.answer, rest.value], ["ok", JSON.parse(ANSWER)]);
    return;
  }
  if (error === reason) assert(one.abortAt !== null);
  else if (error === OWN) assert(read === "nothing, and throws");
  else if (error instanceof TimeoutError) {
    assertEquals([error.counted, error.attempts], [streams || large ? "silence" : "total", attempts]);
  } else if (error instanceof ParseError) assert(read === "json" && one.answer !== "ok" && one.answer !== "refused");
  else if (error instanceof NetworkError) {
    // A stream that was handed out breaks outside of all attempts.
    if (!streams) assertEquals(error.attempts, attempts);
    const { status } = error;
    if (status === 422) assertEquals(one.answer, "refused");
    else if (status !== undefined && MOVED.includes(status)) {
      assert(one.follows === false || sent.includes("stream") || one.hops.some(({ to }) => to === "nowhere"));
    } else if (status !== undefined) {
      assertEquals(status, busy.status);
      if (BUSY.includes(status) && mayRepeat && attempts <= Number(one.retry)) {
        // It gave up early: no wait that was asked for, or drawn, would have ended before the deadline.
        assertLessOrEqual(one.deadline, settledAt + longestWait(one, attempts), "gave up too early");
      }
    }
  } else assert(error === (fault.reject ?? fault.throw)?.value || error === fault.throw?.value, `not typed: ${error}`);
}

/** How long an exchange waits at most after so many attempts, in ms. */
function longestWait({ busy: { retryAfter } }: Exchange, attempts: number): number {
  if (retryAfter === null || retryAfter === "soon") return 300 * 2 ** (attempts - 1);
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 2_000;
}

Deno.test("request settles under every schedule of faults, aborts and releases", async () => {
  await check(
    fc.asyncProperty(fc.array(exchange, { minLength: 1, maxLength: 4 }), run),
    { name: "http_settling", runs: runs(1_000, 100_000) },
  );
});
