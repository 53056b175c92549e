import { useMutation, useSuspense } from "@rejoin/data/preact";
import { useState } from "preact/hooks";
import { explain, type Task, TaskResource } from "./api.ts";

export function TaskPage({ id, remove }: { id: string; remove: (id: string) => void }) {
  const task = useSuspense(TaskResource.get, { id });
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <EditTask task={task} stop={() => setEditing(false)} />;
  return (
    <article>
      <h1>{task.title}</h1>
      {task.person && (
        <p>
          for <a href={`#/people/${task.person.id}`}>{task.person.name}</a>
        </p>
      )}
      <p>{task.notes}</p>
      <p class="row">
        <button type="button" onClick={() => setEditing(true)}>Edit</button>
        <button type="button" onClick={() => remove(id)}>Delete</button>
      </p>
    </article>
  );
}

function EditTask({ task, stop }: { task: Task; stop: () => void }) {
  const { mutate, isPending, error } = useMutation(TaskResource.partialUpdate, { onSuccess: stop });
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    mutate({ id: task.id }, { title: String(fields.get("title")), notes: String(fields.get("notes")) });
  };
  return (
    <form onSubmit={submit}>
      <input name="title" aria-label="Title" defaultValue={task.title} />
      <textarea name="notes" aria-label="Notes" defaultValue={task.notes} />
      <button type="submit" disabled={isPending}>{isPending ? "Saving …" : "Save"}</button>
      <button type="button" onClick={stop}>Cancel</button>
      {error && <p role="alert">{explain(error)}</p>}
    </form>
  );
}
