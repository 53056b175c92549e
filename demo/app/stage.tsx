/** What the library is for, to be touched: the wall, the server's handle, and what follows from them. */
import { useController, useMutation, useQuery, useSelect } from "@rejoin/data/preact";
import { computed, signal } from "@preact/signals";
import { formatNumber, titleOf } from "./format.ts";
import { Handle } from "./handle.tsx";
import { isLive } from "./live.ts";
import { cost, measure } from "./measure.ts";
import { explain, say } from "./notices.tsx";
import { PlainWall } from "./plain_wall.tsx";
import { allFilms, getPosters } from "./queries.ts";
import { rate, refusals, touched } from "./rate.ts";
import { Switch, useRenders } from "./renders.tsx";
import { FilmSummary, Genre, GenreResource } from "./resources.ts";
import { filmHref } from "./route.ts";
import { Wall } from "./wall.tsx";

/** Whether the wall does without the store. */
const isPlain = signal(false);

/** The wall with all that belongs to it. */
export function Stage() {
  return (
    <section class="stage" aria-labelledby="stage">
      <header>
        <h1 id="stage">
          <Count /> on one page
        </h1>
        <p class="about">
          Touch a poster: its film gets a star. What runs again lights up.
        </p>
      </header>
      <div class="controls">
        <Handle />
        <Cost />
        <p class="tries">
          <Switch
            name="Without Rejoin"
            isOn={isPlain.value}
            turn={(isOn) => {
              isPlain.value = isOn;
              cost.value = undefined;
            }}
          />
          <RenameButton />
        </p>
      </div>
      {isPlain.value ? <PlainWall /> : <Wall />}
      <Touched />
      <p class="visit">
        <span class={isLive.value ? "live on" : "live"} role="status">
          {isLive.value ? "Live: open a second window to see it." : "Not connected."}
        </span>
      </p>
    </section>
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
  const { ran, ms } = cost.value ?? {};
  return (
    <p class="cost" role="status" data-runs={ran?.length} data-renders={useRenders()}>
      <span>
        <b>{formatNumber(ran?.length ?? 0)}</b> of {formatNumber(total.value)} posters ran
      </span>
      <span>
        <b>{ms?.toFixed(1) ?? 0}</b> ms from click to last run
      </span>
    </p>
  );
}

/** A genre is one record: who shows one of its films shows its name. */
function RenameButton() {
  const genre = useQuery(Genre, { id: "western" });
  const { mutate } = useMutation(GenreResource.partialUpdate, {
    onError: (error) => say(`The genre kept its name. ${explain(error)}`, true),
  });
  const name = genre?.name ?? "Western";

  function rename(): void {
    // Who reads the record is somewhere among thousands: one of them is brought into view.
    document.querySelector(".tile.western")?.scrollIntoView({ block: "nearest" });
    void measure(() => mutate({ id: "western" }, { name: name === "Western" ? "Horse opera" : "Western" }));
  }
  return <button type="button" onClick={rename} disabled={!genre || isPlain.value}>Rename {name}</button>;
}

/** What was touched, and whether it was refused. */
const lastTouch = computed(() => {
  const id = touched.value;
  return id === undefined || isPlain.value ? undefined : { id, refusal: refusals.value.get(id) };
});

/** Says in words what the posters show by colour. */
function Touched() {
  const controller = useController();
  const { id, refusal } = lastTouch.value ?? {};
  const film = useQuery(FilmSummary, id === undefined ? null : { id });
  if (id === undefined || !film) return <p class="touched about" role="status" />;
  const { rating, isPending } = film;
  const stars = rating === null ? "no stars" : rating === 1 ? "one star" : `${rating} stars`;
  return (
    <p class={refusal ? "touched fell" : isPending ? "touched pending" : "touched"} role="status">
      <a href={filmHref(id)}>
        <bdi>{titleOf(film)}</bdi>
      </a>
      <span>
        {refusal
          ? `was not rated: it has ${stars}, as before. ${refusal.why}`
          : `has ${stars}${isPending ? " here, pending at the server." : ", here and at the server."}`}
      </span>
      {refusal && (
        <button type="button" class="quiet" onClick={() => void rate(controller, id, refusal.rating)}>Try again</button>
      )}
    </p>
  );
}
