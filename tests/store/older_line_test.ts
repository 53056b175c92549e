// What apps bring from the older line of the family: names of types, errors and statics.
import { assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { AbortOptimistic, Controller, Endpoint, Entity, isEnding, NetworkError } from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";

class Film extends Entity {
  id = "";
  votes = 0;
  static key = "Film";
}

/** What is warned of while a function runs. */
function warnings(run: () => void): string[] {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (text: string) => said.push(text);
  try {
    run();
  } finally {
    console.warn = warn;
  }
  return said;
}

Deno.test("13.E12 new AbortOptimistic() is as good as snapshot.abort, and the snapshot says when the call started", async () => {
  const clock = new FakeClock();
  const restore = clock.install();
  try {
    const starts: number[] = [];
    let answer = (_: unknown): void => {};
    const vote = new Endpoint(
      (_params: { id: string }): Promise<unknown> => new Promise((resolve) => answer = resolve),
      {
        name: "vote",
        schema: Film,
        sideEffect: true,
        getOptimisticResponse(snapshot, params: { id: string }) {
          starts.push(snapshot.fetchedAt);
          const film = snapshot.get(Film, params) as Film | undefined;
          if (film === undefined) throw new AbortOptimistic();
          return { ...params, votes: film.votes + 1 };
        },
      },
    );
    using controller = new Controller({ strict: true });
    const unknown = controller.fetch(vote, { id: "5" });
    assertEquals(controller.get(Film, { id: "5" }), undefined);
    answer({ id: "5", votes: 7 });
    assertEquals((await unknown).votes, 7);
    starts.length = 0;
    const started = clock.now();
    const known = controller.fetch(vote, { id: "5" });
    assertEquals(controller.get(Film, { id: "5" })?.votes, 8);
    clock.tick(1_000);
    controller.set(Film, { id: "5" }, { id: "5" });
    assertEquals([starts.length > 1, ...new Set(starts)], [true, started]);
    answer({ id: "5", votes: 9 });
    assertEquals((await known).votes, 9);
    assertEquals(isEnding(new AbortOptimistic()), false);
  } finally {
    restore();
  }
});

Deno.test("13.E12 a NetworkError is made of a response alone", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("no such film", { status: 404, statusText: "Not Found" }),
  );
  const url = `http://127.0.0.1:${server.addr.port}/films/5`;
  const response = await fetch(url);
  const error = new NetworkError(response);
  assertInstanceOf(error, NetworkError);
  assertEquals([error.message, error.status, error.url, error.method, error.body], [
    `${url} failed: 404 Not Found`,
    404,
    url,
    "",
    undefined,
  ]);
  assertEquals([error.response === response, error.headers === response.headers], [true, true]);
  assertEquals(await error.response!.text(), "no such film");
  assertEquals(new NetworkError(Response.error()).status, undefined);
  // One of a test: nobody was asked.
  assertEquals(new NetworkError(new Response("", { status: 503 })).message, "A request failed: 503");
});

Deno.test("13.E12 strict mode tells once of each static that does nothing here, and what to write instead", () => {
  class Article extends Entity {
    id = "";
    static key = "Article";
    static useIncoming() {
      return true;
    }
    static mergeWithStore() {}
    static expiresAt() {}
    static infer() {}
    static automaticValidation = "silent";
  }
  class Detail extends Article {
    text = "";
  }
  const read = (strict: boolean) =>
    warnings(() => {
      using controller = new Controller({ strict });
      for (let time = 0; time < 2; time++) {
        controller.set(Article, { id: "1" }, { id: "1" });
        controller.get(Detail, { id: "1" });
        controller.set(Film, { id: "1" }, { id: "1" });
      }
    });
  assertEquals(read(false), []);
  const said = read(true);
  assertEquals(said.map((text) => /of "(\w+)"/.exec(text)?.[1]), ["Article", "Detail"]);
  for (
    const text of [
      'static useIncoming of "Article" does nothing here: write shouldUpdate()',
      'static mergeWithStore of "Article" does nothing here: write shouldUpdate() and merge()',
      'static expiresAt of "Article" does nothing here: write dataExpiryLength of the endpoint',
      'static infer of "Article" does nothing here: write queryKey()',
      'static automaticValidation of "Article" does nothing here: write validate()',
    ]
  ) assertStringIncludes(said[0]!, text);
});
