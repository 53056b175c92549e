/**
 * The operations that each server of these tests must support: list, page, detail, create, edit, delete, and an error.
 */
import { Controller, NetworkError } from "@rejoin/data";
import { assert, assertEquals, assertRejects } from "@std/assert";

/** A resource as docs/guides/apis.md declares it, and where servers differ. */
export interface Scene {
  // deno-lint-ignore no-explicit-any -- each has its own types, which the tests of each server use
  readonly R: any;
  /** The rows in the response of the list. It is the list by default. */
  rows?(list: any): readonly any[];
  /** The pk of a record. It is its `id` by default. */
  pk?(record: any): string;
  /** The parameters of the record with a pk. They are `{ id }` by default. */
  params?(pk: string): object;
  /** The server's record with a pk. */
  onServer(pk: string): { readonly title: string } | undefined;
  /** A body that the server refuses, and the part of the error that is checked. */
  readonly refused: {
    readonly body: object;
    readonly status: number;
    errorsOf(body: any): unknown;
    readonly said?: unknown;
  };
}

/**
 * Plays the life of a record. The client must show what the server has, and at once if it is optimistic.
 *
 * @param isOptimistic Whether changes are shown before the reply.
 */
export async function live(scene: Scene, isOptimistic: boolean): Promise<void> {
  const { R, rows = (list) => list, pk = ({ id }) => `${id}`, params = (id) => ({ id }), onServer, refused } = scene;
  using c = new Controller();
  const titles = (): string[] => rows(c.getResponse(R.getList).data).map(({ title }: any) => title);
  const expire = async () => {
    c.expireAll(R.getList);
    await c.fetch(R.getList);
  };
  const before = rows(await c.fetch(R.getList)).length;
  assert(before > 0, "the list has rows");

  const [first] = rows(c.getResponse(R.getList).data), detail = await c.fetch(R.get, params(pk(first)));
  assertEquals([pk(detail), detail.title], [pk(first), first.title]);

  const create = c.fetch(R.create, { title: "Made" });
  assertEquals(titles().length, before + (isOptimistic ? 1 : 0), "a create in the list, before its answer");
  const made = await create;
  assertEquals([made.title, onServer(pk(made))?.title], ["Made", "Made"]);
  assertEquals(titles().filter((title) => title === "Made").length, 1, "it is in the list once");
  await expire();
  assertEquals(titles().filter((title) => title === "Made").length, 1, "and once after the list came again");

  const edit = c.fetch(R.partialUpdate, params(pk(made)), { title: "Edited" });
  assertEquals(titles().includes("Edited"), isOptimistic, "an edit in the list, before its answer");
  await edit;
  assert(
    titles().includes("Edited") && onServer(pk(made))?.title === "Edited",
    "an edit in the list, after its answer",
  );
  assertEquals((await c.fetch(R.get, params(pk(made)))).title, "Edited");

  const refusal = c.fetch(R.partialUpdate, params(pk(made)), refused.body);
  const error = await assertRejects(() => refusal, NetworkError<any>);
  assertEquals(error.status, refused.status);
  assertEquals(refused.errorsOf(error.body), refused.said ?? ["This field may not be blank."]);
  assert(titles().includes("Edited"), "what was refused is shown no longer");

  const remove = c.fetch(R.delete, params(pk(made)));
  assertEquals(titles().includes("Edited"), !isOptimistic, "a delete in the list, before its answer");
  await remove;
  assertEquals([titles().length, onServer(pk(made))], [before, undefined]);
  const gone = await assertRejects(() => c.fetch(R.get, params(pk(made))), NetworkError);
  assertEquals(gone.status, 404);
  await expire();
  assertEquals(titles().length, before);
}
