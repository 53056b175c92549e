import { assert, assertEquals } from "@std/assert";
import { type Clock, clock, replaceClock } from "../../src/deps/clock.ts";

/** A clock that only writes down what it is asked. */
class Recorder implements Clock {
  readonly asked: unknown[] = [];
  now(): number {
    return 42;
  }
  monotonic(): number {
    return 43;
  }
  random(): number {
    return 0.5;
  }
  setTimeout(_fn: () => void, ms: number): () => void {
    const count = this.asked.push(["set", ms]);
    return () => void this.asked.push(["clear", count]);
  }
}

Deno.test("clock gives the platform's wall time", () => {
  const before = Date.now();
  const now = clock.now();
  assert(before <= now && now <= Date.now());
});

Deno.test("clock gives time that passes, and chance, until a test has a clock of its own in place", () => {
  const before = clock.monotonic();
  assert(before <= clock.monotonic());
  const drawn = Array.from({ length: 100 }, () => clock.random());
  assert(drawn.every((number) => number >= 0 && number < 1) && new Set(drawn).size > 1);
  assertEquals(clock.isReplaced, false);
  const restore = replaceClock(new Recorder());
  assertEquals([clock.isReplaced, clock.monotonic(), clock.random()], [true, 43, 0.5]);
  restore();
  assertEquals(clock.isReplaced, false);
});

Deno.test("clock fires a timer once, and none that was cleared", async () => {
  const fired: string[] = [];
  const clear = clock.setTimeout(() => fired.push("cleared"), 1);
  clear();
  clear();
  await new Promise<void>((resolve) => {
    clock.setTimeout(() => fired.push("first"), 1);
    clock.setTimeout(resolve, 10);
  });
  assertEquals(fired, ["first"]);
});

Deno.test("clock never fires a timer that is longer than platforms count", async () => {
  const fired: number[] = [];
  // Were one of them given to the platform, it would fire at once, and the test runner would find it open at the end.
  for (const ms of [2 ** 31, 1e15, Infinity]) clock.setTimeout(() => fired.push(ms), ms)();
  for (const ms of [2 ** 31, 1e15, Infinity]) clock.setTimeout(() => fired.push(ms), ms);
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 10));
  assertEquals(fired, []);
});

Deno.test("replaceClock puts a clock in place and back, one within the other", () => {
  const [outer, inner] = [new Recorder(), new Recorder()];
  const restoreOuter = replaceClock(outer);
  const restoreInner = replaceClock(inner);
  clock.setTimeout(() => {}, 1);
  assertEquals(clock.now(), 42);
  restoreInner();
  clock.setTimeout(() => {}, 2);
  restoreOuter();
  assertEquals([outer.asked, inner.asked], [[["set", 2]], [["set", 1]]]);
  assert(clock.now() > 42);
});

Deno.test("replaceClock leaves no clock in place when all have gone, whatever the order, and takes each away once", () => {
  const [first, second] = [new Recorder(), new Recorder()];
  const restoreFirst = replaceClock(first);
  const restoreSecond = replaceClock(second);
  restoreFirst();
  restoreFirst();
  clock.setTimeout(() => {}, 1);
  assertEquals([first.asked, second.asked], [[], [["set", 1]]]);
  restoreSecond();
  assert(!clock.isReplaced);
});

Deno.test("replaceClock leaves a timer with the clock that made it", () => {
  const [before, after] = [new Recorder(), new Recorder()];
  const restoreBefore = replaceClock(before);
  const clear = clock.setTimeout(() => {}, 5);
  const restoreAfter = replaceClock(after);
  clear();
  restoreAfter();
  restoreBefore();
  assertEquals([before.asked, after.asked], [[["set", 5], ["clear", 1]], []]);
});
