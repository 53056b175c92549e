// deno-lint-ignore-file no-explicit-any -- answers of any form
/** Promises of docs/ about hooks and schemas; the comment above each test quotes its promise. */
import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, resource, schema, serial, Union } from "@rejoin/data";
import { DataProvider, useDLE, useError, useMutation } from "@rejoin/data/preact";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}

// schemas.md: "The member may be an entity, an array of entities, a union, or a plain key."
Deno.test("HasMany of a member with a union reads what refers to the owner, and not to another class with its pk", () => {
  class Photo extends Entity {
    id = "";
    static override key = "Photo";
  }
  class Note extends Entity {
    id = "";
    static override key = "Note";
  }
  class Like extends Entity {
    id = "";
    of: unknown = undefined;
    static override key = "Like";
    static override schema = { of: new Union({ photo: Photo, note: Note }, "type") };
  }
  const likes = new schema.HasMany(Like, "of"), controller = new Controller();
  controller.set([Like], [
    { id: "1", of: { type: "photo", id: "5" } },
    { id: "2", of: { type: "note", id: "5" } },
    { id: "3", of: { type: "photo", id: "6" } },
  ]);
  const ids = (owner: any) => controller.get(likes, owner as never)?.map(({ id }: Like) => id);
  assertEquals(ids(controller.get(Photo, "5")), ["1"]);
  assertEquals(ids(controller.get(Note, "5")), ["2"]);
});

// items.ts: "Sets the schema of the items, or adds entities to the mapping."
Deno.test("define of an Array with a mapping adds entities", () => {
  class Note extends Film {
    static override key = "Note";
  }
  const feed = new schema.Array({ film: Film }, "type");
  feed.define({ note: Note });
  const controller = new Controller();
  controller.set(feed, [{ type: "film", id: "1" }, { type: "note", id: "2" }] as never);
  assertEquals([controller.get(Film, "1")?.id, controller.get(Note, "2")?.id], ["1", "2"]);
});

// Rule 4: "`process(value, parent, key, args)`"; schema.Array is "an array, as the literal `[schema]`".
Deno.test("process of an item of schema.Array gets the name of the member, as of a literal array", () => {
  const keys: unknown[] = [];
  class Part extends Entity {
    id = "";
    static override key = "Part";
    static override process(value: any, _parent: any, key: any) {
      keys.push(key);
      return value;
    }
  }
  const controller = new Controller();
  controller.set({ a: new schema.Array(Part), b: [Part] }, { a: [{ id: "1" }], b: [{ id: "2" }] } as never);
  assertEquals(keys, ["a", "b"]);
});

// parts.md: "mutations of one record are sent one after another". serial.ts: "A create has no record yet, so it waits for no other call."
Deno.test("serial: a create waits for no other create", async () => {
  const sent: string[] = [];
  const { create } = resource({
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    scope: serial("record"),
    fetchResponse: (_url: string, { body }: RequestInit) => {
      sent.push(`${body}`);
      return new Promise<Response>(() => {});
    },
  });
  const controller = new Controller();
  for (const title of ["a", "b"]) controller.fetch(create, { title }).catch(() => {});
  await settled();
  controller.cleanup();
  assertEquals(sent.length, 2);
});

// hooks.md: "`null` as the first argument means: nothing is read, and the hook gives `undefined`."
Deno.test("useError and useDLE take null", async () => {
  const { get } = resource({ urlPrefix: "https://api.test", path: "/films/:id", schema: Film });
  const seen: unknown[] = [];
  function Page() {
    const { isStale, isFetching } = useDLE(get, null);
    seen.push(useError(get, null), isStale, isFetching);
    return null;
  }
  await using _ = mount(
    <DataProvider>
      <Page />
    </DataProvider>,
  );
  await settled();
  assertEquals(seen, [undefined, false, false]);
});

// docs: hookifyResource returns another endpoint when what `useInit` gives has changed.
Deno.test("useMutation calls the endpoint and the callbacks of the newest rendering", async () => {
  const made = (name: string) => new Endpoint(async () => await Promise.resolve(name), { name, sideEffect: true });
  const seen: string[] = [];
  let save = () => {};
  function Page({ endpoint, note }: { endpoint: ReturnType<typeof made>; note: string }) {
    const { mutate } = useMutation(
      endpoint as never,
      { onSuccess: (data: unknown) => seen.push(`${note} ${data}`) } as never,
    ) as any;
    save = mutate;
    return null;
  }
  const controller = new Controller(), [a, b] = [made("a"), made("b")];
  await using page = mount(
    <DataProvider controller={controller}>
      <Page endpoint={a!} note="1" />
    </DataProvider>,
  );
  await settled();
  page.render(
    <DataProvider controller={controller}>
      <Page endpoint={b!} note="2" />
    </DataProvider>,
  );
  await settled();
  save();
  await settled();
  assertEquals(seen, ["2 b"]);
});
