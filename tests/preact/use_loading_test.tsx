import { settled } from "../support/dom.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { useLoading } from "@rejoin/data/preact";
import { renderDataHook } from "@rejoin/data/testing";
import { uncaught } from "../support/uncaught.ts";
import { Server } from "./_cinema.tsx";

/** A hook whose function asks a server that answers when the test says so. */
function start() {
  const server = new Server();
  const ask = server.handle<[text: string], string>("ask");
  const seen: string[] = [];
  const hook = renderDataHook(({ prefix }) => {
    const loading = useLoading((text: string) => ask.call({}, prefix + text));
    seen.push(`${loading[1]} ${loading[2]?.message}`);
    return loading;
  }, { initialProps: { prefix: "" } });
  return { server, seen, hook, [Symbol.asyncDispose]: () => hook[Symbol.asyncDispose]() };
}

Deno.test("useLoading tells that its function runs, and what it failed with; the next call takes that away", async () => {
  await using page = start();
  const { server, seen, hook } = page;
  const [run] = hook.result.current!;
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
  await using page = start();
  const { server, hook: { rerender, result: { history } } } = page;
  rerender({ prefix: "x" });
  assertEquals([history.length, new Set(history).size, new Set(history.map(([run]) => run)).size], [2, 1, 1]);
  history[0]![0]("a").catch(() => {});
  assertEquals(server.last.args, ["xa"]);
});

Deno.test("useLoading shows what the latest call ends with, and gives each its own result", async () => {
  await using page = start();
  const { server, seen, hook } = page;
  const [run] = hook.result.current!;
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
  let end: (() => void) | undefined;
  await using hook = renderDataHook(() => useLoading(() => new Promise<void>((resolve) => end = resolve))[0]);
  hook.result.current!();
  await settled();
  end!();
  await settled();
  assertEquals(hook.result.renders, 1);
});

Deno.test("useLoading leaves an error that nobody is shown to the platform", async () => {
  const boom = () => Promise.reject(new Error("no luck"));
  for (const [looks, isShown, count] of [[false, true, 1], [true, true, 0], [true, false, 1]] as const) {
    await using hook = renderDataHook(() => {
      const loading = useLoading(boom);
      return { run: loading[0], error: looks ? loading[2] : undefined };
    });
    const { run } = hook.result.current!;
    if (!isShown) hook.unmount();
    const errors = await uncaught(async () => {
      run();
      await settled();
    });
    assertEquals(errors.map((error) => (error as Error).message), Array(count).fill("no luck"));
  }
});

Deno.test("useLoading takes what a function throws at once, or gives at once, and an abort for no error", async () => {
  const thrown: unknown[] = ["in words", new DOMException("gone", "AbortError"), undefined];
  await using hook = renderDataHook(() => {
    const [run, isLoading, error] = useLoading(() => {
      if (thrown.length > 0) throw thrown.shift();
      return 5;
    });
    return { run, isLoading, error };
  });
  const { result } = hook;
  const texts: string[] = [];
  const shown: unknown[] = [];
  const errors = await uncaught(async () => {
    for (let i = 0; i < 3; i++) {
      result.current!.run();
      await settled();
      texts.push(`${result.current!.isLoading} ${result.current!.error?.message}`);
      shown.push(result.current!.error instanceof Error);
    }
  });
  assertEquals([texts, errors], [["false in words", "false undefined", "false undefined"], []]);
  assertEquals(shown[2], true);
  assertEquals(await result.current!.run(), 5);
  await settled();
  assertEquals([result.current!.isLoading, result.current!.error], [false, undefined]);
});
