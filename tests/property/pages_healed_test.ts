/**
 * Lists in pages while rows come and go on the server. Whoever asks for what is stale, the list and the pages that were
 * asked for, has a list that is fresh after so many rounds as there are pages: what the list knows to be out of date, its
 * pages say. And what is asked for anew, one page after the other, is what the server has.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, createResource, Entity, resource, typed } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { check, runs } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

const STYLES = ["page", "skip", "after", "token"] as const;
type Style = (typeof STYLES)[number];
const SIZE = 2;
const PAGES = 4;

const ACTS = ["insert", "remove", "delete", "edit", "list", "page", "expire", "expire all", "round"] as const;
type Act = readonly [(typeof ACTS)[number], number];
const act: fc.Arbitrary<Act> = fc.tuple(fc.constantFrom(...ACTS, "page", "page"), fc.nat(11));

async function live(style: Style, isCollection: boolean, together: boolean, acts: readonly Act[]): Promise<void> {
  const clock = new FakeClock();
  using _clock = clock.install();
  let rows = Array.from({ length: 9 }, (_, i) => `r${i * 100}`);
  let count = 0;
  let asked = 0;
  const positionOf = (cursor: string) => rows.filter((id) => Number(id.slice(1)) <= Number(cursor.slice(1))).length;
  const begin: Record<Style, (text: string) => number> = {
    page: (text) => (Number(text) - 1) * SIZE,
    skip: Number,
    after: positionOf,
    token: (text) => positionOf(atob(text)),
  };
  const api = new FaultFetch((request) => {
    asked++;
    const { pathname, searchParams } = new URL(request.url);
    const id = pathname.split("/")[2];
    if (request.method === "DELETE") {
      rows = rows.filter((one) => one !== id);
      return Response.json({ id });
    }
    // What it has made of it, it does not say.
    if (request.method === "PATCH") return new Response(null, { status: 204 });
    const cursor = searchParams.get(style);
    const from = cursor === null ? 0 : begin[style](cursor);
    const results = rows.slice(from, from + SIZE).map((id) => ({ id }));
    const last = results.at(-1)?.id ?? "";
    return Response.json({ results, next: style === "token" && last !== "" ? btoa(last) : last });
  });
  using _api = api.install();
  using controller = new Controller();
  const options = { urlPrefix: "https://api.test", path: "/films/:id", schema: Film, paginationField: style } as const;
  const searchParams = typed<{ page?: string; skip?: string; after?: string; token?: string } | undefined>();
  const live = resource({ ...options, searchParams, list: (films) => ({ results: films, next: "" }) });
  const plain = createResource({ ...options, searchParams }).getList.extend({ schema: { results: [Film], next: "" } });
  const list = (isCollection ? live.getList : plain) as typeof live.getList;
  const getPage = list.paginated(style) as unknown as typeof list;
  const cursors: string[] = [];
  const shown = () => controller.getResponse(list, {}).data?.results?.map(({ id }) => id) ?? [];
  const isFresh = (endpoint: typeof list, args: object) =>
    controller.getResponse(endpoint, args).expiresAt > clock.now();
  const ask = async (tasks: readonly (() => unknown)[]) => {
    if (together) await Promise.all(tasks.map((task) => task()));
    else for (const task of tasks) await task();
    await flush();
  };
  /** Asks for what is stale, as a page does that is mounted anew. */
  const round = () =>
    ask(
      [list, ...cursors].map((one) => () =>
        typeof one === "string" ? controller.fetchIfStale(getPage, { [style]: one }) : controller.fetchIfStale(list, {})
      ),
    );

  await controller.fetch(list, {});
  for (const [what, at] of acts) {
    clock.tick(1);
    if (what === "insert") {
      const before = Number(rows[at % rows.length]?.slice(1) ?? 0);
      const id = `r${before - 50 + ++count / 1_000}`;
      rows = [...new Set([...rows, id])].toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
    } else if (what === "remove") rows.splice(at % rows.length, 1);
    else if (what === "delete") {
      const id = rows[at % rows.length];
      if (id !== undefined && rows.length > 3) await controller.fetch(live.delete, { id });
    } else if (what === "edit") {
      const id = rows[at % rows.length];
      if (id !== undefined) await controller.fetch(live.partialUpdate, { id }, { title: `title ${at}` });
    } else if (what === "list") await controller.fetch(list, {});
    else if (what === "expire") controller.expire(list, {});
    else if (what === "expire all") controller.expireAll(list);
    else if (what === "round") await round();
    else {
      const all = shown();
      const next = {
        page: String(cursors.length + 2),
        skip: String((cursors.length + 1) * SIZE),
        after: all.at(-1) ?? "",
        token: btoa(all.at(-1) ?? ""),
      }[style];
      if (at % 3 === 0 && cursors.length > 0) {
        await controller.fetch(getPage, { [style]: cursors[at % cursors.length]! });
      } else if (cursors.length < PAGES && !cursors.includes(next) && all.length > 0) {
        cursors.push(next);
        await controller.fetch(getPage, { [style]: next });
      }
    }
    await flush();
    assertEquals(shown().length, new Set(shown()).size, "each row is there once");
    const isStale = !isFresh(list, {});
    const stale = cursors.filter((cursor) => !isFresh(getPage, { [style]: cursor }));
    assert(isStale || stale.length === 0, `a list is fresh whose pages are not: ${stale}`);
  }
  for (let rounds = 0; !isFresh(list, {}); rounds++) {
    assert(rounds < 2 * PAGES + 2, `not fresh after ${rounds} rounds: ${cursors}`);
    await round();
  }
  asked = 0;
  await round();
  assertEquals(asked, 0, "what is fresh is not asked for");
  if (style === "after" || style === "token") return;
  controller.expireAll(list);
  await round();
  await round();
  assertEquals(shown(), rows.slice(0, (cursors.length + 1) * SIZE), "what is asked for anew is what the server has");
}

Deno.test("a list in pages that is stale is fresh again once what is stale of it was asked for", async () => {
  await check(
    fc.asyncProperty(fc.constantFrom(...STYLES), fc.boolean(), fc.boolean(), fc.array(act, { maxLength: 14 }), live),
    { name: "pages_healed", runs: runs(1_500, 100_000) },
  );
});

for (const isCollection of [false, true]) {
  Deno.test(`the pages of ${isCollection ? "a collection" : "a list"} that alone is marked stale are asked for, too`, () =>
    live("page", isCollection, false, [["page", 1], ["expire", 0]]));
}
