import { useMutation } from "@rejoin/data/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "./notices.tsx";
import { FilmResource } from "./resources.ts";

/** A heading that becomes a field. What is typed stays, whatever the title becomes meanwhile. */
export function EditableTitle({ id, title }: { id: number; title: string | null }) {
  const [draft, setDraft] = useState<string>();
  const { mutate, isPending, error, reset } = useMutation(FilmResource.partialUpdate, { onSuccess: stop });
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isEditing = draft !== undefined;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (isEditing) field.current?.select();
    else if (wasEditing.current) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  function stop(): void {
    setDraft(undefined);
    reset();
  }

  if (!isEditing) {
    const edit = () => setDraft(title ?? "");
    return (
      <h1>
        {title ?? "Untitled"}{" "}
        <button ref={button} type="button" class="quiet edit" onClick={edit} aria-label="Edit the title">✎</button>
      </h1>
    );
  }
  const next = draft.trim();
  const save = (event: Event) => {
    event.preventDefault();
    if (next === title) stop();
    else if (next && !isPending) mutate({ id }, { title: next });
  };
  return (
    <form class="edit-title" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && stop()}>
      <h1>
        <input
          ref={field}
          name="title"
          aria-label="Title"
          aria-invalid={!next || error !== undefined}
          aria-describedby="title-problem"
          autocomplete="off"
          maxLength={200}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </h1>
      <p>
        <button type="submit" class="main" disabled={isPending}>{isPending ? "Saving …" : "Save"}</button>
        <button type="button" onClick={stop}>Cancel</button>
        <span id="title-problem" class="problem" role="alert">
          {error ? explain(error) : !next && "A film needs a title."}
        </span>
      </p>
    </form>
  );
}
