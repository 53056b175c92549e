import type { FilmSummary } from "./resources.ts";

/** What the person gave, to be read only; nothing where nothing was given. */
export function GivenStars({ film: { rating, isPending } }: { film: FilmSummary }) {
  if (rating === null) return null;
  return (
    <span
      class={isPending ? "given pending" : "given"}
      role="img"
      style={{ "--given": rating }}
      aria-label={`You gave ${rating} of 5 stars`}
    >
      ★★★★★
    </span>
  );
}
