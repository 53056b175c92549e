/** What hooks start is over when their components are gone, however often they come and go. */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint } from "@rejoin/data";
import {
  DataProvider,
  useCancelling,
  useController,
  useDebounce,
  useInfinite,
  useLoading,
  useMutation,
  usePrefetch,
} from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { uncaught } from "../support/uncaught.ts";

Deno.test("hooks that change, wait or load more leave no request, timer or error behind when their components go", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller({ strict: true });
  const open = new Set<AbortSignal>();
  let asked = 0;
  const wait = function (this: { readonly signal?: AbortSignal }, _params: object): Promise<number[]> {
    const { signal } = this;
    return new Promise((_, reject) => {
      asked++;
      open.add(signal!);
      signal!.addEventListener("abort", () => {
        open.delete(signal!);
        reject(signal!.reason);
      });
    });
  };
  const read = new Endpoint(wait, { name: "read" });
  const save = new Endpoint(async (_: object) => await Promise.resolve(1), { name: "save", sideEffect: true });
  function Row({ n }: { readonly n: number }) {
    const { mutate, isPending } = useMutation(save);
    const [run, isLoading] = useLoading(async () => await Promise.resolve());
    const cancelling = useCancelling(read, { n });
    const [rested, isWaiting] = useDebounce(n, 300);
    const { items, loading } = useInfinite(read, [{ list: n }], { next: () => null });
    const controller = useController();
    usePrefetch();
    calls.add(() => {
      mutate({});
      run();
      controller.fetch(cancelling, { n }).catch(() => {});
    });
    return <>{[isPending, isLoading, rested, isWaiting, items.length, loading].join()}</>;
  }
  const calls = new Set<() => void>();
  const tree = (rows: readonly number[]) => (
    <DataProvider controller={controller}>{rows.map((n, at) => <Row key={at} n={n} />)}</DataProvider>
  );
  await using app = mount(tree([]));
  const errors = await uncaught(async () => {
    for (let round = 0; round < 50; round++) {
      const rows = Array.from({ length: 20 }, (_, at) => at * 100 + round);
      app.render(tree(rows));
      app.render(tree(rows.map((n) => n + 50)));
      for (const call of calls) call();
      calls.clear();
      if (round % 2 === 0) await settled();
      app.render(tree(rows.slice(0, 5)));
      app.render(tree([]));
      calls.clear();
    }
    await settled();
  });
  assert(asked > 1_000, `${asked} requests`);
  assertEquals([errors, open.size, clock.pending, app.text], [[], 0, 0, ""]);
  await controller.allSettled();
  controller.cleanup();
});
