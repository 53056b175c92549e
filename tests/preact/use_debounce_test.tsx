import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { useDebounce } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";

/** A page that shows a value 300 ms after its last change. */
function start() {
  const clock = new FakeClock();
  const restore = clock.install();
  const seen: string[] = [];
  const values: unknown[] = [];
  function Page({ value, ms = 300 }: { readonly value: unknown; readonly ms?: number }) {
    const [rested, isPending] = useDebounce(value, ms);
    values.push(rested);
    seen.push(`${JSON.stringify(rested)} ${isPending}`);
    return <>{seen.at(-1)}</>;
  }
  return { clock, seen, values, Page, [Symbol.dispose]: restore };
}

Deno.test("useDebounce gives the first value at once, and the last of several changes when it has rested", async () => {
  using app = start();
  const { clock, seen, Page } = app;
  await using page = mount(<Page value="" />);
  assertEquals([seen, clock.pending], [['"" false'], 0]);
  for (const value of ["a", "ab", "abc"]) {
    page.render(<Page value={value} />);
    await settled();
    clock.tick(200);
  }
  assertEquals([page.text, clock.pending], ['"" true', 1]);
  clock.tick(99);
  await settled();
  assertEquals(page.text, '"" true');
  clock.tick(1);
  await settled();
  assertEquals([page.text, clock.pending], ['"abc" false', 0]);
  assertEquals(seen, ['"" false', '"" true', '"" true', '"" true', '"abc" false']);
});

Deno.test("useDebounce waits for nothing when the value is what it was, or is rendered again", async () => {
  using app = start();
  const { clock, seen, Page } = app;
  await using page = mount(<Page value="a" />);
  page.render(<Page value="b" />);
  clock.tick(200);
  // Rendered for another reason: the time goes on.
  page.render(<Page value="b" />);
  clock.tick(100);
  await settled();
  assertEquals(page.text, '"b" false');
  page.render(<Page value="c" />);
  page.render(<Page value="b" />);
  await settled();
  assertEquals([page.text, clock.pending], ['"b" false', 0]);
  clock.tick(1_000);
  await settled();
  assertEquals(seen.length, 6);
});

Deno.test("useDebounce takes equal objects for the same, and keeps the one that it has", async () => {
  using app = start();
  const { clock, values, Page } = app;
  await using page = mount(<Page value={{ q: "a", tags: ["x"] }} />);
  page.render(<Page value={{ q: "a", tags: ["x"] }} />);
  await settled();
  assertEquals([page.text, clock.pending], ['{"q":"a","tags":["x"]} false', 0]);
  assertStrictEquals(values[1], values[0]);
  page.render(<Page value={{ q: "b", tags: ["x"] }} />);
  clock.tick(300);
  await settled();
  page.render(<Page value={{ q: "b", tags: ["x"] }} />);
  clock.tick(300);
  await settled();
  assertEquals([page.text, clock.pending, values.length], ['{"q":"b","tags":["x"]} false', 0, 5]);
});

Deno.test("useDebounce takes the time that goes with a change", async () => {
  using app = start();
  const { clock, Page } = app;
  await using page = mount(<Page value="a" />);
  page.render(<Page value="b" ms={50} />);
  clock.tick(50);
  await settled();
  assertEquals(page.text, '"b" false');
  page.render(<Page value="c" ms={0} />);
  assertEquals(page.text, '"b" true');
  clock.tick(0);
  await settled();
  assertEquals(page.text, '"c" false');
});

Deno.test("useDebounce leaves no timer when its component goes", async () => {
  using app = start();
  const { clock, seen, Page } = app;
  const page = mount(<Page value="a" />);
  page.render(<Page value="b" />);
  assertEquals(clock.pending, 1);
  page.unmount();
  assertEquals(clock.pending, 0);
  clock.tick(1_000);
  await settled();
  assertEquals(seen.length, 2);
});
