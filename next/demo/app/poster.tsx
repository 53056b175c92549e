/** A film that nobody has given a picture gets a poster that is drawn from what is known of it. */
import type { JSX } from "preact";
import { titleOf, yearOf } from "./format.ts";
import type { Film, FilmSummary } from "./resources.ts";
import { ROOT } from "./route.ts";

interface Style {
  /** Hues of paper and of drawing. */
  readonly hues: readonly [number, number];
  readonly draw: (turn: number) => JSX.Element;
}

const circle = (cx: number, cy: number, r: number) => <circle cx={cx} cy={cy} r={r} />;
const rings = (cx: number, cy: number, count: number, step: number) => (
  <g fill="none" stroke="currentColor" stroke-width="3">
    {Array.from({ length: count }, (_, index) =>
      circle(cx, cy, step * (index + 1)))}
  </g>
);

// One idea a genre; `turn` (0 to 1, from the title) makes two films of one genre differ.
const STYLES: Record<string, Style> = {
  "action": {
    hues: [12, 42],
    draw: (turn) => (
      <g transform={`rotate(${-24 - turn * 14} 100 120)`}>
        <rect x="-60" y="60" width="320" height="34" />
        <rect x="-20" y="112" width="320" height="14" />
        <rect x="-60" y="140" width="240" height="6" />
      </g>
    ),
  },
  "adventure": {
    hues: [188, 48],
    draw: (turn) => (
      <>
        {circle(60 + turn * 90, 70, 26)}
        <path d={`M-10 190 L${50 + turn * 30} 90 L120 190 Z`} opacity=".7" />
        <path d={`M60 190 L${130 + turn * 20} 112 L220 190 Z`} />
      </>
    ),
  },
  "black-comedy": {
    hues: [300, 60],
    draw: (turn) => (
      <g transform={`rotate(${turn * 180} 100 105)`}>
        <path d="M100 35 A70 70 0 0 1 100 175 Z" />
        <g opacity=".35">{circle(100, 105, 70)}</g>
      </g>
    ),
  },
  "comedy": {
    hues: [44, 350],
    draw: (turn) => (
      <>
        {circle(66, 82, 13 + turn * 8)}
        {circle(134, 82, 21 - turn * 8)}
        <path d="M40 118 A60 60 0 0 0 160 118 Z" />
      </>
    ),
  },
  "concert-performance": {
    hues: [268, 320],
    draw: (turn) => (
      <>
        <path d={`M${70 + turn * 60} 0 L20 190 L110 190 Z`} opacity=".6" />
        <path d={`M${130 - turn * 60} 0 L90 190 L180 190 Z`} />
      </>
    ),
  },
  "documentary": {
    hues: [205, 200],
    draw: (turn) => (
      <>
        <path d="M30 40 h36 v8 h-28 v28 h-8 Z M170 40 h-36 v8 h28 v28 h8 Z M30 176 h36 v-8 h-28 v-28 h-8 Z M170 176 h-36 v-8 h28 v-28 h8 Z" />
        {circle(100, 108, 12 + turn * 14)}
      </>
    ),
  },
  "drama": {
    hues: [222, 32],
    draw: (turn) => (
      <g transform={`translate(${turn * 60 - 30} 0)`}>
        {circle(100, 92, 42)}
        <rect x="-60" y="150" width="320" height="5" />
        <rect x="-60" y="166" width="320" height="2" />
      </g>
    ),
  },
  "horror": {
    hues: [352, 8],
    draw: (turn) => (
      <g transform={`rotate(${8 + turn * 8} 100 100)`}>
        {[0, 1, 2, 3].map((index) => (
          <path key={index} d={`M${34 + index * 40} 10 q10 ${70 + turn * 40} -6 170 q-10 -90 6 -170 Z`} />
        ))}
      </g>
    ),
  },
  "musical": {
    hues: [328, 48],
    draw: (turn) => (
      <>
        {[46, 92, 64, 118, 80, 52].map((height, index) => (
          <rect
            key={index}
            x={24 + index * 26}
            y={180 - height * (0.75 + (index % 2 ? turn : 1 - turn) * 0.5)}
            width="16"
            height="200"
            rx="8"
          />
        ))}
      </>
    ),
  },
  "romantic-comedy": {
    hues: [338, 18],
    draw: (turn) => (
      <>
        <g opacity=".75">{circle(76 - turn * 8, 100, 44)}</g>
        <g opacity=".75">{circle(124 + turn * 8, 100, 44)}</g>
      </>
    ),
  },
  "thriller-suspense": {
    hues: [172, 160],
    draw: (turn) => rings(70 + turn * 60, 100, 5, 17),
  },
  "western": {
    hues: [22, 40],
    draw: (turn) => (
      <>
        {circle(60 + turn * 80, 106, 40)}
        <path d="M-10 150 h50 l10 -34 h34 l8 34 h36 l6 -20 h26 l8 20 h50 v60 h-228 Z" />
      </>
    ),
  },
};

const UNKNOWN: Style = {
  hues: [250, 220],
  draw: (turn) => <rect x={50} y={50} width={100} height={100} transform={`rotate(${turn * 90} 100 100)`} />,
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
export function colours(id: number, genre: string | undefined): { seed: number; paper: number; ink: number } {
  // By the id, not the title: a film that gets another title keeps its picture.
  const seed = hash(`${id}`);
  const { hues: [paper, ink] } = STYLES[genre ?? ""] ?? UNKNOWN;
  const shift = (seed >>> 8) % 29 - 14;
  return { seed, paper: paper + shift, ink: ink + shift };
}

/** `small`: in a list, where only the initials can be read. */
export function Poster({ film, small = false }: { film: FilmSummary & Partial<Film>; small?: boolean }) {
  const title = titleOf(film);
  const { seed, paper, ink } = colours(film.id, film.genre?.id);
  const turn = (seed % 97) / 97;
  const { draw } = STYLES[film.genre?.id ?? ""] ?? UNKNOWN;
  return (
    <div
      class={small ? "poster small" : "poster"}
      aria-hidden="true"
      style={{ "--paper": paper, "--ink": ink }}
    >
      {film.poster === null
        ? <svg viewBox="0 0 200 200" preserveAspectRatio="xMidYMin slice" fill="currentColor">{draw(turn)}</svg>
        : <img src={`${ROOT}api/films/${film.id}/poster?${film.poster}`} alt="" />}
      {small ? film.poster === null && <span>{initials(title)}</span> : (
        <p>
          <b class={title.length > 34 ? "long" : undefined}>{title}</b>
          <small>{[film.director?.name, yearOf(film)].filter(Boolean).join(" · ")}</small>
        </p>
      )}
    </div>
  );
}
