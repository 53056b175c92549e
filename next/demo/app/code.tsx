/** Twelve lines, and what each of them makes. */
import { useEffect, useState } from "preact/hooks";

/** The text of `twelve.tsx`, put here when the page is bundled: what is shown is checked as all code is. */
declare const TWELVE_LINES: string;

const LINES = TWELVE_LINES.split("\n").filter((line) => line !== "" && !/^(import|\/\/)/.test(line));

/** What on the page a line has made. */
const MADE: readonly [line: RegExp, selector: string][] = [
  [/^class Genre/, "[data-place=list] .select:has([name=genre]), .tries button"],
  [/^const FilmResource/, "[data-place=list] .rows, .handle"],
  [/new Query/, "[aria-labelledby=rated-by-you]"],
  [/useQuery|function Poster|return/, ".wall-frame"],
  [/useMutation/, ".touched, .cost"],
  [/^class Film|^ {2}id|static/, ".wall-frame, [data-place=list] .rows, .home .cards"],
];

/** By line. A brace belongs to what it closes. */
const MADE_BY = LINES.reduce<(string | undefined)[]>((made, line) => {
  return [...made, MADE.find(([pattern]) => pattern.test(line))?.[1] ?? made.at(-1)];
}, []);

export function Code() {
  const [lit, setLit] = useState<string>();
  useEffect(() => {
    const places = lit ? [...document.querySelectorAll(lit)] : [];
    for (const place of places) place.classList.add("lit");
    return () => {
      for (const place of places) place.classList.remove("lit");
    };
  }, [lit]);
  return (
    <section class="code" aria-labelledby="code">
      <h2 id="code">Twelve lines of Rejoin</h2>
      <p class="about">Each of them lights up what it made.</p>
      <ol onMouseLeave={() => setLit(undefined)}>
        {LINES.map((line, index) => (
          <li
            key={index}
            tabIndex={0}
            onMouseEnter={() => setLit(MADE_BY[index])}
            onFocus={() => setLit(MADE_BY[index])}
            onBlur={() => setLit(undefined)}
          >
            <code>{line}</code>
          </li>
        ))}
      </ol>
      <p class="install">
        <code>npm install @rejoin/data @preact/signals</code>
      </p>
    </section>
  );
}
