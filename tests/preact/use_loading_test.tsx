import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Loading, useLoading } from "@rejoin/data/preact";
import { uncaught } from "../support/uncaught.ts";
import { press, Server } from "./_cinema.tsx";

/** A component whose function asks a server that answers when the test says so. */
function start() {
  const server = new Server();
  const ask = server.handle<[text: string], string>("ask");
  const seen: string[] = [];
  const given: Loading<[text: string], string>[] = [];
  function Page({ prefix = "" }: { readonly prefix?: string }) {
    const loading = useLoading((text: string) => ask.call({}, prefix + text));
    given.push(loading);
    const [, isLoading, error] = loading;
    seen.push(`${isLoading} ${error?.message}`);
    return <>{seen.at(-1)}</>;
  }
  return { server, seen, given, Page };
}

Deno.test("useLoading tells that its function runs, and what it failed with; the next call takes that away", async () => {
  const { server, seen, given, Page } = start();
  await using _ = mount(<Page />);
  const [run] = given[0]!;
  assertEquals(
    await uncaught(async () => {
      run("a");
      await settled();
      server.last.fail(new Error("no luck"));
      await settled();
    }),
    [],
  );
  assertEquals(seen, ["false undefined", "true undefined", "false no luck"]);
  const again = run("b");
  await settled();
  server.last.answer("done");
  assertEquals(await again, "done");
  await settled();
  assertEquals(seen.slice(3), ["true undefined", "false undefined"]);
  assertEquals(server.asked.map(({ args }) => args), [["a"], ["b"]]);
});

Deno.test("useLoading gives the same function, which calls the one of the last rendering", async () => {
  const { server, given, Page } = start();
  await using page = mount(<Page />);
  page.render(<Page prefix="x" />);
  await settled();
  assertEquals([given.length, new Set(given).size, new Set(given.map(([run]) => run)).size], [2, 1, 1]);
  given[0]![0]("a").catch(() => {});
  assertEquals(server.last.args, ["xa"]);
});

Deno.test("useLoading shows what the latest call ends with, and gives each its own result", async () => {
  const { server, seen, given, Page } = start();
  await using _ = mount(<Page />);
  const [run] = given[0]!;
  const [first, second, third] = [run("1"), run("2"), run("3")];
  await settled();
  server.asked[2]!.answer("three");
  assertEquals(await third, "three");
  await settled();
  server.asked[0]!.answer("one");
  server.asked[1]!.fail(new Error("two"));
  assertEquals(await first, "one");
  await assertRejects(() => second!, Error, "two");
  await settled();
  assertEquals(seen, ["false undefined", "true undefined", "false undefined"]);
});

Deno.test("useLoading runs nobody who takes the function only", async () => {
  let renders = 0;
  let end: (() => void) | undefined;
  function Button() {
    renders++;
    const [run] = useLoading(() => new Promise<void>((resolve) => end = resolve));
    return <button type="button" onClick={run}>save</button>;
  }
  await using page = mount(<Button />);
  press(page.find("button"));
  await settled();
  end!();
  await settled();
  assertEquals(renders, 1);
});

Deno.test("useLoading leaves an error that nobody is shown to the platform", async () => {
  let run: (() => Promise<never>) | undefined;
  const boom = () => Promise.reject(new Error("no luck"));
  function Blind() {
    [run] = useLoading(boom);
    return null;
  }
  function Seeing() {
    const loading = useLoading(boom);
    [run] = loading;
    return <>{loading[2]?.message}</>;
  }
  for (
    const [Page, isShown, count] of [[Blind, true, 1], [Seeing, true, 0], [Seeing, false, 1]] as const
  ) {
    await using page = mount(<Page />);
    if (!isShown) page.unmount();
    const errors = await uncaught(async () => {
      run!();
      await settled();
    });
    assertEquals(errors.map((error) => (error as Error).message), Array(count).fill("no luck"));
  }
});

Deno.test("useLoading takes what a function throws at once, or gives at once, and an abort for no error", async () => {
  const thrown: unknown[] = ["in words", new DOMException("gone", "AbortError"), undefined];
  let loading: Loading<[], number> | undefined;
  function Page() {
    loading = useLoading(() => {
      if (thrown.length > 0) throw thrown.shift();
      return 5;
    });
    return <>{`${loading[1]} ${loading[2]?.message}`}</>;
  }
  await using page = mount(<Page />);
  const texts: string[] = [];
  const errors = await uncaught(async () => {
    for (let i = 0; i < 3; i++) {
      loading![0]();
      await settled();
      texts.push(page.text);
    }
  });
  assertEquals([texts, errors], [["false in words", "false undefined", "false undefined"], []]);
  assert(loading![2] instanceof Error);
  assertEquals(await loading![0](), 5);
  await settled();
  assertEquals([page.text, loading![2]], ["false undefined", undefined]);
});
