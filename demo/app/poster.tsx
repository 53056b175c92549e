/** A film that nobody has given a picture gets a poster that the style sheet draws from what is known of it. */
import { titleOf, yearOf } from "./format.ts";
import type { Film, FilmSummary } from "./resources.ts";

/** Hues of paper and of drawing, by genre. */
const HUES: Record<string, readonly [paper: number, ink: number]> = {
  "action": [12, 42],
  "adventure": [188, 48],
  "black-comedy": [300, 60],
  "comedy": [44, 350],
  "concert-performance": [268, 320],
  "documentary": [205, 200],
  "drama": [222, 32],
  "horror": [352, 8],
  "musical": [328, 48],
  "romantic-comedy": [338, 18],
  "thriller-suspense": [172, 160],
  "western": [22, 40],
};

function hash(text: string): number {
  let value = 2_166_136_261;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return value >>> 0;
}

/** The first letters of the words that count: `"The Lord of the Rings"` → `"LR"`. */
export function initials(title: string): string {
  // A number is a word: "12 Angry Men", "3:10 to Yuma".
  const [number] = /^\d+(?:[:.]\d+)?/.exec(title) ?? [];
  if (number) return number.slice(0, 5);
  const words = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const counting = words.filter((word) => !/^(the|a|an|of|and|in|on|to|la|le|les|der|die|das)$/i.test(word));
  return (counting.length ? counting : words).slice(0, 2).map((word) => [...word][0]?.toUpperCase()).join("") || "?";
}

/** The hues of a film's paper and drawing: of its genre, a little different for each film. */
export function colours(id: number, genre: string | undefined): { paper: number; ink: number } {
  // By the id, not the title: a film that gets another title keeps its picture.
  const [paper, ink] = HUES[genre ?? ""] ?? [250, 220];
  const shift = (hash(`${id}`) >>> 8) % 29 - 14;
  return { paper: paper + shift, ink: ink + shift };
}

/** `small`: in a list, where only the initials can be read. */
export function Poster({ film, small = false }: { film: FilmSummary & Partial<Film>; small?: boolean }) {
  const title = titleOf(film);
  const { paper, ink } = colours(film.id, film.genre?.id);
  return (
    <div
      class={`poster ${film.genre?.id ?? "unknown"}${small ? " small" : ""}`}
      aria-hidden="true"
      style={{ "--paper": paper, "--ink": ink }}
    >
      {film.poster !== null && <img src={`/api/films/${film.id}/poster?${film.poster}`} alt="" />}
      {small ? film.poster === null && <span>{initials(title)}</span> : (
        <p>
          <b class={title.length > 34 ? "long" : undefined}>{title}</b>
          <small>{[film.director?.name, yearOf(film)].filter(Boolean).join(" · ")}</small>
        </p>
      )}
    </div>
  );
}

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
