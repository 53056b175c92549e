import { type Controller, hydrate, type State } from "@rejoin/data";
import { DataProvider, useController } from "@rejoin/data/preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ListPane } from "./film_list.tsx";
import { later, whenListIsShown } from "./later.tsx";
import { Notices } from "./notices.tsx";
import { InspectorSwitch } from "./renders.tsx";
import { FilmSummary } from "./resources.ts";
import { backHref, openFilm, place, scrollOfEntry } from "./route.ts";
import { FilmSkeleton, HomeSkeleton } from "./skeletons.tsx";

const rest = () => import("./rest.ts");
const Home = later(async () => (await rest()).Home, <HomeSkeleton />);
const FilmPage = later(async () => (await rest()).FilmPage, <FilmSkeleton />);
const NewFilm = later(async () => (await rest()).NewFilm, <div class="new-film" />);
const SignIn = later(async () => (await rest()).SignIn, null);

/** What the page of an address needs before it can be shown as a whole. */
export async function loadPlace(): Promise<void> {
  if (place.value === "film") await FilmPage.load();
  if (place.value === "new") await NewFilm.load();
}

/** The page, at the server and in the browser. */
export function App({ controller, state }: { controller?: Controller; state?: Partial<State> }) {
  return (
    <DataProvider controller={controller} use={[hydrate(state)]}>
      <Page />
    </DataProvider>
  );
}

function Page() {
  const controller = useController();
  const at = place.value;
  // The address stays: it is the list's.
  const skip = (event: Event) => {
    event.preventDefault();
    document.getElementById("beside")?.focus();
  };
  useEffect(() => {
    // Later than the first list: it can do without.
    whenListIsShown().then(rest).then(({ listen }) => listen(controller), () => {});
  }, []);
  return (
    <>
      <a class="skip" href="#beside" onClick={skip}>Skip the list</a>
      <header class="bar">
        <a class="brand" href="/" aria-label="Cinema: the stage and all films">Cinema</a>
        {/* On a phone there is room for one thing at a time. */}
        <nav class="tabs" aria-label="Parts of the page">
          <a href="/" aria-current={at === "stage" ? "page" : undefined}>Stage</a>
          <a href={backHref()} aria-current={at === "list" ? "page" : undefined}>Films</a>
        </nav>
        <InspectorSwitch />
        <a class="button main" href="/new" aria-label="Add a film">
          Add<span class="wide">&nbsp;a film</span>
        </a>
      </header>
      <main class={`panes at-${at}`}>
        <ListPane />
        <DetailPane />
      </main>
      <Notices />
      <SignIn />
    </>
  );
}

/** The right half of the page, or all of it on a phone. */
function DetailPane() {
  const pane = useRef<HTMLElement>(null);
  const controller = useController();
  const left = useRef<number | undefined>(undefined);
  const hasLeft = useRef(false);
  const at = place.value;
  const id = openFilm.value;
  const isHome = at === "stage" || at === "list";
  useLayoutEffect(() => {
    if (isHome) document.title = "Cinema · Rejoin";
    pane.current?.scrollTo(0, scrollOfEntry("detail"));
    // What had the focus may just have been hidden, on a phone, or be gone with the film that was left.
    const focused = document.activeElement;
    if (!focused || focused === document.body || !focused.checkVisibility({ visibilityProperty: true })) {
      const list = document.querySelector<HTMLElement>("[data-place=list]");
      const isThere = left.current !== undefined && controller.get(FilmSummary, { id: left.current }) !== undefined;
      const row = isThere ? list?.querySelector<HTMLElement>(`li[data-film="${left.current}"] a`) : undefined;
      // A film that is deleted, or that the list does not have, has no row. Who has just come has left nothing.
      const beside = row ?? (hasLeft.current ? list : undefined);
      (isHome ? beside : pane.current)?.focus({ preventScroll: true });
    }
    left.current = id;
    hasLeft.current = true;
  }, [at, id]);
  return (
    <section
      class="detail-pane"
      aria-label={isHome ? "Stage" : at === "new" ? "New film" : "Film"}
      ref={pane}
      id="beside"
      data-scroll="detail"
      tabIndex={-1}
    >
      {!isHome && <a class="back" href={backHref()}>‹ All films</a>}
      {at === "new" && <NewFilm />}
      {id !== undefined && <FilmPage key={id} id={id} />}
      {isHome && <Home />}
    </section>
  );
}
