import { mount, mounted, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { Controller } from "@rejoin/data";
import {
  AsyncBoundary,
  type AsyncBoundaryProps,
  DataProvider,
  ErrorBoundary,
  type ErrorBoundaryProps,
  useDLE,
} from "@rejoin/data/preact";
import { Failed, fill, press, Server } from "./_cinema.tsx";

const missing = () => Object.assign(new Error("missing"), { status: 404 });

interface PageProps extends ErrorBoundaryProps {
  readonly controller: Controller;
  readonly children?: ComponentChildren;
}

/** A page that suspends as a whole, and a part of it that can fail by itself. */
function Page({ controller, ...boundary }: PageProps) {
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…" errorComponent={() => <>outside</>}>
        <i>page</i>
        <ErrorBoundary errorComponent={Failed} {...boundary} />
      </AsyncBoundary>
    </DataProvider>
  );
}

Deno.test("15.1 ErrorBoundary shows errors, and leaves waiting to the AsyncBoundary above", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  await using app = mount(<Page controller={controller}>{<Title id="1" />}</Page>);
  await app.shows("…");
  server.last.fail(missing());
  await app.shows("pageError: missing");
  assertEquals(server.names, "getFilm", "nobody asks again for what is not there");
});

Deno.test("15.1 ErrorBoundary asks again when it is told to, and waits above meanwhile", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  await using app = await mounted(<Page controller={controller}>{<Title id="1" />}</Page>);
  server.last.fail(missing());
  await settled();
  press(app.find("button"));
  assertEquals(controller.getError(server.getFilm, { id: "1" }), undefined, "the store has forgotten it at once");
  assertEquals([await app.settledText(), server.names], ["…", "getFilm,getFilm"]);
  server.last.fail(missing());
  await app.shows("pageError: missing");
  press(app.find("button"));
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  assertEquals([await app.settledText(), server.names], ["pageAlien", "getFilm,getFilm,getFilm"]);
});

Deno.test("15.1 ErrorBoundary shows the record of a read that was told there is none, when somebody writes it", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  await using app = await mounted(<Page controller={controller}>{<Title id="1" />}</Page>);
  server.last.fail(missing());
  await settled();
  fill(controller, { id: "2", title: "Another" });
  await app.shows("pageError: missing");
  fill(controller, { id: "1", title: "Alien" });
  assertEquals([await app.settledText(), server.names], ["pageAlien", "getFilm"]);
  assertEquals(controller.getError(server.getFilm, { id: "1" }), undefined);
  // A later error counts again, although there is a record.
  controller.setError(server.getFilm, { id: "1" }, missing());
  await app.shows("pageError: missing");
});

const BOUNDARIES: Readonly<Record<string, ComponentType<AsyncBoundaryProps>>> = { ErrorBoundary, AsyncBoundary };
for (const [name, Boundary] of Object.entries(BOUNDARIES)) {
  const within = (controller: Controller, resetKeys: readonly unknown[] | undefined, child: ComponentChildren) => (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Boundary fallback="…" errorComponent={Failed} resetKeys={resetKeys}>{child}</Boundary>
      </AsyncBoundary>
    </DataProvider>
  );

  Deno.test(`15.1 ${name} has a message with a button where it is given none`, async () => {
    const server = new Server(), { Title } = server;
    using controller = new Controller();
    await using app = await mounted(
      <DataProvider controller={controller}>
        <AsyncBoundary>
          <Boundary>
            <Title id="1" />
          </Boundary>
        </AsyncBoundary>
      </DataProvider>,
    );
    server.last.fail(missing());
    await settled();
    assertEquals(app.find("[role=alert]").textContent, "missingTry again");
    press(app.find("button"));
    await settled();
    server.answerFilms();
    await app.shows("Film 1");
  });

  Deno.test(`15.1 ${name} lets an error go when one of its resetKeys is another one, and asks again`, async () => {
    const server = new Server(), { Title } = server;
    using controller = new Controller();
    const page = (id: string, key: unknown) => within(controller, [key], <Title id={id} />);
    await using app = await mounted(page("1", "a"));
    server.last.fail(missing());
    await app.shows("Error: missing");

    app.render(page("1", "a"));
    assertEquals([await app.settledText(), server.names], ["Error: missing", "getFilm"], "equal keys change nothing");

    app.render(page("2", "b"));
    assertEquals([await app.settledText(), server.last.args[0]], ["…", { id: "2" }]);
    server.last.answer({ id: "2", title: "Brazil" });
    await app.shows("Brazil");

    // The error of the first read is cleared, too, so it is fetched again.
    app.render(page("1", "c"));
    assertEquals([await app.settledText(), server.asked.length], ["…", 3]);
    server.last.fail(missing());
    await app.shows("Error: missing");

    // The same read with another reset key is fetched once more.
    app.render(page("1", "d"));
    assertEquals([await app.settledText(), server.asked.length], ["…", 4]);
    server.last.answer({ id: "1", title: "Alien" });
    await app.shows("Alien");
  });

  Deno.test(`15.1 ${name} with other resetKeys lets an error go that was thrown and not shown yet`, async () => {
    const server = new Server(), { Title } = server;
    using controller = new Controller();
    controller.setError(server.getFilm, { id: "1" }, missing());
    controller.setResponse(server.getFilm, { id: "2" }, { id: "2", title: "Brazil" });
    const page = (id: string) => within(controller, [id], <Title id={id} />);
    await using app = await mounted(page("2"));
    // Both renderings happen before the boundary shows the error.
    app.render(page("1"));
    app.render(page("2"));
    await app.shows("Brazil");
  });

  Deno.test(`15.1 ${name} keeps the state of its children when resetKeys change and nothing has failed`, async () => {
    let mounts = 0;
    class Kept extends Component {
      override componentDidMount(): void {
        mounts++;
      }
      override render() {
        return <p>kept</p>;
      }
    }
    using controller = new Controller();
    await using app = mount(within(controller, ["a"], <Kept />));
    for (const keys of [["b"], ["b", "c"], undefined, []]) app.render(within(controller, keys, <Kept />));
    assertEquals([await app.settledText(), mounts], ["kept", 1]);
  });

  Deno.test(`15.1 ${name} compares resetKeys by value, and by their number`, async () => {
    function Broken(): never {
      throw new Error("broken");
    }
    using controller = new Controller();
    let renders = 0;
    const Counted = () => {
      renders++;
      return <Broken />;
    };
    await using app = await mounted(within(controller, [NaN], <Counted />));
    assertEquals([app.text, renders], ["Error: broken", 1]);
    const expected: readonly [readonly unknown[] | undefined, number][] = [
      [[NaN], 1],
      [[0], 2],
      [[0], 2],
      [[0, undefined], 3],
      [[], 4],
    ];
    for (const [keys, count] of expected) {
      app.render(within(controller, keys, <Counted />));
      assertEquals([await app.settledText(), renders], ["Error: broken", count], JSON.stringify(keys));
    }
  });
}

Deno.test("15.1 an error boundary between is passed over by what waits, and catches what fails", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  function Own({ children }: { readonly children: ComponentChildren }) {
    const [error] = useErrorBoundary();
    return error ? <b>{`own ${(error as Error).message}`}</b> : <>{children}</>;
  }
  await using app = mount(
    <Page controller={controller}>
      <Own>
        <Title id="1" />
      </Own>
    </Page>,
  );
  await app.shows("…");
  server.last.fail(missing());
  await app.shows("pageown missing");
});

Deno.test("15.1 two boundaries of one failed read ask once, and both show what comes", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  function Beside() {
    const { error, loading } = useDLE(server.getFilm, { id: "1" });
    return <u>{loading ? "loading" : error?.message ?? "fine"}</u>;
  }
  await using app = await mounted(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <ErrorBoundary errorComponent={Failed}>
          <Title id="1" />
        </ErrorBoundary>
        <ErrorBoundary errorComponent={Failed}>
          <Title id="1" />
        </ErrorBoundary>
        <Beside />
      </AsyncBoundary>
    </DataProvider>,
  );
  server.last.fail(missing());
  await app.shows("Error: missingError: missingmissing");
  press(app.find("button"));
  await settled();
  assertEquals(server.names, "getFilm,getFilm");
  server.last.answer({ id: "1", title: "Alien" });
  await app.shows("AlienAlienfine");
});
