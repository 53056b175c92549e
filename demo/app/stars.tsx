import { useController } from "@rejoin/data/preact";
import { titleOf } from "./format.ts";
import { explain, say } from "./notices.tsx";
import { type Film, FilmResource } from "./resources.ts";
import { useState } from "preact/hooks";

const VALUES = [1, 2, 3, 4, 5] as const;

/** What the person gave, to be read only; nothing where nothing was given. */
export function GivenStars({ rating }: { rating: number | null }) {
  if (rating === null) return null;
  return (
    <span class="given" role="img" aria-label={`You gave ${rating} of 5 stars`}>
      {"★".repeat(rating)}
      <i>{"★".repeat(5 - rating)}</i>
    </span>
  );
}

/** Five stars to click. Radio buttons underneath, so that arrow keys and screen readers know what they are. */
export function RateStars({ film }: { film: Film }) {
  const controller = useController();
  // Whatever comes of it, the end of sending renders again: that unchecks a button whose star was refused.
  const [sending, setSending] = useState(false);

  async function rate(rating: number | null): Promise<void> {
    setSending(true);
    try {
      await controller.fetch(FilmResource.partialUpdate, { id: film.id }, { rating });
    } catch (error) {
      say(`Your rating of “${titleOf(film)}” was not kept. ${explain(error)}`, true);
    } finally {
      setSending(false);
    }
  }

  return (
    <fieldset class="rate" aria-busy={sending}>
      <legend>Your rating</legend>
      <div class="stars">
        {VALUES.map((value) => (
          <label key={value} class={film.rating !== null && value <= film.rating ? "on" : undefined}>
            <input
              type="radio"
              name="rating"
              value={value}
              checked={film.rating === value}
              onChange={() =>
                void rate(value)}
            />
            <span class="hidden">{value === 1 ? "1 star" : `${value} stars`}</span>
          </label>
        ))}
      </div>
      <button type="button" class="quiet" hidden={film.rating === null} onClick={() => void rate(null)}>Clear</button>
    </fieldset>
  );
}
