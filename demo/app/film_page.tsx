import { AsyncBoundary, useController, useQuery, useSuspense } from "@rejoin/data/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure } from "./failure.tsx";
import { formatDay, formatMinutes, formatMoney, formatNumber, titleOf, yearOf } from "./format.ts";
import { explain, say } from "./notices.tsx";
import { Poster } from "./poster.tsx";
import { useRenders } from "./renders.tsx";
import { type Director, type Film, FilmResource, filmsOf, FilmSummary } from "./resources.ts";
import { backHref, filmHref, listHref, navigate } from "./route.ts";
import { GivenStars, RateStars } from "./stars.tsx";

/** One film, and what else its director made. */
export function FilmPage({ id }: { id: number }) {
  return (
    <AsyncBoundary fallback={<FilmSkeleton />} errorComponent={Failure}>
      <FilmDetail id={id} />
    </AsyncBoundary>
  );
}

function FilmDetail({ id }: { id: number }) {
  const film = useSuspense(FilmResource.get, { id });
  const renders = useRenders();
  const title = titleOf(film);
  useLayoutEffect(() => {
    document.title = `${title} · Cinema`;
  }, [title]);
  return (
    <article class="film" data-film={id} data-renders={renders} data-place="film">
      <header>
        <Poster film={film} />
        <div class="head">
          <p class="kicker">
            {[film.genre?.name, yearOf(film), film.runningTime && formatMinutes(film.runningTime)].filter(Boolean)
              .join(" · ")}
          </p>
          <EditableTitle id={id} title={film.title} />
          {film.director && (
            <p class="by">
              directed by <a href={listHref({ director: film.director.id })}>{film.director.name}</a>
            </p>
          )}
          <RateStars film={film} />
        </div>
      </header>
      <Facts film={film} />
      {film.director && <MoreBy director={film.director} except={id} />}
      <DeleteFilm film={film} />
    </article>
  );
}

/** A heading that becomes a field. What is typed stays, whatever the title becomes meanwhile. */
export function EditableTitle({ id, title }: { id: number; title: string | null }) {
  const controller = useController();
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState("");
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const editing = draft !== undefined;
  const edited = useRef(false);

  useEffect(() => {
    if (editing) {
      edited.current = true;
      field.current?.select();
    } else if (edited.current) button.current?.focus();
  }, [editing]);

  function stop(): void {
    setDraft(undefined);
    setProblem("");
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    if (draft === undefined || sending) return;
    const next = draft.trim();
    if (next === title) return stop();
    if (!next) return setProblem("A film needs a title.");
    setSending(true);
    try {
      await controller.fetch(FilmResource.partialUpdate, { id }, { title: next });
      stop();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setSending(false);
    }
  }

  if (!editing) {
    return (
      <h1>
        {title ?? "Untitled"}{" "}
        <button
          ref={button}
          type="button"
          class="quiet edit"
          onClick={() => setDraft(title ?? "")}
          aria-label="Edit the title"
        >
          <Pencil />
        </button>
      </h1>
    );
  }
  return (
    <form class="edit-title" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && stop()}>
      <h1>
        <input
          ref={field}
          name="title"
          aria-label="Title"
          aria-invalid={problem !== ""}
          aria-describedby="title-problem"
          autocomplete="off"
          maxLength={200}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </h1>
      <p>
        <button type="submit" class="main" disabled={sending}>{sending ? "Saving …" : "Save"}</button>
        <button type="button" onClick={stop}>Cancel</button>
        <span id="title-problem" class="problem" role="alert">{problem}</span>
      </p>
    </form>
  );
}

function Pencil() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      aria-hidden="true"
    >
      <path d="M3 17l1-4L14 3l3 3L7 16z M12 5l3 3" stroke-linejoin="round" />
    </svg>
  );
}

function Facts({ film }: { film: Film }) {
  const facts: [name: string, value: string | null | undefined][] = [
    ["Released", film.releaseDate && formatDay(film.releaseDate)],
    ["Rating board", film.mpaa],
    ["Distributor", film.distributor?.name],
    ["Kind", film.creativeType],
    ["Source", film.source],
    [
      "IMDb",
      film.imdbRating === null
        ? null
        : `${film.imdbRating.toFixed(1)}${film.imdbVotes === null ? "" : ` of ${formatNumber(film.imdbVotes)} votes`}`,
    ],
    ["Rotten Tomatoes", film.rottenTomatoes === null ? null : `${film.rottenTomatoes} %`],
    ["Budget", film.budget === null ? null : formatMoney(film.budget)],
    ["Box office, US", film.usGross === null ? null : formatMoney(film.usGross)],
    ["Box office, world", film.worldwideGross === null ? null : formatMoney(film.worldwideGross)],
    ["DVD sales, US", film.dvdSales === null ? null : formatMoney(film.dvdSales)],
  ];
  const known = facts.filter(([, value]) => value);
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
  useSuspense(FilmResource.getList, { director, perPage: 100 });
  // Read by the relation and not from the answer: a film that is added, or gets another director, is in or out at once.
  const others = useQuery(filmsOf, director)?.filter((id) => id !== except);
  if (!others?.length) return <p class="none">No other film of theirs is in this collection.</p>;
  return (
    <ul class="cards">
      {others.map((id) => <FilmCard key={id} id={id} />)}
    </ul>
  );
}

/** One film of a shelf. Like a row of the list it reads its own record. */
export function FilmCard({ id }: { id: number }) {
  const film = useQuery(FilmSummary, { id });
  const renders = useRenders();
  if (!film) return null;
  return (
    <li class="card" data-film={id} data-renders={renders}>
      <a href={filmHref(id)}>
        <Poster film={film} small />
        <span class="caption">
          <strong>{titleOf(film)}</strong>
          <span class="about">
            {yearOf(film)} <GivenStars film={film} />
          </span>
        </span>
      </a>
    </li>
  );
}

function DeleteFilm({ film }: { film: Film }) {
  const controller = useController();
  const dialog = useRef<HTMLDialogElement>(null);

  async function remove(): Promise<void> {
    dialog.current?.close();
    // Left first: a page of a film that is gone would have nothing to show. Back must not come to it either.
    navigate(backHref(), { replace: true });
    try {
      await controller.fetch(FilmResource.delete, { id: film.id });
      say(`“${titleOf(film)}” was deleted.`, false, { name: "Undo", run: () => void restore() });
    } catch (error) {
      say(`“${titleOf(film)}” was not deleted. ${explain(error)}`, true);
    }
  }

  /** The server keeps the number of what was deleted, and takes it back at its address. */
  async function restore(): Promise<void> {
    const { id, isPending: _, releaseDate, genre, director, distributor, ...members } = film;
    try {
      await controller.fetch(FilmResource.update, { id }, {
        ...members,
        releaseDate: releaseDate && releaseDate.toISOString().slice(0, 10),
        genre: genre && genre.id,
        director: director && director.id,
        distributor: distributor && distributor.id,
      });
      say(`“${titleOf(film)}” is back.`);
    } catch (error) {
      say(`“${titleOf(film)}” is not back. ${explain(error)}`, true);
    }
  }

  return (
    <footer>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>Delete this film …</button>
      <dialog ref={dialog} aria-labelledby="delete-question">
        <h2 id="delete-question">Delete “{titleOf(film)}”?</h2>
        <p>It goes with your rating. For ten seconds you can undo that.</p>
        <p class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>Keep it</button>
          <button type="button" class="danger main" onClick={() => void remove()}>Delete</button>
        </p>
      </dialog>
    </footer>
  );
}

/** Stands where cards will be, of the same size. */
export function CardsSkeleton({ count }: { count: number }) {
  return (
    <ul class="cards" aria-busy="true" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} class="card">
          <div class="ghost">
            <span class="poster small bone" />
            <span class="caption">
              <strong>
                <span class="bone" style={{ width: "80%" }} />
              </strong>
              <span class="about">
                <span class="bone" style={{ width: "40%" }} />
              </span>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

function FilmSkeleton() {
  return (
    <article class="film" aria-busy="true" aria-label="The film is loading">
      <header>
        <div class="poster bone" />
        <div class="head">
          <p class="kicker">
            <span class="bone" style={{ width: "9em" }} />
          </p>
          <h1>
            <span class="bone" style={{ width: "60%" }} />
          </h1>
          <p class="by">
            <span class="bone" style={{ width: "12em" }} />
          </p>
          <p class="rate">
            <span class="bone" style={{ width: "14em" }} />
          </p>
        </div>
      </header>
      <dl class="facts">
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index}>
            <dt>
              <span class="bone" style={{ width: "5em" }} />
            </dt>
            <dd>
              <span class="bone" style={{ width: "8em" }} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
