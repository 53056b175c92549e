/** What the library is for, to be touched: the wall, the server's handle, and what follows from them. */
import { useController, useQuery, useSelect } from "@rejoin/data/preact";
import { computed, signal } from "@preact/signals";
import { formatNumber, titleOf } from "./format.ts";
import { Handle } from "./handle.tsx";
import { isLive } from "./live.ts";
import { cost, measure } from "./measure.ts";
import { explain, say } from "./notices.tsx";
import { PlainWall } from "./plain_wall.tsx";
import { rate, refusals } from "./rate.ts";
import { allFilms, getPosters } from "./queries.ts";
import { FilmSummary, Genre, GenreResource } from "./resources.ts";
import { filmHref, ROOT } from "./route.ts";
import { touched } from "./touched.ts";
import { Wall } from "./wall.tsx";

/** What one does here. `HomeSkeleton` says the same. */
const ABOUT = "Touch a poster to give its film a star, here and at the server. What runs again lights up.";

/** Whether the wall is driven by the store. */
const isPlain = signal(false);

/** The wall with all that belongs to it. */
export function Stage() {
  return (
    <section class="stage" aria-labelledby="stage">
      <header>
        <h1 id="stage">
          <Count /> on one page
        </h1>
        <p class="about">{ABOUT}</p>
      </header>
      <div class="controls">
        <Handle />
        <Cost />
        <p class="tries">
          <PlainSwitch />
          <RenameButton />
        </p>
      </div>
      {isPlain.value ? <PlainWall /> : <Wall />}
      <Touched />
      <Visitor />
    </section>
  );
}

const hasVisitor = signal(false);

/** Another page, with a store of its own, beside this one. */
function Visitor() {
  const href = `${ROOT}visitor`;
  return (
    <div class="visit">
      <p>
        <button type="button" aria-expanded={hasVisitor.value} onClick={() => hasVisitor.value = !hasVisitor.value}>
          {hasVisitor.value ? "Send the second visitor away" : "Let a second visitor in"}
        </button>
        <span class={isLive.value ? "live on" : "live"} role="status">
          {isLive.value ? "Live: what others write arrives as it happens." : "Not connected: what others write waits."}
        </span>
      </p>
      {hasVisitor.value && <iframe src={href} title="The second visitor" />}
    </div>
  );
}

const total = signal(3_201);

/** How many posters there are; until they are there the store knows a page or two, and there will be as many as ever. */
function Count() {
  const isThere = useSelect(getPosters, [], (films) => films !== undefined);
  const films = useQuery(allFilms)?.length ?? 0;
  if (isThere) total.value = films;
  return <>{total.value === 1 ? "1 component" : `${formatNumber(total.value)} components`}</>;
}

function Cost() {
  const { runs, ms } = cost.value ?? {};
  return (
    <p class="cost" role="status" data-runs={runs} data-ms={ms?.toFixed(1)}>
      <span>
        <b>{runs === undefined ? 0 : formatNumber(runs)}</b> of {formatNumber(total.value)} posters ran
      </span>
      <span>
        <b>{ms === undefined ? 0 : ms.toFixed(1)}</b> ms from click to last run
      </span>
    </p>
  );
}

function PlainSwitch() {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isPlain.value}
        onChange={(event) => {
          isPlain.value = event.currentTarget.checked;
          cost.value = undefined;
        }}
      />
      Without Rejoin
    </label>
  );
}

/** A genre is one record: who shows one of its films shows its name. */
function RenameButton() {
  const controller = useController();
  const genre = useQuery(Genre, { id: "western" });

  function rename(): void {
    // Who reads the record is somewhere among thousands: one of them is brought into view.
    document.querySelector(".tile.western")?.scrollIntoView({ block: "nearest" });
    const name = genre?.name === "Western" ? "Horse opera" : "Western";
    const renaming = () => controller.fetch(GenreResource.partialUpdate, { id: "western" }, { name });
    void measure(() => void renaming().catch((error) => say(`The genre kept its name. ${explain(error)}`, true)));
  }

  return (
    <button type="button" onClick={rename} disabled={!genre || isPlain.value}>
      Rename {genre?.name ?? "Western"}
    </button>
  );
}

/** Says in words what the posters show by colour. */
const TouchedWords = computed(() => {
  const id = touched.value;
  return id === undefined || isPlain.value ? undefined : { id, refusal: refusals.value.get(id) };
});

function Touched() {
  const controller = useController();
  const { id, refusal } = TouchedWords.value ?? {};
  const film = useQuery(FilmSummary, id === undefined ? null : { id });
  if (id === undefined || !film) {
    return (
      <p class="touched about" role="status">
        {isPlain.value
          ? "An array in useState, an object for each poster, neither signals nor memo: as one writes it first."
          : "Touch a poster: its film gets a star."}
      </p>
    );
  }
  const stars = film.rating === null ? "no stars" : film.rating === 1 ? "one star" : `${film.rating} stars`;
  return (
    <p class={refusal ? "touched fell" : film.isPending ? "touched pending" : "touched"} role="status">
      <a href={filmHref(id)}>
        <bdi>{titleOf(film)}</bdi>
      </a>
      <span>
        {refusal
          ? `was not rated: it has ${stars}, as before. ${refusal.why}`
          : film.isPending
          ? `has ${stars} here, pending at the server.`
          : `has ${stars}, here and at the server.`}
      </span>
      {refusal && (
        <button type="button" class="quiet" onClick={() => void rate(controller, id, refusal.rating)}>Try again</button>
      )}
    </p>
  );
}
