import { assertEquals, assertRejects } from "@std/assert";
import { clock as seam } from "../../src/deps/clock.ts";
import { FakeClock, flush } from "./clock.ts";

Deno.test("FakeClock stands still until it is told to move", () => {
  const clock = new FakeClock(1_000);
  let fired = 0;
  clock.setTimeout(() => fired++, 5);
  assertEquals([clock.now(), clock.elapsed, clock.pending, fired], [1_000, 0, 1, 0]);
  clock.tick(4);
  assertEquals([clock.now(), clock.pending, fired], [1_004, 1, 0]);
  clock.tick(1);
  assertEquals([clock.now(), clock.pending, fired], [1_005, 0, 1]);
});

Deno.test("FakeClock fires timers in order of their time, and those of one moment in the order of setting", () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  for (
    const [name, ms] of [["c", 3], ["a1", 1], ["b", 2], ["a2", 1], ["now", 0], ["below", -5], ["nan", NaN]] as const
  ) {
    clock.setTimeout(() => fired.push(`${name}@${clock.elapsed}`), ms);
  }
  clock.tick(10);
  assertEquals(fired, ["now@0", "below@0", "nan@0", "a1@1", "a2@1", "b@2", "c@3"]);
});

Deno.test("FakeClock fires what a timer sets, if it is due within the same tick", () => {
  const clock = new FakeClock();
  const fired: number[] = [];
  const again = (): void => {
    fired.push(clock.elapsed);
    clock.setTimeout(again, 10);
  };
  clock.setTimeout(again, 10);
  clock.tick(35);
  assertEquals([fired, clock.pending, clock.elapsed], [[10, 20, 30], 1, 35]);
});

Deno.test("FakeClock never goes back, when a timer lets time pass, or two do at once", async () => {
  const clock = new FakeClock();
  const seen: number[] = [];
  clock.setTimeout(() => clock.tick(100), 50);
  clock.setTimeout(() => seen.push(clock.elapsed), 90);
  clock.tick(100);
  assertEquals([clock.elapsed, seen], [150, [90]]);
  clock.setTimeout(() => seen.push(clock.elapsed), 15);
  await Promise.all([clock.tickAsync(10), clock.tickAsync(20)]);
  assertEquals([clock.elapsed, seen], [170, [90, 165]]);
});

Deno.test("FakeClock fires no timer that was cleared, also by one of the same moment", () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  clock.setTimeout(() => clearSecond(), 1);
  const clearSecond = clock.setTimeout(() => fired.push("second"), 1);
  clock.setTimeout(() => fired.push("third"), 1)();
  clock.tick(1);
  assertEquals([fired, clock.pending], [[], 0]);
});

Deno.test("FakeClock never fires a timer of Infinity", () => {
  const clock = new FakeClock();
  clock.setTimeout(() => {
    throw new Error("fired");
  }, Infinity);
  clock.tick(1e15);
  assertEquals(clock.pending, 0);
});

Deno.test("FakeClock.tick lets nothing run that waits for a promise, tickAsync all of it", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.setTimeout(resolve, ms));
  const work = async (): Promise<void> => {
    await wait(10);
    // a long chain of promises is still "what waits for promises"
    for (let turn = 0; turn < 1_000; turn++) await undefined;
    seen.push(`first@${clock.elapsed}`);
    await wait(10);
    seen.push(`second@${clock.elapsed}`);
  };
  const done = work();
  clock.tick(10);
  assertEquals(seen, []);
  await clock.tickAsync();
  assertEquals(seen, ["first@10"]);
  await clock.tickAsync(9);
  assertEquals(seen, ["first@10"]);
  await clock.tickAsync(1);
  assertEquals(seen, ["first@10", "second@20"]);
  await done;
});

Deno.test("FakeClock.tickAsync lets promises settle between two timers", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  clock.setTimeout(() => void Promise.resolve().then(() => seen.push("of the first")), 1);
  clock.setTimeout(() => seen.push("second"), 1);
  await clock.tickAsync(1);
  assertEquals(seen, ["of the first", "second"]);
});

Deno.test("FakeClock.runAll runs until no timer is left, and gives up on one that never ends", async () => {
  const clock = new FakeClock();
  clock.setTimeout(() => clock.setTimeout(() => {}, 500), 100);
  assertEquals([await clock.runAll(), clock.pending], [600, 0]);
  const poll = (): void => void clock.setTimeout(poll, 1_000);
  poll();
  await assertRejects(() => clock.runAll(5_000), Error, "1 timers are left after 5000 ms");
});

Deno.test("FakeClock.jump moves the wall clock only", () => {
  const clock = new FakeClock(0);
  let fired = 0;
  clock.setTimeout(() => fired++, 10);
  clock.jump(86_400_000);
  clock.jump(-2 * 86_400_000);
  clock.tick(9);
  assertEquals([clock.now(), clock.elapsed, fired], [-86_400_000 + 9, 9, 0]);
  clock.tick(1);
  assertEquals(fired, 1);
});

Deno.test("FakeClock.install puts it in the library's place until it is disposed of", () => {
  const clock = new FakeClock(7);
  {
    using _ = clock.install();
    let fired = 0;
    seam.setTimeout(() => fired++, 3);
    seam.setTimeout(() => fired++, 3)();
    clock.tick(3);
    assertEquals([seam.now(), fired], [10, 1]);
  }
  const restore = clock.install();
  restore();
  assertEquals(seam.now() === clock.now(), false);
});

Deno.test("flush comes back when nothing waits for promises any more", async () => {
  let turns = 0;
  const chain = async (): Promise<void> => {
    for (; turns < 10_000; turns++) await undefined;
  };
  const done = chain();
  await flush();
  assertEquals(turns, 10_000);
  await done;
});
