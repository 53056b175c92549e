import { useController } from "@rejoin/data/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "./notices.tsx";
import { FilmResource } from "./resources.ts";

/** A heading that becomes a field. What is typed stays, whatever the title becomes meanwhile. */
export function EditableTitle({ id, title }: { id: number; title: string | null }) {
  const controller = useController();
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState("");
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const editing = draft !== undefined;
  const edited = useRef(false);

  useEffect(() => {
    if (editing) {
      edited.current = true;
      field.current?.select();
    } else if (edited.current) button.current?.focus();
  }, [editing]);

  function stop(): void {
    setDraft(undefined);
    setProblem("");
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    if (draft === undefined || sending) return;
    const next = draft.trim();
    if (next === title) return stop();
    if (!next) return setProblem("A film needs a title.");
    setSending(true);
    try {
      await controller.fetch(FilmResource.partialUpdate, { id }, { title: next });
      stop();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setSending(false);
    }
  }

  if (!editing) {
    return (
      <h1>
        {title ?? "Untitled"}{" "}
        <button
          ref={button}
          type="button"
          class="quiet edit"
          onClick={() => setDraft(title ?? "")}
          aria-label="Edit the title"
        >
          <Pencil />
        </button>
      </h1>
    );
  }
  return (
    <form class="edit-title" onSubmit={save} onKeyDown={(event) => event.key === "Escape" && stop()}>
      <h1>
        <input
          ref={field}
          name="title"
          aria-label="Title"
          aria-invalid={problem !== ""}
          aria-describedby="title-problem"
          autocomplete="off"
          maxLength={200}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </h1>
      <p>
        <button type="submit" class="main" disabled={sending}>{sending ? "Saving …" : "Save"}</button>
        <button type="button" onClick={stop}>Cancel</button>
        <span id="title-problem" class="problem" role="alert">{problem}</span>
      </p>
    </form>
  );
}

function Pencil() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      aria-hidden="true"
    >
      <path d="M3 17l1-4L14 3l3 3L7 16z M12 5l3 3" stroke-linejoin="round" />
    </svg>
  );
}
