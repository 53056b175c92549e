import { mount, mounted, rendered, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, createResource } from "@rejoin/data";
import { useFetch, useSuspense } from "@rejoin/data/preact";
import { App, Film, inApp } from "./_cinema.tsx";

/** A real server that answers when the test tells it to, and records disconnected clients. */
class FilmServer implements AsyncDisposable {
  /** The ids of the requests. */
  readonly asked: string[] = [];
  /** The ids of requests whose client disconnected before the response. */
  readonly left: string[] = [];
  readonly #waiting = new Map<string, () => void>();
  readonly #changed: (() => void)[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly films;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#handle(request),
    );
    this.films = createResource({
      urlPrefix: `http://127.0.0.1:${this.#server.addr.port}`,
      path: "/films/:id",
      schema: Film,
    });
  }

  #handle(request: Request): Promise<Response> {
    const id = new URL(request.url).pathname.slice("/films/".length);
    this.asked.push(id);
    return new Promise((resolve) => {
      let isAnswered = false;
      request.signal.addEventListener("abort", () => {
        if (isAnswered) return;
        this.left.push(id);
        this.#tell();
        resolve(new Response());
      });
      this.#waiting.set(id, () => {
        isAnswered = true;
        resolve(Response.json({ id, title: `Film ${id}` }));
      });
      this.#tell();
    });
  }

  #tell(): void {
    for (const changed of this.#changed.splice(0)) changed();
  }

  /** Waits for a number of requests and of disconnected clients. */
  async until({ asked = 0, left = 0 }): Promise<void> {
    while (this.asked.length < asked || this.left.length < left) {
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  answer(id: string): void {
    this.#waiting.get(id)!();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const answer of this.#waiting.values()) answer();
    await this.#server.shutdown();
  }
}

/** Waits until a response has arrived and is shown. */
async function shown(app: { readonly text: string }, text: string): Promise<void> {
  for (let i = 0; i < 500 && app.text !== text; i++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await settled();
  }
  assertEquals(app.text, text);
}

function pages(server: FilmServer, controller: Controller) {
  function Film({ id }: { readonly id: string }) {
    return <p>{useSuspense(server.films.get, { id }).title}</p>;
  }
  const page = (...ids: readonly string[]) => (
    <App controller={controller}>{ids.map((id, index) => <Film key={index} id={id} />)}</App>
  );
  return { Film, page };
}

for (const when of ["before the first frame", "after it"]) {
  Deno.test(`a request is aborted on the server when what waits is taken away ${when}`, async () => {
    await using server = new FilmServer();
    const controller = new Controller();
    const { page } = pages(server, controller);
    await using app = mount(page("1"));
    await (when === "after it" ? settled() : rendered());
    await server.until({ asked: 1 });
    app.render(page());
    await server.until({ left: 1 });
    assertEquals(server.left, ["1"]);
  });

  Deno.test(`a request is aborted on the server when the boundary is taken away ${when}`, async () => {
    await using server = new FilmServer();
    const controller = new Controller();
    const { page } = pages(server, controller);
    const app = mount(page("1", "2"));
    await (when === "after it" ? settled() : rendered());
    await server.until({ asked: 2 });
    app.unmount();
    await server.until({ left: 2 });
    assertEquals(server.left.toSorted(), ["1", "2"]);
  });
}

Deno.test("a request goes on when one of two that wait for it leaves, and is aborted when both have", async () => {
  await using server = new FilmServer();
  const controller = new Controller();
  const { page } = pages(server, controller);
  const first = mount(page("1"));
  await using second = mount(page("1"));
  await server.until({ asked: 1 });
  first.unmount();
  await settled();
  server.answer("1");
  await shown(second, "Film 1");
  assertEquals([server.asked, server.left], [["1"], []]);

  const third = mount(page("2"));
  const fourth = mount(page("2"));
  await server.until({ asked: 2 });
  third.unmount();
  fourth.unmount();
  await server.until({ left: 1 });
  assertEquals([server.asked, server.left], [["1", "2"], ["2"]]);
});

Deno.test("the old request is aborted when the arguments change while a component waits", async () => {
  await using server = new FilmServer();
  const controller = new Controller();
  const { page } = pages(server, controller);
  await using app = mount(page("1"));
  await server.until({ asked: 1 });
  app.render(page("2"));
  await server.until({ asked: 2, left: 1 });
  assertEquals(server.left, ["1"]);
  server.answer("2");
  await shown(app, "Film 2");
});

for (const start of ["useFetch", "a refetch"]) {
  Deno.test(`a request of a mounted reader is aborted when it unmounts, and lives when somebody awaits it: ${start}`, async () => {
    await using server = new FilmServer();
    const controller = new Controller();
    const { page } = pages(server, controller);
    function Fetching() {
      return <p>{useFetch(server.films.get, { id: "1" })?.status}</p>;
    }
    const mountReader = () => mount(start === "useFetch" ? inApp(<Fetching />, controller) : page("1"));
    if (start === "a refetch") controller.setResponse(server.films.get, { id: "1" }, { id: "1", title: "Old" });

    const first = mountReader();
    controller.expireAll(server.films.get);
    await settled();
    await server.until({ asked: 1 });
    first.unmount();
    await server.until({ left: 1 });

    const second = mountReader();
    controller.expireAll(server.films.get);
    await settled();
    await server.until({ asked: 2 });
    const awaited = controller.fetch(server.films.get, { id: "1" });
    second.unmount();
    await settled();
    server.answer("1");
    assertEquals((await awaited).title, "Film 1");
    assertEquals([server.asked, server.left], [["1", "1"], ["1"]]);
  });
}

Deno.test("a request is held by the reader that mounted, when what waited with it is gone", async () => {
  await using server = new FilmServer();
  const controller = new Controller();
  const { page } = pages(server, controller);
  await using staying = mount(page("1"));
  const leaving = await mounted(page("1"));
  await server.until({ asked: 1 });
  leaving.unmount();
  await settled();
  staying.render(page("1", "1"));
  await settled();
  staying.render(page("1"));
  await settled();
  server.answer("1");
  await shown(staying, "Film 1");
  assertEquals(server.left, []);
});
