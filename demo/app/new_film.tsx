import { useMutation } from "@rejoin/data/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { GenreSelect } from "./film_list.tsx";
import { explain, explainFields, say } from "./notices.tsx";
import { FilmResource } from "./resources.ts";
import { backHref, filmHref, listSearch, navigate } from "./route.ts";

/** What every field of the form is told. */
interface FieldProps {
  readonly id: string;
  readonly name: string;
  readonly defaultValue: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string;
}

/** What was typed and not sent: it is there when one comes back. */
let draft: Record<string, string> = {};

const valuesOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));

/** The form for a film that is not in the collection yet. */
export function NewFilm() {
  const [genre, setGenre] = useState(draft.genre ?? "");
  const { mutate, isPending, error } = useMutation(FilmResource.create, {
    onSuccess(film) {
      draft = {};
      say(`“${film.title}” was added.`);
      navigate(`${filmHref(film.id)}${listSearch.peek()}`, { replace: true });
    },
  });
  const form = useRef<HTMLFormElement>(null);
  const problems = explainFields(error);
  useLayoutEffect(() => {
    document.title = "Add a film · Cinema";
    form.current?.querySelector("input")?.focus();
  }, []);
  // The first fault is where one goes on.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);

  function add(event: SubmitEvent & { currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    if (isPending) return;
    const { title, director, genre, releaseDate, runningTime, mpaa } = valuesOf(event.currentTarget);
    mutate({
      title: title || null,
      director: director ? { name: director } : null,
      genre: genre || null,
      releaseDate: releaseDate || null,
      runningTime: runningTime ? Number(runningTime) : null,
      mpaa: mpaa || null,
    });
  }

  const field = (name: string, label: string, input: (own: FieldProps) => ComponentChildren) => (
    <div class="field">
      <label for={`new-${name}`}>{label}</label>
      {input({
        id: `new-${name}`,
        name,
        defaultValue: draft[name] ?? "",
        "aria-invalid": problems[name] !== undefined,
        "aria-describedby": `new-${name}-problem`,
      })}
      <em class="problem" id={`new-${name}-problem`} role="alert">{problems[name] && `It ${problems[name]}.`}</em>
    </div>
  );

  return (
    <form
      class="new-film"
      ref={form}
      onSubmit={add}
      onInput={({ currentTarget }) => draft = valuesOf(currentTarget)}
    >
      <h1>Add a film</h1>
      {field("title", "Title", (own) => <input {...own} required maxLength={200} autocomplete="off" />)}
      {field("director", "Director", (own) => <input {...own} maxLength={200} autocomplete="off" />)}
      <div class="two">
        {field("genre", "Genre", (own) => <GenreSelect {...own} value={genre} none="None" onChange={setGenre} />)}
        {field("releaseDate", "Released", (own) => <input {...own} type="date" max="9999-12-31" />)}
        {field("runningTime", "Minutes", (own) => <input {...own} type="number" min="1" max="10000" step="1" />)}
        {field("mpaa", "Rating board", ({ defaultValue, ...own }) => (
          <select {...own}>
            <option value="">Not known</option>
            {["G", "PG", "PG-13", "R", "NC-17", "Not Rated"].map((mpaa) => (
              <option key={mpaa} selected={mpaa === defaultValue}>{mpaa}</option>
            ))}
          </select>
        ))}
      </div>
      <p class="problem" role="alert">{error && Object.keys(problems).length === 0 && explain(error)}</p>
      <p class="buttons">
        <a class="button" href={backHref()}>Cancel</a>
        <button type="submit" class="main" aria-disabled={isPending}>{isPending ? "Adding …" : "Add it"}</button>
      </p>
    </form>
  );
}
