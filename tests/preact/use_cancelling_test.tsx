import { mount, mounted, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Entity, isEnding, resource } from "@rejoin/data";
import { useCancelling, useController, useSuspense } from "@rejoin/data/preact";
import { inApp, Server as Cinema } from "./_cinema.tsx";

class Film extends Entity {
  id = "";
  static key = "Film";
}

/** A server that never answers, and records aborted requests. */
function silentServer() {
  const open: string[] = [];
  const ended: string[] = [];
  const stop = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {}, signal: stop.signal },
    (request) => {
      const { pathname } = new URL(request.url);
      open.push(pathname);
      request.signal.addEventListener("abort", () => ended.push(pathname));
      return new Promise<Response>(() => {});
    },
  );
  const { get, partialUpdate } = resource({
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    path: "/films/:id",
    schema: Film,
    retry: 0,
  });
  return {
    get,
    partialUpdate,
    open,
    ended,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await server.finished;
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  await settled();
  assertEquals(holds(), true);
}

Deno.test("useCancelling gives calls up when the arguments change and when the component goes", async () => {
  await using server = silentServer();
  using controller = new Controller();
  const ends: string[] = [];
  const given = new Set<unknown>();
  let call: (() => void) | undefined;
  function Page({ id }: { readonly id: string | null }) {
    const get = useCancelling(server.get, id === null ? null : { id });
    given.add(get);
    call = () => void controller.fetch(get, { id: id! }).catch((error) => ends.push(`${id} ${isEnding(error)}`));
    return null;
  }
  const tree = (id: string | null) => inApp(<Page id={id} />, controller);
  const page = mount(tree("1"));
  call!();
  await until(() => server.open.length === 1);
  page.render(tree("1"));
  await settled();
  assertEquals([ends, given.size], [[], 1]);
  page.render(tree("2"));
  call!();
  await until(() => server.open.length === 2 && server.ended.length === 1);
  assertEquals([ends, server.ended, given.size], [["1 true"], ["/films/1"], 2]);
  page.render(tree(null));
  await until(() => server.ended.length === 2);
  page.render(tree("3"));
  call!();
  await until(() => server.open.length === 3);
  page.unmount();
  await until(() => server.ended.length === 3);
  assertEquals(ends, ["1 true", "2 true", "3 true"]);
  // After the unmount a call rejects at once.
  call!();
  await until(() => ends.length === 4);
  assertEquals(server.open.length, 3);
});

Deno.test("useCancelling tells mutations apart by their bodies, and asks what became of them", async () => {
  const cinema = new Cinema();
  const controller = new Controller();
  controller.setResponse(cinema.getFilm, { id: "1" }, { id: "1", title: "Alien" });
  const ends: unknown[] = [];
  let save: (() => void) | undefined;
  function Page({ title }: { readonly title: string }) {
    const rename = useCancelling(cinema.rename, { id: "1" }, { title });
    const { fetch } = useController();
    save = () => void fetch(rename, { id: "1" }, { title }).catch((error) => ends.push(error.name));
    return <>{useSuspense(cinema.getFilm, { id: "1" }).title}</>;
  }
  const tree = (title: string) => inApp(<Page title={title} />, controller);
  await using page = mount(tree("a"));
  save!();
  await page.shows("a");
  page.render(tree("a"));
  assertEquals([await page.settledText(), ends], ["a", []]);
  page.render(tree("b"));
  await settled();
  assertEquals([ends, cinema.names], [["AbortError"], "rename,getFilm"]);
  cinema.last.answer({ id: "1", title: "Alien" });
  await page.shows("Alien");
});

Deno.test("useCancelling keeps what it has while its component waits, and follows other endpoints and their signals", async () => {
  const cinema = new Cinema();
  const controller = new Controller();
  const own = new AbortController();
  const seen = new Set<unknown>();
  const signals = new Set<unknown>();
  function Page({ endpoint, id }: { readonly endpoint: typeof cinema.getFilm; readonly id: string }) {
    const get = useCancelling(endpoint, { id });
    seen.add(get);
    signals.add(get.signal);
    return <>{useSuspense(get, { id }).title}</>;
  }
  const tree = (endpoint: typeof cinema.getFilm) => inApp(<Page endpoint={endpoint} id="1" />, controller);
  await using page = await mounted(tree(cinema.getFilm));
  assertEquals([page.text, cinema.names, seen.size], ["…", "getFilm", 1]);
  cinema.answerFilms();
  assertEquals([await page.settledText(), seen.size], ["Film 1", 1]);
  page.render(tree(cinema.getFilm.extend({ dataExpiryLength: 5 })));
  assertEquals([await page.settledText(), seen.size, signals.size], ["Film 1", 2, 1]);
  page.render(tree(cinema.getFilm.extend({ signal: own.signal })));
  const combined = [...signals].at(-1) as AbortSignal;
  own.abort("enough");
  assertStrictEquals(combined.reason, "enough");
});
