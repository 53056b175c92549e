// The page of browser_test.ts for apps that load preact/compat: a Suspense above an AsyncBoundary.
import { Suspense } from "preact/compat";
import { render } from "preact";
import { createResource, Entity } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

const FilmResource = createResource({ urlPrefix: location.origin, path: "/films/:id", schema: Film });
const changes: string[] = [];

function FilmPage() {
  return <h1>{useSuspense(FilmResource.get, { id: "1" }).title}</h1>;
}

globalThis.page = { changes };

const root = document.createElement("main");
document.body.append(root);
render(
  <Suspense fallback={<p id="suspense">Suspense</p>}>
    <DataProvider>
      <input id="name" onChange={({ currentTarget }) => changes.push(currentTarget.value)} />
      <AsyncBoundary fallback={<p id="wait">…</p>}>
        <FilmPage />
      </AsyncBoundary>
    </DataProvider>
  </Suspense>,
  root,
);
