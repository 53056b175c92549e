import { AsyncBoundary, useController, useSuspense } from "@rejoin/data/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FilmCard } from "./cards.tsx";
import { EditableTitle } from "./editable_title.tsx";
import { Failure } from "./failure.tsx";
import { formatDay, formatMinutes, formatMoney, formatNumber, titleOf, yearOf } from "./format.ts";
import { explain, say } from "./notices.tsx";
import { GivePicture } from "./picture.tsx";
import { Poster } from "./poster.tsx";
import { useRenders } from "./renders.tsx";
import { type Director, type Film, FilmResource } from "./resources.ts";
import { backHref, listHref, navigate } from "./route.ts";
import { CardsSkeleton, FilmSkeleton } from "./skeletons.tsx";
import { RateStars } from "./stars.tsx";

/** One film, and what else its director made. */
export function FilmPage({ id }: { id: number }) {
  return (
    <AsyncBoundary fallback={<FilmSkeleton />} errorComponent={NoFilm}>
      <FilmDetail id={id} />
    </AsyncBoundary>
  );
}

function NoFilm(props: Parameters<typeof Failure>[0]) {
  return (
    <>
      <h1 class="hidden">Film</h1>
      <Failure {...props} />
    </>
  );
}

function FilmDetail({ id }: { id: number }) {
  const film = useSuspense(FilmResource.get, { id });
  const renders = useRenders();
  const title = titleOf(film);
  useLayoutEffect(() => {
    document.title = `${title} · Cinema`;
  }, [title]);
  const kicker = [film.genre?.name, yearOf(film), film.runningTime && formatMinutes(film.runningTime)];
  return (
    <article class="film" data-film={id} data-renders={renders} data-place="film">
      <header>
        <Poster film={film} />
        <div class="head">
          <p class="kicker">{kicker.filter(Boolean).join(" · ")}</p>
          <EditableTitle id={id} title={film.title} />
          {film.director && (
            <p class="by">
              directed by <a href={listHref({ director: film.director.id })}>{film.director.name}</a>
            </p>
          )}
          <RateStars film={film} />
          <GivePicture film={film} />
        </div>
      </header>
      <Facts film={film} />
      {film.director && <MoreBy director={film.director} except={id} />}
      <DeleteFilm film={film} />
    </article>
  );
}

function Facts({ film }: { film: Film }) {
  const money = (dollars: number | null) => dollars !== null && formatMoney(dollars);
  const votes = film.imdbVotes === null ? "" : ` of ${formatNumber(film.imdbVotes)} votes`;
  const facts = {
    "Released": film.releaseDate && formatDay(film.releaseDate),
    "Rating board": film.mpaa,
    "Distributor": film.distributor?.name,
    "IMDb": film.imdbRating !== null && `${film.imdbRating.toFixed(1)}${votes}`,
    "Budget": money(film.budget),
    "Box office": money(film.worldwideGross),
  };
  const known = Object.entries(facts).filter(([, value]) => value);
  if (!known.length) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function MoreBy({ director, except }: { director: Director; except: number }) {
  return (
    <section class="more" aria-labelledby="more-by" data-place="others">
      <h2 id="more-by">More by {director.name}</h2>
      <AsyncBoundary key={director.id} fallback={<CardsSkeleton count={6} />} errorComponent={Failure}>
        <OtherFilms director={director.id} except={except} />
      </AsyncBoundary>
    </section>
  );
}

function OtherFilms({ director, except }: { director: number; except: number }) {
  const { results } = useSuspense(FilmResource.getList, { director, sort: "-releaseDate", perPage: 100 });
  const others = results.filter(({ id }) => id !== except);
  if (!others.length) return <p class="none">No other film of theirs is in this collection.</p>;
  return <ul class="cards">{others.map(({ id }) => <FilmCard key={id} id={id} />)}</ul>;
}

function DeleteFilm({ film }: { film: Film }) {
  const controller = useController();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = `“${titleOf(film)}”`;

  async function remove(): Promise<void> {
    dialog.current?.close();
    // Left first: a page of a film that is gone would have nothing to show. Back must not come to it either.
    navigate(backHref(), { replace: true });
    try {
      await controller.fetch(FilmResource.delete, { id: film.id });
      say(`${title} was deleted.`, false, { name: "Undo", run: () => void restore() });
    } catch (error) {
      say(`${title} was not deleted. ${explain(error)}`, true);
    }
  }

  /** The server keeps the number of what was deleted, and takes it back at its address. */
  async function restore(): Promise<void> {
    try {
      await controller.fetch(FilmResource.update, { id: film.id }, { ...film, isPending: undefined });
      say(`${title} is back.`);
    } catch (error) {
      say(`${title} is not back. ${explain(error)}`, true);
    }
  }

  return (
    <footer>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>Delete this film …</button>
      <dialog ref={dialog} aria-labelledby="delete-question">
        <h2 id="delete-question">Delete {title}?</h2>
        <p>It goes with your rating. For ten seconds you can undo that.</p>
        <p class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>Keep it</button>
          <button type="button" class="danger main" onClick={() => void remove()}>Delete</button>
        </p>
      </dialog>
    </footer>
  );
}
