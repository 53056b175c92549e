/** Lists that are loaded page by page while the server changes: once all is asked for again, they are what it has. */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { DataProvider, type Infinite, useInfinite } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

type Style = "cursor" | "offset" | "page";
interface Params {
  readonly list: string;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly skip?: number | undefined;
  readonly page?: number | undefined;
}
interface PageJson {
  readonly results: readonly { readonly id: string; readonly title: string }[];
  readonly next: string;
  readonly previous: string;
}

const SIZE = 2;

/** Rows of two lists, and requests that are answered when the test says so, with what there is then. */
class Rows {
  readonly lists: Record<string, string[]> = { a: [], b: ["b0", "b1", "b2"] };
  readonly asked: { answer(): void; fail(): void; readonly signal: AbortSignal | undefined }[] = [];
  #count = 0;

  constructor(size: number) {
    for (let i = 0; i < size; i++) this.insert(i);
  }

  insert(at: number): void {
    const rows = this.lists.a!;
    rows.splice(at % (rows.length + 1), 0, `a${this.#count++}`);
  }

  remove(at: number): void {
    const rows = this.lists.a!;
    if (rows.length > 0) rows.splice(at % rows.length, 1);
  }

  page({ list, after, before, skip, page }: Params): PageJson {
    const rows = this.lists[list]!;
    // A cursor of a row that is gone: what servers do that keep an order of ids.
    const position = (id: string) => rows.includes(id) ? rows.indexOf(id) : 0;
    const from = after !== undefined
      ? rows.includes(after) ? position(after) + 1 : 0
      : before !== undefined
      ? Math.max(0, position(before) - SIZE)
      : skip ?? ((page ?? 1) - 1) * SIZE;
    const ids = rows.slice(from, from + SIZE);
    return {
      results: ids.map((id) => ({ id, title: `Film ${id}` })),
      next: from + SIZE < rows.length && ids.length > 0 ? ids.at(-1)! : "",
      previous: from > 0 && ids.length > 0 ? ids[0]! : "",
    };
  }

  endpoint() {
    const ask = (signal: AbortSignal | undefined, params: Params): Promise<PageJson> =>
      new Promise((resolve, reject) => {
        const one = {
          signal,
          answer: () => resolve(this.page(params)),
          fail: () => reject(new Error("no luck")),
        };
        signal?.addEventListener("abort", () => {
          this.asked.splice(this.asked.indexOf(one), 1);
          reject(signal.reason);
        });
        this.asked.push(one);
      });
    return new Endpoint(
      function (this: { readonly signal?: AbortSignal }, params: Params) {
        return ask(this.signal, params);
      },
      { name: "getPage", schema: { results: [Film], next: "", previous: "" } },
    );
  }

  /** Answers one request, or lets it fail. */
  settle(at: number, isGood: boolean): void {
    const [one] = this.asked.splice(at % Math.max(1, this.asked.length), 1);
    if (isGood) one?.answer();
    else one?.fail();
  }
}

const STEPS = {
  cursor: ({ next }: PageJson) => next && { after: next, before: undefined },
  offset: ({ next }: PageJson, { skip = 0 }: Partial<Params>) => next && { skip: skip + SIZE },
  page: ({ next }: PageJson, { page = 1 }: Partial<Params>) => next && { page: page + 1 },
};
const previous = ({ previous }: PageJson) => previous && { before: previous, after: undefined };

type Act =
  | readonly ["next" | "previous" | "refetch" | "expire" | "invalidate" | "render" | "remount" | "other"]
  | readonly ["insert" | "remove" | "answer" | "fail", number];

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(["next"] as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...(["previous", "refetch", "expire", "invalidate", "render", "remount", "other"] as const).map((name) =>
        [name] as const
      ),
    ),
  },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom("insert" as const, "remove" as const), fc.nat(9)) },
  { weight: 8, arbitrary: fc.tuple(fc.constant("answer" as const), fc.nat(9)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("fail" as const), fc.nat(9)) },
);

/** One life of a component with a list; what it shows at the end is looked at. */
async function live(style: Style, size: number, maxPages: number | undefined, acts: readonly Act[]): Promise<void> {
  const clock = new FakeClock();
  using _ = clock.install();
  const rows = new Rows(size);
  const controller = new Controller({ strict: true });
  const getPage = rows.endpoint();
  let shown: Infinite<PageJson> | undefined;
  let list = "a";
  function List({ list }: { readonly list: string }) {
    shown = useInfinite(getPage, [{ list }], {
      next: STEPS[style] as never,
      ...style === "cursor" && { previous: previous as never },
      maxPages,
    }) as unknown as Infinite<PageJson>;
    const { items, pages, loading, isFetchingNext, isFetchingPrevious, hasNext } = shown;
    assertEquals(new Set(items).size, items.length);
    assert(!loading || pages.length === 0);
    assert(!(isFetchingNext && isFetchingPrevious));
    assert(pages.length > 0 || !hasNext);
    return <>{items.map(({ id }) => id).join(" ")}</>;
  }
  const tree = (isThere = true) => (
    <DataProvider controller={controller}>{isThere && <List list={list} />}</DataProvider>
  );
  const app = mount(tree());
  try {
    for (const [name, at] of acts) {
      if (name === "next") shown!.next();
      else if (name === "previous") shown!.previous();
      else if (name === "refetch") shown!.refetch();
      else if (name === "expire") controller.expireAll(getPage);
      else if (name === "invalidate") controller.invalidateAll(getPage);
      else if (name === "insert") rows.insert(at!);
      else if (name === "remove") rows.remove(at!);
      else if (name === "answer" || name === "fail") rows.settle(at!, name === "answer");
      else if (name === "render") app.render(tree());
      else if (name === "remount") {
        app.render(tree(false));
        app.render(tree());
      } else {
        list = list === "a" ? "b" : "a";
        app.render(tree());
      }
      await settled();
    }
    const drain = async () => {
      for (let i = 0; i < 500 && rows.asked.length > 0; i++) {
        rows.settle(0, true);
        await settled();
      }
      assertEquals(rows.asked.length, 0, "it asks without end");
    };
    await drain();
    let isDone = false;
    shown!.refetch().finally(() => isDone = true);
    await settled();
    await drain();
    await settled();
    assert(isDone);
    const { items, pages, error, loading, hasNext, hasPrevious } = shown!;
    const all = rows.lists[list]!;
    const ids = items.map(({ id }) => id);
    const from = ids.length === 0 ? 0 : all.indexOf(ids[0]!);
    assertEquals(ids, all.slice(from, from + ids.length), "a part of what the server has, in its order");
    assertEquals([error, loading, app.text], [undefined, false, ids.join(" ")]);
    assert(pages.length > 0 && pages.length <= (maxPages ?? Infinity));
    // Of a last page that has become empty, nobody knows where it is.
    if (ids.length > 0) assertEquals(hasNext, from + ids.length < all.length);
    if (maxPages === undefined && style !== "cursor") assertEquals([from, hasPrevious], [0, false]);
  } finally {
    app.unmount();
    await settled();
    controller.cleanup();
  }
  assertEquals([rows.asked.length, clock.pending], [0, 0]);
}

Deno.test("useInfinite ends with what the server has, whatever happened meanwhile", async () => {
  const style = fc.constantFrom<Style>("cursor", "offset", "page");
  const maxPages = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
  await check(
    fc.asyncProperty(style, fc.nat(9), maxPages, fc.array(act, { maxLength: 25 }), live),
    { name: "useInfinite", runs: runs(1_000, 100_000) },
  );
});
