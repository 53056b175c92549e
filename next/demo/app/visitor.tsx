/** A second visitor: another page with a store of its own. What one of the two writes, the other hears. */
import { AsyncBoundary, DataProvider, useController, useQuery, useSelect, useSuspense } from "@rejoin/data/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { EditableTitle } from "./editable_title.tsx";
import { Failure } from "./failure.tsx";
import { isLive, listen } from "./live.ts";
import { Notices } from "./notices.tsx";
import { Poster } from "./poster.tsx";
import { rate } from "./rate.ts";
import { Film, FilmResource } from "./resources.ts";
import { RateStars } from "./stars.tsx";

const SHOWN = { perPage: 12 };
/** Between two ratings that are given by themselves, in ms. */
const PACE = 700;

function Page() {
  const controller = useController();
  useEffect(() => listen(controller), []);
  return (
    <main class="visitor">
      <header>
        <h1>The second visitor</h1>
        <RateByThemselves />
      </header>
      <AsyncBoundary fallback={<p aria-busy="true">…</p>} errorComponent={Failure}>
        <List />
      </AsyncBoundary>
      <Notices />
    </main>
  );
}

/** Gives stars to one film after the other, as somebody would who goes along the list. */
function RateByThemselves() {
  const controller = useController();
  const isThere = useSelect(FilmResource.getList, [SHOWN], (list) => list !== undefined);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => {
      const films = controller.getResponse(FilmResource.getList, SHOWN).data?.results ?? [];
      const film = films[(left * 5) % films.length];
      if (film) void rate(controller, film.id, (film.rating ?? 0) % 5 + 1);
      setLeft(left - 1);
    }, PACE);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <p>
      <button type="button" disabled={!isThere || left > 0} onClick={() => setLeft(6)}>
        {left > 0 ? `Rates ${left} more …` : "Rate six films"}
      </button>
      <span class={isLive.value ? "live on" : "live"}>{isLive.value ? "Live" : "Not connected"}</span>
    </p>
  );
}

function List() {
  const { results } = useSuspense(FilmResource.getList, SHOWN);
  return <ul>{results.map(({ id }) => <Row key={id} id={id} />)}</ul>;
}

function Row({ id }: { id: number }) {
  const film = useQuery(Film, { id });
  if (!film) return null;
  return (
    <li data-film={id}>
      <Poster film={film} small />
      <div>
        <EditableTitle id={id} title={film.title} />
        <RateStars film={film} />
      </div>
    </li>
  );
}

const root = document.getElementById("app");
if (root) {
  render(
    <DataProvider>
      <Page />
    </DataProvider>,
    root,
  );
}
