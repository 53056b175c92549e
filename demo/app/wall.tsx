/** All posters on one page, each a component that reads its own film. */
import { useController, useError, useFetch, useQuery, useSelect } from "@rejoin/data/preact";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Failure } from "./failure.tsx";
import { titleOf, yearOf } from "./format.ts";
import { cost, countRun, measure } from "./measure.ts";
import { colours, initials } from "./poster.tsx";
import { rate, touched } from "./rate.ts";
import { allFilms, getPosters } from "./queries.ts";
import { FilmSummary } from "./resources.ts";

/** Whole rows of 18, 9 or 6: a part that is not on the screen keeps its place without being laid out. */
export const PART = 36;

/** The wall, driven by the store. */
export function Wall() {
  const controller = useController();
  const isThere = useSelect(getPosters, [], (films) => films !== undefined);
  const error = useError(getPosters);
  if (error) return <Failure error={error} resetErrorBoundary={() => controller.invalidate(getPosters)} />;

  function touch(id: number): void {
    const film = controller.get(FilmSummary, { id });
    if (!film) return;
    touched.value = id;
    void measure(() => void rate(controller, id, nextRating(film.rating)));
  }

  return <WallBox touch={touch}>{isThere ? <Posters /> : <AskForPosters />}</WallBox>;
}

/**
 * Asks, and draws nothing: who looks at the answer runs whenever one of its films changes. When it is there nobody asks
 * again: each film is kept up to date by itself.
 */
function AskForPosters() {
  useFetch(getPosters);
  return null;
}

function Posters() {
  const controller = useController();
  const ids = useQuery(allFilms) ?? [];
  // As the server orders them, whatever a shelf has brought before, and then what is added. Nobody moves up when a film
  // is deleted: its neighbours have no reason to run.
  const places = useRef<Set<number> | undefined>(undefined);
  places.current ??= new Set(controller.getResponse(getPosters).data?.map(({ id }) => id));
  const parts = useMemo(() => {
    for (const id of ids) places.current!.add(id);
    return partsOf([...places.current!]);
  }, [ids]);
  return <>{useParts(parts.length, (index) => <Part key={index} ids={parts[index] ?? []} />)}</>;
}

function Part({ ids }: { ids: readonly number[] }) {
  const text = ids.join();
  return useMemo(() => <div class="part">{ids.map((id) => <Tile key={id} id={id} />)}</div>, [text]);
}

function Tile({ id }: { id: number }) {
  const film = useQuery(FilmSummary, { id });
  const runs = useRef(0);
  if (!film) return null;
  return drawTile(film, ++runs.current);
}

/** What is drawn of a film. */
export type TileFilm =
  & Pick<FilmSummary, "id" | "title" | "releaseDate" | "rating" | "isPending">
  & { readonly genre: { readonly id: string } | null };

/** A poster; the same with and without Rejoin. Called by components that are counted. */
export function drawTile(film: TileFilm, runs: number): VNode {
  if (runs > 1) countRun(film.id);
  const { id, rating, isPending } = film;
  const [name, year, genre] = [titleOf(film), yearOf(film), film.genre?.id];
  const stars = rating === null ? "no stars" : rating === 1 ? "1 star" : `${rating} stars`;
  const { paper, ink } = colours(id, genre);
  return (
    // A <button> has a box inside of its own: laid out 3,201 times.
    <div
      role="button"
      tabIndex={-1}
      // Two names for one animation: the other name starts it again.
      class={`tile ${genre ?? "unknown"}${runs > 1 ? ` ran-${runs % 2}` : ""}${isPending ? " pending" : ""}`}
      style={`--paper:${paper};--ink:${ink}`}
      data-film={id}
      data-renders={runs}
      // Drawn by the style sheet: nobody who reads the name aloud needs them.
      data-initials={initials(name)}
      aria-label={`${name}${year ? `, ${year}` : ""}, ${stars}`}
      title={name}
    >
      {rating !== null && <i>{"★".repeat(rating)}</i>}
    </div>
  );
}

/** A touch is a star more; after the fifth there is none. */
export function nextRating(rating: number | null): number | null {
  return rating === 5 ? null : (rating ?? 0) + 1;
}

/** Cuts the wall into parts. */
export function partsOf<T>(all: readonly T[]): T[][] {
  return Array.from(
    { length: Math.ceil(all.length / PART) },
    (_, index) => all.slice(index * PART, (index + 1) * PART),
  );
}

/** Makes the parts one after another, a few in each frame: 3,201 components at once would keep a slow machine busy. */
function useParts(count: number, make: (index: number) => VNode): VNode[] {
  const [made, setMade] = useState(16);
  useEffect(() => {
    if (made >= count) return;
    const frame = requestAnimationFrame(() => setMade(made + 8));
    return () => cancelAnimationFrame(frame);
  }, [made, count]);
  return Array.from({ length: count }, (_, index) => index < made ? make(index) : <div key={index} class="part" />);
}

/** The frame of the wall: one stop for the tab key, arrows inside; a click or Enter touches. */
export function WallBox({ touch, children }: { touch: (id: number) => void; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div class="wall-frame">
      <div
        class="wall"
        ref={box}
        role="group"
        aria-label="All films. Arrow keys move, Enter gives a star"
        tabIndex={0}
        onFocus={(event) => {
          if (box.current && event.target === box.current) tilesOf(box.current)[0]?.focus({ preventScroll: true });
        }}
        onFocusCapture={() => box.current && (box.current.tabIndex = -1)}
        onBlurCapture={() => box.current && (box.current.tabIndex = 0)}
        onKeyDown={(event) => box.current && move(box.current, event)}
        onClick={(event) => {
          const tile = event.target instanceof Element ? event.target.closest<HTMLElement>(".tile") : null;
          if (tile) touch(Number(tile.dataset.film));
        }}
      >
        {children}
      </div>
      <Marks />
    </div>
  );
}

/** Where on the wall posters have run: most of it is not on the screen. */
function Marks() {
  if (!cost.value) return null;
  const ran = new Set(cost.value.ran);
  const tiles = tilesOf(document);
  const marks = tiles.map(({ dataset }, at) => ran.has(Number(dataset.film)) ? `M0 ${at}h1` : "").join("");
  return (
    <svg class="marks-of-runs" viewBox={`0 0 1 ${tiles.length}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={marks} />
    </svg>
  );
}

const tilesOf = (box: ParentNode): HTMLElement[] => [...box.querySelectorAll<HTMLElement>(".tile")];

function move(box: HTMLElement, event: KeyboardEvent): void {
  const tiles = tilesOf(box);
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    (event.target as HTMLElement).click(); // a tile, or the box
  }
  const at = tiles.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const columns = getComputedStyle(box.querySelector(".part") ?? box).gridTemplateColumns.split(" ").length;
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const to = event.key === "Home" ? 0 : event.key === "End" ? tiles.length - 1 : at + (steps[event.key] ?? 0);
  const next = tiles[to];
  if (to === at || !next) return;
  event.preventDefault();
  next.focus();
}
