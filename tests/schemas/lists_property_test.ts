/**
 * Rule 25 against a model of a server: after random creates, edits and deletes, each list is what the server would
 * reply, or it is stale. No list is wrong and fresh. The lists have filters, a search text, a page, an order, and an
 * argument that is no member.
 */
import { assert } from "@std/assert";
import { Controller, Entity, resource } from "@rejoin/data";
import { randomOf, RUNS } from "../property/random.ts";

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  year = 0;
  static key = "Film";
}
interface Row {
  readonly id: string;
  readonly title: string;
  readonly genre: string;
  readonly year: number;
}
const LISTS: readonly Record<string, string | number>[] = [
  {},
  { genre: "a" },
  { genre: "b" },
  { genre: "a", year: 1 },
  { year: 2 },
  { q: "x" },
  { genre: "a", q: "y" },
  { page: 1 },
  { genre: "b", page: 2 },
  { sort: "title" },
  { genre: "a", sort: "-year" },
  { since: 2 },
  { maker: "m" },
];

/** The server's reply. It filters, searches titles, sorts by arrival or a member, and knows the maker of each film. */
function answer(rows: readonly Row[], args: Record<string, any>): Row[] {
  let found = rows.filter((row) =>
    (args.genre === undefined || row.genre === args.genre) && (args.year === undefined || row.year === args.year) &&
    (args.q === undefined || row.title.includes(args.q)) && (args.since === undefined || row.year >= args.since) &&
    (args.maker === undefined || Number(row.id) % 2 === 0)
  );
  const [, sign, name] = /(-?)(\w+)/.exec(args.sort ?? "") ?? [];
  if (name) {
    const of = (row: any) => row[name];
    found = found.toSorted((a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0) * (sign ? -1 : 1));
  }
  return args.page === undefined ? found : found.slice(args.page * 2 - 2, args.page * 2);
}

/** Runs up to 20 random steps, and checks all lists after each. */
async function live(seed: number): Promise<void> {
  const below = randomOf(seed), pick = <T>(of: readonly T[]): T => of[below(of.length)]!, optimistic = below(2) > 0;
  const body = () => ({ genre: pick(["a", "b", "c"]), year: 1 + below(3), title: pick(["x", "y", "xy", ""]) });
  let rows: Row[] = [], count = 0;
  const base = resource({
    path: "/films/:id",
    schema: Film,
    optimistic,
    filters: { since: (film: Film, value: string) => film.year >= Number(value) },
    displayArgs: ["page"],
  });
  const reply = (value: unknown) => ({ fetch: () => Promise.resolve(value) });
  using controller = new Controller();
  const send = async (endpoint: any, value: unknown, ...args: any[]) =>
    await controller.fetch(endpoint.extend(reply(value)), ...args);
  const shown = (args: object): { ids: string; isFresh: boolean } | undefined => {
    const { data, expiresAt } = controller.getResponse(base.getList, args as never) as any;
    return data && { ids: data.map(({ id }: Row) => id).join(), isFresh: expiresAt > 0 };
  };
  const read = (args: object) => controller.setResponse(base.getList, args as never, answer(rows, args) as never);
  for (let steps = 1 + below(20); steps; steps--) {
    const row = rows[below(10)], does = pick(["create", "edit", "delete", "read", "edit"]);
    if (does === "read") read(pick(LISTS));
    else if (does === "create") {
      const sent = body(), created = { id: `${++count}`, ...sent };
      rows = [...rows, created];
      await send(base.create, created, sent);
    } else if (row && does === "edit") {
      const change: any = body();
      for (const name in change) if (below(2)) delete change[name];
      const edited: Row = { ...row, ...change };
      rows = rows.map((other) => other === row ? edited : other);
      await send(base.partialUpdate, edited, { id: row.id }, change);
    } else if (row) {
      rows = rows.filter((other) => other !== row);
      await send(base.delete, { id: row.id }, { id: row.id });
    }
    for (const args of LISTS) {
      const list = shown(args), right = answer(rows, args).map(({ id }) => id).join();
      assert(
        !list?.isFresh || list.ids === right,
        `seed ${seed}, ${does} ${JSON.stringify(args)}: ${list?.ids} is fresh, not ${right}`,
      );
      // In half of the states a stale list is fetched again, as if it were mounted.
      if (list && !list.isFresh && count % 2) read(args);
    }
  }
}

Deno.test("rule 25: a list is what the server would reply, or it is stale", async () => {
  for (let seed = 0; seed < RUNS; seed++) await live(seed);
});
