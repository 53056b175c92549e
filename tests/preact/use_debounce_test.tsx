import "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { useDebounce } from "@rejoin/data/preact";
import { FakeClock, renderDataHook } from "@rejoin/data/testing";

/** A page that shows a value 300 ms after its last change. */
function start(first: unknown) {
  const clock = new FakeClock();
  const restore = clock.install();
  const { rerender, ...hook } = renderDataHook(
    ({ value, ms = 300 }: { value: unknown; ms?: number }) => {
      const [rested, isPending] = useDebounce(value, ms);
      return [rested, isPending] as const;
    },
    { initialProps: { value: first }, memory: false },
  );
  const before = clock.pending;
  return {
    ...hook,
    clock,
    /** Timers that are waited for. */
    waits: () => clock.pending - before,
    show: (value: unknown, ms?: number) => rerender(ms === undefined ? { value } : { value, ms }),
    [Symbol.dispose]() {
      hook.unmount();
      restore();
    },
  };
}

Deno.test("useDebounce gives the first value at once, and the last of several changes when it has rested", async () => {
  using page = start("");
  const { clock, result, show, settled, waits } = page;
  assertEquals([result.history, waits()], [[["", false]], 0]);
  for (const value of ["a", "ab", "abc"]) {
    show(value);
    await settled();
    clock.tick(200);
  }
  assertEquals([result.current, waits()], [["", true], 1]);
  clock.tick(99);
  await settled();
  assertEquals(result.current, ["", true]);
  clock.tick(1);
  await settled();
  assertEquals(waits(), 0);
  assertEquals(result.history, [["", false], ["", true], ["", true], ["", true], ["abc", false]]);
});

Deno.test("useDebounce waits for nothing when the value is what it was, or is rendered again", async () => {
  using page = start("a");
  const { clock, result, show, settled, waits } = page;
  show("b");
  clock.tick(200);
  // Rendered for another reason: the time goes on.
  show("b");
  clock.tick(100);
  await settled();
  assertEquals(result.current, ["b", false]);
  show("c");
  show("b");
  await settled();
  assertEquals([result.current, waits()], [["b", false], 0]);
  clock.tick(1_000);
  await settled();
  assertEquals(result.renders, 6);
});

Deno.test("useDebounce takes equal objects for the same, and keeps the one that it has", async () => {
  using page = start({ q: "a", tags: ["x"] });
  const { clock, result, show, settled, waits } = page;
  show({ q: "a", tags: ["x"] });
  await settled();
  assertEquals([result.current, waits()], [[{ q: "a", tags: ["x"] }, false], 0]);
  assertStrictEquals(result.history[1]![0], result.history[0]![0]);
  show({ q: "b", tags: ["x"] });
  clock.tick(300);
  await settled();
  show({ q: "b", tags: ["x"] });
  clock.tick(300);
  await settled();
  assertEquals([result.current, waits(), result.renders], [[{ q: "b", tags: ["x"] }, false], 0, 5]);
});

Deno.test("useDebounce takes the time that goes with a change", async () => {
  using page = start("a");
  const { clock, result, show, settled } = page;
  show("b", 50);
  clock.tick(50);
  await settled();
  assertEquals(result.current, ["b", false]);
  show("c", 0);
  assertEquals(result.current, ["b", true]);
  clock.tick(0);
  await settled();
  assertEquals(result.current, ["c", false]);
});

Deno.test("useDebounce leaves no timer when its component goes", async () => {
  using page = start("a");
  const { clock, result, show, settled, unmount, waits } = page;
  show("b");
  assertEquals(waits(), 1);
  unmount();
  assertEquals(clock.pending, 0);
  clock.tick(1_000);
  await settled();
  assertEquals(result.renders, 2);
});
