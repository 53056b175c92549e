import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { batch, Controller, Entity, RestEndpoint } from "@rejoin/data";
import { AsyncBoundary, useSuspense } from "@rejoin/data/preact";
import { App } from "./_cinema.tsx";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

Deno.test("a hundred components that each read one film are one request, and each shows its own", async () => {
  const sent: string[] = [];
  const getFilm = new RestEndpoint({
    urlPrefix: "https://films.example",
    path: "/films/:id",
    schema: Film,
    getMany: batch({ param: "ids", separator: "," }),
    fetchResponse(url) {
      const ids = new URL(url).searchParams.get("ids")?.split(",") ?? [];
      sent.push(url);
      return Promise.resolve(Response.json(ids.map((id) => ({ id, title: `film ${id}` }))));
    },
  });
  const Row = ({ id }: { readonly id: string }) => <li>{useSuspense(getFilm, { id }).title}</li>;
  const ids = Array.from({ length: 100 }, (_, at) => String(at));
  using controller = new Controller({ strict: true });
  await using app = mount(
    <App controller={controller}>
      <ul>
        {ids.map((id) => (
          <AsyncBoundary key={id} fallback="…">
            <Row id={id} />
          </AsyncBoundary>
        ))}
      </ul>
    </App>,
  );
  await settled();
  assertEquals(sent.length, 1);
  assertEquals(
    [...app.host.querySelectorAll("li")].map(({ textContent }) => textContent),
    ids.map((id) => `film ${id}`),
  );
});
