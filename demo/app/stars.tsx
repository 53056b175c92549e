import { useController } from "@rejoin/data/preact";
import { rate, refusals } from "./rate.ts";
import type { Film } from "./resources.ts";

/** Five stars to click. Radio buttons underneath, so that arrow keys and screen readers know what they are. */
export function RateStars({ film: { id, rating, isPending } }: { film: Film }) {
  const controller = useController();
  const refusal = refusals.value.get(id);
  const give = (rating: number | null) => void rate(controller, id, rating);
  // The button goes: what has the focus then is where the stars are.
  const clear = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    currentTarget.closest("fieldset")?.querySelector("input")?.focus();
    give(null);
  };
  return (
    <fieldset class={isPending ? "rate pending" : "rate"} aria-busy={isPending}>
      <legend>Your rating</legend>
      <div class="stars">
        {[1, 2, 3, 4, 5].map((value) => (
          <label key={value} class={rating !== null && value <= rating ? "on" : undefined}>
            <input
              type="radio"
              name={`rating-${id}`}
              value={value}
              checked={rating === value}
              onChange={() =>
                give(value)}
            />
            <span class="hidden">{value === 1 ? "1 star" : `${value} stars`}</span>
          </label>
        ))}
      </div>
      <button type="button" class="quiet" hidden={rating === null} onClick={clear}>Clear</button>
      <p class="fell" role="alert">
        {refusal && (
          <>
            Your rating was not kept: it is what it was. {refusal.why}{" "}
            <button type="button" class="quiet" onClick={() => give(refusal.rating)}>Try again</button>
          </>
        )}
      </p>
    </fieldset>
  );
}
