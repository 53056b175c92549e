import { useController } from "@rejoin/data/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { GenreSelect } from "./film_list.tsx";
import { explain, explainFields, say } from "./notices.tsx";
import { FilmResource } from "./resources.ts";
import { backHref, filmHref, listSearch, navigate } from "./route.ts";

/** The form for a film that is not in the collection yet. */
export function NewFilm() {
  const controller = useController();
  const [genre, setGenre] = useState("");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState("");
  const [sending, setSending] = useState(false);
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = "Add a film · Cinema";
    title.current?.focus();
  }, []);

  async function add(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim() || null;
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
      say(`“${film.title}” was added.`);
      navigate(`${filmHref(film.id)}${listSearch.peek()}`, { replace: true });
    } catch (error) {
      const fields = explainFields(error);
      setProblems(fields);
      setProblem(Object.keys(fields).length ? "" : explain(error));
      setSending(false);
    }
  }

  const field = (name: string, label: string, input: ComponentChildren) => (
    <label class="field">
      <span>{label}</span>
      {input}
      {problems[name] && <em class="problem" role="alert">{`It ${problems[name]}.`}</em>}
    </label>
  );

  return (
    <form class="new-film" onSubmit={add}>
      <h1>Add a film</h1>
      {field("title", "Title", <input ref={title} name="title" required maxLength={200} autocomplete="off" />)}
      {field("director", "Director", <input name="director" maxLength={200} autocomplete="off" />)}
      <div class="two">
        {field("genre", "Genre", <GenreSelect value={genre} none="None" onChange={setGenre} />)}
        {field("releaseDate", "Released", <input name="releaseDate" type="date" max="9999-12-31" />)}
        {field("runningTime", "Minutes", <input name="runningTime" type="number" min="1" max="10000" step="1" />)}
        {field(
          "mpaa",
          "Rated",
          <select name="mpaa">
            <option value="">Not known</option>
            {["G", "PG", "PG-13", "R", "NC-17", "Not Rated"].map((mpaa) => <option key={mpaa}>{mpaa}</option>)}
          </select>,
        )}
      </div>
      {problem && <p class="problem" role="alert">{problem}</p>}
      <p class="buttons">
        <a class="button" href={backHref()}>Cancel</a>
        <button type="submit" class="main" disabled={sending}>{sending ? "Adding …" : "Add it"}</button>
      </p>
    </form>
  );
}
