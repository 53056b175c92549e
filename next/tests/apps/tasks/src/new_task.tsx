import { useDLE, useMutation } from "@rejoin/data/preact";
import { explain, isShown, PersonResource, TaskResource } from "./api.ts";

export function NewTask() {
  // The newest is the first of its lists.
  const { mutateAsync, isPending, error } = useMutation(TaskResource.getList.unshift);
  const { data: people } = useDLE(PersonResource.getList);
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const person = String(fields.get("person")) || null;
    // With `done`, which the server would add: so it is known at once in which lists it is.
    mutateAsync({ title: String(fields.get("title")), person, done: false }).then(() => form.reset(), isShown);
  };
  return (
    <form onSubmit={submit}>
      <input name="title" aria-label="What is to be done" placeholder="What is to be done" required />
      <select name="person" aria-label="Who">
        <option value="">Nobody</option>
        {people?.map((person) => <option key={person.id} value={person.id}>{person.name}</option>)}
      </select>
      <button type="submit" disabled={isPending}>{isPending ? "Adding …" : "Add"}</button>
      {error && <p role="alert">{explain(error)}</p>}
    </form>
  );
}
