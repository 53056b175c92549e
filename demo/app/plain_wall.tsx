/**
 * The same wall as one writes it first, with nothing but Preact: `fetch`, an array in `useState`, an object for each
 * poster. Nothing in it is slow on purpose; it uses neither signals nor memo.
 */
import { Component, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { explain, say } from "./notices.tsx";
import { measure } from "./measure.ts";
import { touched } from "./rate.ts";
import { drawTile, nextRating, partsOf, type TileFilm, WallBox } from "./wall.tsx";

type FilmJson = Omit<TileFilm, "releaseDate"> & { readonly releaseDate: string | null };

async function send(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`/api${path}`, {
    ...body && { method: "PATCH", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return await response.json();
}

/** The wall without Rejoin. */
export function PlainWall() {
  const [films, setFilms] = useState<readonly FilmJson[]>([]);
  const [pending, setPending] = useState<number>();
  useEffect(() => {
    send("/posters").then((films) => setFilms(films as FilmJson[]), (error) => say(explain(error), true));
  }, []);

  async function rate(film: FilmJson, rating: number | null): Promise<void> {
    const give = (rating: number | null) =>
      setFilms((films) => films.map((other) => other.id === film.id ? { ...other, rating } : other));
    give(rating);
    setPending(film.id);
    try {
      await send(`/films/${film.id}`, { rating });
    } catch (error) {
      give(film.rating);
      say(explain(error), true);
    } finally {
      setPending(undefined);
    }
  }

  return (
    <WallBox
      touch={(id) => {
        const film = films.find((film) => film.id === id);
        if (!film) return;
        touched.value = id;
        void measure(() => void rate(film, nextRating(film.rating)));
      }}
    >
      {partsOf(films).map((part, index) => (
        <div key={index} class="part">
          {part.map((film) => <PlainTile key={film.id} film={film} isPending={film.id === pending} />)}
        </div>
      ))}
    </WallBox>
  );
}

/** A class, so that it can count its runs: with a hook, Preact's signals would compare its props. */
class PlainTile extends Component<{ film: FilmJson; isPending: boolean }> {
  #runs = 0;

  override render(): VNode {
    const { film, isPending } = this.props;
    const releaseDate = film.releaseDate === null ? null : new Date(film.releaseDate);
    return drawTile({ ...film, releaseDate, isPending }, ++this.#runs);
  }
}
