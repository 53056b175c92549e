import { useController } from "@rejoin/data/preact";
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
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string;
}

/** What was typed and not sent: it is there when one comes back. */
let draft: Record<string, string> = {};

function keep({ currentTarget }: { currentTarget: HTMLFormElement }): void {
  draft = Object.fromEntries([...new FormData(currentTarget)].map(([name, value]) => [name, String(value)]));
}

function restore({ elements }: HTMLFormElement, setGenre: (genre: string) => void): void {
  for (const [name, value] of Object.entries(draft)) {
    const field = elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  setGenre(draft.genre ?? "");
}

/** The form for a film that is not in the collection yet. */
export function NewFilm() {
  const controller = useController();
  const [genre, setGenre] = useState("");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState("");
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Before anybody sees the form, or types into it.
  useLayoutEffect(() => {
    document.title = "Add a film · Cinema";
    form.current?.querySelector("input")?.focus();
    if (form.current) restore(form.current, setGenre);
  }, []);
  // The first fault is where one goes on.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problems]);

  async function add(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    if (sending) return;
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? "").trim() || null;
    const director = text("director");
    const minutes = text("runningTime");
    setSending(true);
    setProblems({});
    setProblem("");
    try {
      const film = await controller.fetch(FilmResource.create, {
        title: text("title"),
        director: director === null ? null : { name: director },
        genre: text("genre"),
        releaseDate: text("releaseDate"),
        runningTime: minutes === null ? null : Number(minutes),
        mpaa: text("mpaa"),
      });
      draft = {};
      say(`“${film.title}” was added.`);
      navigate(`${filmHref(film.id)}${listSearch.peek()}`, { replace: true });
    } catch (error) {
      const fields = explainFields(error);
      setProblems(fields);
      setProblem(Object.keys(fields).length ? "" : explain(error));
      setSending(false);
    }
  }

  const field = (name: string, label: string, input: (own: FieldProps) => ComponentChildren) => (
    <div class="field">
      <label for={`new-${name}`}>{label}</label>
      {input({
        id: `new-${name}`,
        name,
        "aria-invalid": problems[name] !== undefined,
        "aria-describedby": `new-${name}-problem`,
      })}
      <em class="problem" id={`new-${name}-problem`} role="alert">{problems[name] && `It ${problems[name]}.`}</em>
    </div>
  );

  return (
    <form class="new-film" ref={form} onSubmit={add} onInput={keep}>
      <h1>Add a film</h1>
      {field("title", "Title", (own) => <input {...own} required maxLength={200} autocomplete="off" />)}
      {field("director", "Director", (own) => <input {...own} maxLength={200} autocomplete="off" />)}
      <div class="two">
        {field("genre", "Genre", (own) => <GenreSelect {...own} value={genre} none="None" onChange={setGenre} />)}
        {field("releaseDate", "Released", (own) => <input {...own} type="date" max="9999-12-31" />)}
        {field("runningTime", "Minutes", (own) => <input {...own} type="number" min="1" max="10000" step="1" />)}
        {field(
          "mpaa",
          "Rating board",
          (own) => (
            <select {...own}>
              <option value="">Not known</option>
              {["G", "PG", "PG-13", "R", "NC-17", "Not Rated"].map((mpaa) => <option key={mpaa}>{mpaa}</option>)}
            </select>
          ),
        )}
      </div>
      {problem && <p class="problem" role="alert">{problem}</p>}
      <p class="buttons">
        <a class="button" href={backHref()}>Cancel</a>
        <button type="submit" class="main" aria-disabled={sending}>{sending ? "Adding …" : "Add it"}</button>
      </p>
    </form>
  );
}
