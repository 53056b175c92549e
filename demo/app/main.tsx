import { DataProvider } from "@rejoin/data/preact";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FilmPage } from "./film_page.tsx";
import { ListPane } from "./film_list.tsx";
import { Home } from "./home.tsx";
import { NewFilm } from "./new_film.tsx";
import { Notices } from "./notices.tsx";
import { RendersSwitch } from "./renders.tsx";
import { listSearch, newHref, openFilm, place, startRouting } from "./route.ts";

function App() {
  return (
    <>
      <header class="bar">
        <a class="brand" href="/" aria-label="Cinema: all films">Cinema</a>
        <RendersSwitch />
        <a class="button main" href={newHref()} aria-label="Add a film">
          Add<span class="wide">a film</span>
        </a>
      </header>
      <main class={`panes at-${place.value}`}>
        <ListPane />
        <DetailPane />
      </main>
      <Notices />
    </>
  );
}

/** The right half of the page, or all of it on a phone. */
function DetailPane() {
  const pane = useRef<HTMLElement>(null);
  const left = useRef<number | undefined>(undefined);
  const at = place.value;
  const id = openFilm.value;
  useLayoutEffect(() => {
    if (at === "list") document.title = "Cinema";
    if (pane.current) pane.current.scrollTop = 0;
    // What had the focus may just have been hidden, on a phone, or be gone with the film that was left.
    const focused = document.activeElement;
    if (!focused || focused === document.body || !focused.checkVisibility({ visibilityProperty: true })) {
      const row = document.querySelector<HTMLElement>(`[data-place=list] li[data-film="${left.current}"] a`);
      (at === "list" ? row : pane.current)?.focus({ preventScroll: true });
    }
    left.current = id;
  }, [at, id]);
  return (
    <section
      class="detail-pane"
      aria-label={at === "list" ? "Suggestions" : at === "new" ? "New film" : "Film"}
      ref={pane}
      tabIndex={-1}
    >
      {at !== "list" && <a class="back" href={`/${listSearch.value}`}>‹ All films</a>}
      {at === "new" && <NewFilm />}
      {id !== undefined && <FilmPage key={id} id={id} />}
      {at === "list" && <Home />}
    </section>
  );
}

startRouting();
const root = document.getElementById("app");
if (root) {
  render(
    <DataProvider>
      <App />
    </DataProvider>,
    root,
  );
}
