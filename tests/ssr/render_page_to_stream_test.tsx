import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Controller, createResource, Entity } from "@rejoin/data";
import { AsyncBoundary, DataProvider, type ErrorFallbackProps, useDLE, useSuspense } from "@rejoin/data/preact";
import { renderPageToStream } from "@rejoin/data/ssr";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** An API that answers when the test tells it to. */
function startApi() {
  const waiting = new Map<string, () => void>();
  const left: string[] = [];
  const server = Deno.serve({ port: 0, onListen() {} }, async ({ url, signal }) => {
    const id = url.split("/").at(-1)!;
    let isAnswered = false;
    await new Promise<void>((resolve) => {
      waiting.set(id, () => {
        isAnswered = true;
        resolve();
      });
      signal.addEventListener("abort", () => resolve());
    });
    if (!isAnswered) left.push(id);
    if (id.startsWith("no")) return Response.json({}, { status: 404 });
    return Response.json({ id, title: `Film ${id}` });
  });
  const films = createResource({
    urlPrefix: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`,
    path: "/films/:id",
    schema: Film,
  });
  const answer = async (id: string) => {
    while (!waiting.has(id)) await new Promise((resolve) => setTimeout(resolve, 2));
    waiting.get(id)!();
  };
  return { films, answer, left, waiting, [Symbol.asyncDispose]: () => server.shutdown() };
}
type Films = ReturnType<typeof startApi>["films"];

function Title({ films, id }: { films: Films; id: string }) {
  return <p>{useSuspense(films.get, { id }).title}</p>;
}

function Plain({ films, id }: { films: Films; id: string }) {
  const { data, loading } = useDLE(films.get, { id });
  return <b>{loading ? "loading" : data?.title}</b>;
}

const Failed = ({ error }: ErrorFallbackProps) => <i>{error.name}</i>;

function Boundary(props: { children?: preact.ComponentChildren }) {
  return <AsyncBoundary fallback="…" errorComponent={Failed}>{props.children}</AsyncBoundary>;
}

const Bounded = (props: Parameters<typeof Title>[0]) => <Boundary>{<Title {...props} />}</Boundary>;

const document = (html: string) => `<!doctype html><body><main>${html}</main></BODY></html>`;

/** Reads the next part: its text, its pieces without marks, and the pks of films in its data. */
function reader(body: ReadableStream<Uint8Array>) {
  const texts = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  return {
    async next() {
      const { value = "" } = await texts.read();
      const films = [...value.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/g)]
        .map(([, text]) => JSON.parse(text!).state.tables.Film.map(([pk]: [string]) => pk).sort().join());
      const pieces = [...value.matchAll(/<template>(.*?)<\/template>/g)]
        .map(([, text]) => text!.replace(/<!--.*?-->/g, ""));
      return { value, films, pieces };
    },
    texts,
  };
}

Deno.test("a page is sent part by part, when all of a boundary is there, and its data last", async () => {
  await using api = startApi();
  const { films, answer } = api;
  const page = renderPageToStream((controller) => (
    <DataProvider controller={controller}>
      <h1>Films</h1>
      <Plain films={films} id="0" />
      <Boundary>
        <Title films={films} id="1" />
        <Bounded films={films} id="2" />
        <Plain films={films} id="3" />
      </Boundary>
      <Bounded films={films} id="no4" />
    </DataProvider>
  ), { document, nonce: 'a"b', deadline: Infinity });
  await answer("2");
  await answer("0");
  const { body, status, done } = await page;
  assertEquals(status, 200);
  const { next, texts } = reader(body);
  const first = await next();
  assertStringIncludes(
    first.value.replace(/<!--.*?-->/g, ""),
    "<main><h1>Films</h1><b>Film 0</b>……</main><script nonce=",
  );
  await answer("1");
  // A region also waits for a read that does not suspend.
  await answer("3");
  const second = await next();
  assertEquals(second.pieces, ["<p>Film 1</p><p>Film 2</p><b>Film 3</b>"]);
  await answer("no4");
  const last = await next();
  assertEquals(last.pieces, ["<i>NetworkError</i>"]);
  assertEquals([first.films, second.films, last.films], [[], [], ["0,1,2,3"]]);
  assert(last.value.endsWith("</script></BODY></html>"), last.value);
  assertEquals((await texts.read()).done, true);
  const { errors, isComplete } = await done;
  assertEquals([errors.length, isComplete], [1, true]);
  // Each script has the nonce, and the nonce cannot end its attribute.
  for (const { value } of [first, second, last]) {
    assertEquals(value.match(/<script/g)?.length, value.match(/<script[^>]* nonce="a&quot;b"/g)?.length);
  }
});

Deno.test("a page that waits for nothing is sent whole, without a script", async () => {
  const { body, done } = await renderPageToStream(() => (
    <Boundary>
      <h1>Films</h1>
    </Boundary>
  ), { document: (html) => `<p>${html}`, id: "data" });
  const text = await new Response(body).text();
  assert(/^<p><h1>Films<\/h1><script type="application\/json" id="data">[^<]*<\/script>$/.test(text), text);
  assertEquals(await done, { errors: [], isComplete: true });
});

Deno.test("the end of a document is found behind letters that are longer in lower case", async () => {
  const { body } = await renderPageToStream(() => <p>İİİ</p>, { document });
  const text = await new Response(body).text();
  assert(/İ<\/p><\/main><script.*<\/script><\/BODY><\/html>$/.test(text), text);
});

Deno.test("at the deadline the stream ends with the fallbacks of what waits", async () => {
  await using api = startApi();
  const { films, answer } = api;
  const { body, done } = await renderPageToStream((controller) => (
    <DataProvider controller={controller}>
      <Bounded films={films} id="1" />
      <Bounded films={films} id="2" />
    </DataProvider>
  ), { document, deadline: 2_000 });
  await answer("1");
  const text = await new Response(body).text();
  assertStringIncludes(text, "<template><p>Film 1</p></template>");
  assert(!text.includes("Film 2"));
  assertEquals(await done, { errors: [], isComplete: false });
});

Deno.test("who cancels the stream, or leaves, gives up what the page has asked for", async () => {
  await using api = startApi();
  const { films } = api;
  const page = (controller: Controller) => (
    <DataProvider controller={controller}>
      <Bounded films={films} id="1" />
    </DataProvider>
  );
  const cancelled = await renderPageToStream(page, { document, deadline: Infinity });
  while (!api.waiting.has("1")) await new Promise((resolve) => setTimeout(resolve, 2));
  await cancelled.body.cancel(new Error("gone"));
  assertEquals((await cancelled.done).isComplete, false);
  while (api.left.length < 1) await new Promise((resolve) => setTimeout(resolve, 2));

  const leaving = new AbortController();
  const left = await renderPageToStream(page, { document, deadline: Infinity, signal: leaving.signal });
  const text = new Response(left.body).text();
  leaving.abort(new Error("gone"));
  await assertRejects(() => text, Error, "gone");
  assertEquals((await left.done).isComplete, false);
});

Deno.test("a fault of the page is the caller's before the first part, and the browser's after it", async () => {
  await using api = startApi();
  const { films, answer } = api;
  const Broken = (): never => {
    throw new TypeError("a fault of the page");
  };
  await assertRejects(() => renderPageToStream(() => <Broken />, { document }), TypeError, "a fault of the page");
  let count = 0;
  const { body, done } = await renderPageToStream((controller) => (
    <DataProvider controller={controller}>
      {count++ > 0 && <Broken />}
      <Bounded films={films} id="1" />
    </DataProvider>
  ), { document, deadline: Infinity });
  await answer("1");
  const text = await new Response(body).text();
  assert(text.endsWith("</BODY></html>"), text);
  const { errors, isComplete } = await done;
  assertEquals([(errors[0] as Error).message, isComplete], ["a fault of the page", false]);
});
