/** Shows each line of docs/limits.md. Each test has the first words of its line as name. */
import { effect } from "@preact/signals-core";
import { signalOf } from "@rejoin/data/signals";
import { assert, assertEquals } from "@std/assert";
import {
  conditional,
  Controller,
  createResource,
  Endpoint,
  Entity,
  idempotencyKey,
  isTemporary,
  Lazy,
  memory,
  NetworkError,
  resource,
  RestEndpoint,
  serial,
  stateOf,
  Union,
} from "@rejoin/data";
import { type Asked, serve } from "../support/api.ts";
import { mount } from "../support/wired.ts";

class Film extends Entity {
  id = "";
  title = "";
  year: number | undefined = undefined;
  static key = "Film";
}
const path = "/films/:id";
const film = (id: string, more: object = {}) => ({ id, title: `Film ${id}`, ...more });
const wait = (ms: number) => new Promise((go) => setTimeout(go, ms));
const until = async (look: () => unknown) => {
  while (!look()) await wait(1);
};

const shown: string[] = [];
/** Tests one or several lines on a server. */
function limit(
  line: string,
  answer: (asked: Asked) => unknown,
  run: (urlPrefix: string, asked: Asked[]) => Promise<void>,
) {
  shown.push(line);
  Deno.test(`limits: ${line}`, async () => {
    await using api = serve(answer);
    await run(api.urlPrefix, api.asked);
  });
}
/** Asserts that another file tests a line. */
function shownIn(line: string, file: string, name: string) {
  shown.push(line);
  Deno.test(`limits: ${line}: see tests/${file}`, async () => {
    assert(
      (await Deno.readTextFile(new URL(`../${file}`, import.meta.url))).includes(name),
      `${file} has no test "${name}"`,
    );
  });
}
const ids = (list: readonly { id: string }[] | undefined) => list?.map(({ id }) => id).join();

limit(
  "A new item joins a plain list at its end",
  ({ method }) => method === "GET" ? [film("9"), film("1")] : film("5"),
  async (urlPrefix) => {
    const { getList, create } = resource({ urlPrefix, path, schema: Film }), c = new Controller();
    await c.fetch(getList);
    await c.fetch(create, { title: "Film 5" });
    assertEquals(ids(c.getResponse(getList).data), "9,1,5");
  },
);
limit(
  "A count beside a list (`total`)",
  ({ method }) => method === "GET" ? { films: [film("1")], total: 1 } : film("2"),
  async (urlPrefix) => {
    const R = resource({ urlPrefix, path, schema: Film, list: (films) => ({ films, total: 0 }) }), c = new Controller();
    await c.fetch(R.getList);
    await c.fetch(R.create, { title: "Film 2" });
    const { films, total } = c.getResponse(R.getList).data!;
    assertEquals([ids(films), total], ["1,2", 1]);
    await c.fetch(R.create.extend({ expires: () => [R.getList] }), { title: "Film 2" });
    assert(c.getResponse(R.getList).expiresAt <= Date.now(), "what to do instead");
  },
);
limit(
  "An edit moves no rows of the plain arrays",
  ({ method }) => method === "GET" ? [film("1", { year: 1999 })] : film("1", { year: 2000 }),
  async (urlPrefix) => {
    const options = { urlPrefix, path, schema: Film } as const;
    for (const [R, isStale] of [[createResource(options), false], [resource(options), true]] as const) {
      const { partialUpdate } = R, getList = R.getList as RestEndpoint<any>, c = new Controller();
      await c.fetch(getList, { year: 1999 });
      await c.fetch(partialUpdate, { id: "1" }, { year: 2000 });
      const { data, expiresAt } = c.getResponse(getList, { year: 1999 });
      assertEquals([ids(data), expiresAt <= Date.now()], ["1", isStale]);
    }
  },
);
limit("`controller.set` of a record joins no list", () => [film("1")], async (urlPrefix) => {
  const { getList } = resource({ urlPrefix, path, schema: Film }), c = new Controller(), first = c.fetch(getList);
  c.set(getList.push.schema, film("2")); // the list is not there yet
  await first;
  c.set(Film, film("2"), film("2"));
  assertEquals([ids(c.getResponse(getList).data), c.get(Film, { id: "2" })?.title], ["1", "Film 2"]);
  c.set(getList.push.schema, film("2"));
  assertEquals(ids(c.getResponse(getList).data), "1,2", "what to do instead");
});
const rows = ["1", "2", "3", "4"];
limit("Where rows shift between two pages", ({ search }) => {
  const from = Number(new URLSearchParams(search).get("from"));
  return { films: rows.slice(from, from + 2).map((id) => film(id)) };
}, async (urlPrefix) => {
  const R = resource({ urlPrefix, path, schema: Film, paginationField: "from", list: (films) => ({ films }) }),
    c = new Controller();
  await c.fetch(R.getList);
  rows.shift(); // by another user
  await c.fetch(R.getList.getPage, { from: 2 });
  assertEquals(ids(c.getResponse(R.getList).data?.films), "1,2,4");
});
limit(
  "Numbers that a server computes of records",
  ({ path }) => path === "/stats" ? { films: 1 } : film("2"),
  async (urlPrefix) => {
    const { create } = resource({ urlPrefix, path, schema: Film }),
      stats = new RestEndpoint({ urlPrefix, path: "/stats" });
    const c = new Controller();
    await c.fetch(stats);
    await c.fetch(create, { title: "Film 2" });
    assertEquals(c.getResponse(stats).data, { films: 1 });
  },
);
limit("A detail is served from a list although members are missing", () => [film("1")], async (urlPrefix, asked) => {
  const { getList, get } = resource({ urlPrefix, path, schema: Film }), c = new Controller();
  await c.fetch(getList);
  assertEquals([(await c.fetchIfStale(get, { id: "1" })).year, asked.length], [undefined, 1]);
  class Whole extends Film {
    static override validate = ({ year }: { year?: number }) => year === undefined && "no year";
  }
  assertEquals(c.getResponse(get.extend({ schema: Whole }), { id: "1" }).data, undefined, "what to do instead");
});
limit("Time alone asks nothing", () => [film("1")], async (urlPrefix, asked) => {
  const { getList } = resource({ urlPrefix, path, schema: Film, dataExpiryLength: 1 }), c = new Controller();
  const reader = mount(c, getList);
  await until(() => reader.data);
  await wait(50);
  assertEquals([asked.length, c.getResponse(getList).expiresAt <= Date.now(), ids(reader.data)], [1, true, "1"]);
  reader.stop();
});
limit(
  "Messages and `controller.set` expire no searches and no details",
  ({ path }) => path === "/films" ? [film("1")] : film("1"),
  async (urlPrefix) => {
    const { getList, get } = resource({ urlPrefix, path, schema: Film }), c = new Controller();
    await c.fetch(getList, { q: "film" });
    await c.fetch(get, { id: "1" });
    c.set(Film, { id: "1" }, { title: "Another" });
    for (const { expiresAt } of [c.getResponse(getList, { q: "film" }), c.getResponse(get, { id: "1" })]) {
      assert(
        expiresAt > Date.now(),
      );
    }
  },
);
shownIn(
  "What a stream said while it was broken is lost",
  "parts/streams_test.ts",
  "goes on where it was after the server",
);
let active = 0, peak = 0, wanted = 2;
limit("Two edits of one record may reach the server in the wrong order", async () => {
  peak = Math.max(peak, ++active);
  await until(() => peak >= wanted);
  active--;
  return film("1");
}, async (urlPrefix) => {
  for (const [scope, most] of [[undefined, 2], [serial("record"), 1]] as const) {
    const { partialUpdate } = resource({ urlPrefix, path, schema: Film, ...scope ? { scope } : {} }),
      c = new Controller();
    peak = 0;
    wanted = most;
    await Promise.all(["a", "b"].map((title) => c.fetch(partialUpdate, { id: "1" }, { title })));
    assertEquals(peak, most, "in flight at once");
  }
});
let isSecondIn = false;
limit("Of two overlapping edits of one member", async ({ body }) => {
  const { title } = JSON.parse(body);
  await until(() => isSecondIn || title === "second");
  return film("1", { title });
}, async (urlPrefix) => {
  const { partialUpdate } = resource({ urlPrefix, path, schema: Film }), c = new Controller();
  const calls = ["first", "second"].map((title) => c.fetch(partialUpdate, { id: "1" }, { title }));
  await calls[1];
  isSecondIn = true;
  await Promise.all(calls);
  assertEquals(c.get(Film, { id: "1" })?.title, "first");
});
limit("Objects that are read are not frozen", () => film("1"), async (urlPrefix) => {
  const { get } = resource({ urlPrefix, path, schema: Film }),
    c = new Controller(),
    reader = mount(c, get, { id: "1" });
  await until(() => reader.data);
  const told = reader.count();
  (reader.data as { title: string }).title = "Changed in place";
  assertEquals([Object.isFrozen(reader.data), reader.count()], [false, told]);
  c.set(Film, { id: "1" }, { title: "Set" });
  assertEquals([reader.data.title, reader.count()], ["Set", told + 1], "what to do instead");
  reader.stop();
});
limit(
  "A mutation is never sent again by itself",
  () => new Response(null, { status: 503, headers: { "retry-after": "0" } }),
  async (urlPrefix, asked) => {
    for (const [use, times] of [[[], 1], [[idempotencyKey()], 3]] as const) {
      const { create } = resource({ urlPrefix, path, schema: Film, use }), before = asked.length;
      const error = await new Controller().fetch(create, { title: "x" }).catch((error) => error);
      assertEquals([error instanceof NetworkError, asked.length - before], [true, times]);
    }
  },
);
limit(
  "A temporary id in a body becomes the pk as text",
  ({ method, path, body }) =>
    method === "GET" ? [] : path === "/films" ? { ...film("7"), id: 7 } : { id: "n", ...JSON.parse(body) },
  async (urlPrefix, asked) => {
    class Note extends Entity {
      id = "";
      film = "";
      text = "";
      static key = "Note";
    }
    const R = resource({ urlPrefix, path, schema: Film, optimistic: true }), c = new Controller();
    const notes = resource({ urlPrefix, path: "/notes/:id", schema: Note });
    await c.fetch(R.getList);
    const create = c.fetch(R.create, { title: "New" }), [pending] = c.getResponse(R.getList).data!, { id } = pending!;
    assert(isTemporary(pending!));
    const note = c.fetch(notes.create, { film: id, text: `see /films/${id}` });
    await Promise.all([create, note]);
    assertEquals(JSON.parse(asked.at(-1)!.body), { film: "7", text: `see /films/${id}` });
  },
);
const newer = Promise.withResolvers<void>();
limit("A class with its own `merge` gets members from an older answer", async ({ path }) => {
  if (path.endsWith("old")) await newer.promise;
  return path.endsWith("old") ? { id: "1", seen: ["a"], year: 1999 } : { id: "1", seen: ["b"] };
}, async (urlPrefix) => {
  class Seen extends Entity {
    id = "";
    seen: string[] = [];
    year = 0;
    static key = "Seen";
    static override merge = (existing: any, incoming: any) => ({
      ...existing,
      ...incoming,
      seen: [...existing.seen, ...incoming.seen],
    });
  }
  const c = new Controller(), read = (path: string) => c.fetch(new RestEndpoint({ urlPrefix, path, schema: Seen }));
  const old = read("/old");
  await read("/new");
  newer.resolve();
  await old;
  const { seen, year } = c.get(Seen, { id: "1" })!;
  assertEquals([seen, year], [["b"], 1999]);
});
limit(
  "A `Union` asked by a pk alone",
  ({ method }) => method === "GET" && [{ type: "film", ...film("1") }, { type: "person", id: "1" }],
  async (urlPrefix) => {
    class Person extends Entity {
      id = "";
      static key = "Person";
    }
    const all = new Union({ film: Film, person: Person }, "type"), c = new Controller();
    const getAll = new RestEndpoint({ urlPrefix, path: "/all", schema: [all] });
    await c.fetch(getAll);
    assertEquals(c.get(all, { id: "1" }), undefined);
    assert(c.get(all, { id: "1", type: "person" }) instanceof Person, "what to do instead");
    const R = resource({ urlPrefix, path: "/all/:id", schema: all, optimistic: true }) as any;
    // Its reply, `false`, has no tag either.
    await c.fetch(R.partialUpdate, { id: "1" }, { title: "New" });
    assertEquals([c.get(Film, "1")?.title, c.getResponse(getAll).expiresAt > 0], ["Film 1", true]);
    for (const [params, isShown] of [[{ id: "1" }, true], [{ id: "1", type: "film" }, false]] as const) {
      void c.fetch(R.delete, params).catch(() => {});
      assertEquals(!!c.get(Film, { id: "1" }), isShown);
    }
    await c.allSettled();
  },
);
limit(
  "Where the envelope of a mutation has two records",
  () => ({ film: film("1"), next: film("2") }),
  async (urlPrefix) => {
    const R = resource({ urlPrefix, path, schema: Film, optimistic: true }), c = new Controller();
    const create = R.create.extend({ schema: { film: Film, next: Film } }),
      shown = () => c.get(Film, { id: "1" })?.title;
    const own = create.extend({ getOptimisticResponse: (_snapshot, body) => ({ film: { id: "1", ...body } }) });
    const one = c.fetch(create, { title: "Film 1" });
    assertEquals(shown(), undefined);
    const two = c.fetch(own, { title: "Film 1" });
    assertEquals(shown(), "Film 1", "what to do instead");
    await Promise.all([one, two]);
  },
);
limit(
  "An error that is shown is not asked again on a timer",
  () => new Response("{}", { status: 403 }),
  async (urlPrefix, asked) => {
    const { get } = resource({ urlPrefix, path, schema: Film, errorExpiryLength: 1 }), c = new Controller();
    const reader = mount(c, get, { id: "1" });
    await until(() => reader.error);
    await wait(50);
    assertEquals([asked.length, reader.error.status], [1, 403]);
    reader.stop();
  },
);
limit("With `memory()`, what only a script has read", () => film("1"), async (urlPrefix) => {
  using c = new Controller({ use: [memory({ keep: 10 })] });
  // A read by `controller.get` would be a use.
  const sweeps = () => until(() => !c.store.table("Film").rows.size);
  await c.fetch(resource({ urlPrefix, path, schema: Film }).get, { id: "1" });
  assertEquals(c.get(Film, { id: "1" })?.title, "Film 1");
  await sweeps();
  class Shelf extends Entity {
    id = "";
    films = [] as string[];
    static key = "Shelf";
    static schema = { films: new Lazy([Film]) };
  }
  const get = new Endpoint(() => Promise.resolve({ id: "s", films: [film("1")] }), { name: "shelf", schema: Shelf });
  await c.fetch(get);
  const stop = effect(() => void signalOf(c, get).value);
  await sweeps();
  assertEquals(c.getResponse(get).data?.films.length, 1);
  stop();
});
shownIn(
  "A state has no pending mutations and no errors",
  "parts/state_test.ts",
  "state: what is pending, failed, hidden or temporary stays at home",
);
limit("Other tabs and windows hear nothing of this one", () => film("1"), async (urlPrefix) => {
  const { get } = resource({ urlPrefix, path, schema: Film }), here = new Controller(), there = new Controller();
  await here.fetch(get, { id: "1" });
  assertEquals([there.get(Film, { id: "1" }), stateOf(there).answers.length], [undefined, 0]);
});
limit(
  "`conditional()` keeps bodies in memory only",
  ({ headers }) =>
    headers.has("if-none-match")
      ? new Response(null, { status: 304 })
      : Response.json(film("1"), { headers: { etag: '"1"' } }),
  async (urlPrefix, asked) => {
    for (let reload = 0; reload < 2; reload++) {
      const { get } = resource({ urlPrefix, path, schema: Film, use: [conditional()] }), c = new Controller();
      for (let time = 0; time < 2; time++) await c.fetch(get, { id: "1" });
    }
    assertEquals(asked.map(({ headers }) => headers.has("if-none-match")), [false, true, false, true]);
  },
);
limit(
  "A body that is a stream is sent once",
  ({ method }) => method === "GET" ? film("1") : new Response(null, { status: 503 }),
  async (urlPrefix, asked) => {
    const c = new Controller(), options = { urlPrefix, path: "/up", retry: 2 } as const;
    const find = new RestEndpoint({ ...options, method: "POST", sideEffect: false, body: {} as ReadableStream });
    await find(new Blob(["x"]).stream()).catch(() => {});
    assertEquals(asked.length, 1);
    const download = new RestEndpoint({ ...options, content: "stream" }), stream = await c.fetch(download);
    await stream.cancel();
    assertEquals(stateOf(c).answers, []);
  },
);
shownIn(
  "A server renders a page at most ten times",
  "ssr/render_page_test.tsx",
  "a page that asks for something new at each rendering comes to an end",
);

Deno.test("every line of docs/limits.md is shown, and nothing else", async () => {
  const lines = (await Deno.readTextFile(new URL("../../docs/limits.md", import.meta.url))).split("\n");
  assert(lines.length <= 31, "30 lines");
  const said = lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(2));
  assertEquals(said.filter((line) => !shown.some((start) => line.startsWith(start))), []);
  assertEquals(shown.filter((start) => !said.some((line) => line.startsWith(start))), []);
});
