/** Suspense boundaries of other libraries, such as the Router of preact-iso, which has no hook of its own for this. */
import { assertEquals } from "@std/assert";
import "../support/dom.ts";
import { Entity, resource } from "@rejoin/data";
import { ErrorBoundary, useSuspense } from "@rejoin/data/preact";
import { fixtures, MockResolver, mount, settled } from "@rejoin/data/testing";
import { Component, type ComponentChildren } from "preact";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
const FilmResource = resource({ urlPrefix: "https://api.example.com", path: "/films/:id", schema: Film });
const Page = ({ id }: { id: string }) => <h1>{useSuspense(FilmResource.get, { id }).title}</h1>;

/** Renders its children again when the promise resolves, and ignores a rejection. */
class Router extends Component<{ children: ComponentChildren }> {
  // The private name of this method in published builds of Preact.
  __c = (promise: PromiseLike<unknown>) => void promise.then(() => this.forceUpdate());
  override render() {
    return <main>{this.props.children}</main>;
  }
}

for (const [id, shown] of [["1", "Alien"], ["2", "404"]] as const) {
  Deno.test(`a router that is a boundary gets the promise of a read, and shows ${shown}`, async () => {
    const api = fixtures([
      { endpoint: FilmResource.get, args: [{ id: "1" }], response: { id, title: "Alien" }, delay: 5 },
      { endpoint: FilmResource.get, error: 404, delay: 5 },
    ]);
    await using page = mount(
      <MockResolver fixtures={api}>
        <ErrorBoundary errorComponent={({ error }) => <p>{(error as Error & { status: number }).status}</p>}>
          <Router>
            <Page id={id} />
          </Router>
        </ErrorBoundary>
      </MockResolver>,
    );
    await settled(api.controller as never);
    assertEquals(page.text, shown);
  });
}
