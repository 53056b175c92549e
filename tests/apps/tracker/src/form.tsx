import { isEnding } from "@rejoin/data";
import { useMutation, useSuspense } from "@rejoin/data/preact";
import { getUsers, Issue, type IssueBody, IssueResource, messageOf, problemsOf } from "./api.ts";
import type { Submit } from "./main.tsx";
import { go } from "./router.ts";

export function NewIssue() {
  const { mutate, isPending, error } = useMutation(IssueResource.create, {
    onSuccess: (issue) => go(`/issues/${issue.id}`, { replace: true }),
  });
  return <Form name="New issue" issue={Issue.defaults} isPending={isPending} error={error} save={mutate} />;
}

export function EditIssue({ id }: { id: number }) {
  const issue = useSuspense(IssueResource.get, { id });
  const { mutate, isPending, error } = useMutation(IssueResource.partialUpdate, {
    onSuccess: () => go(`/issues/${id}`, { replace: true }),
  });
  return (
    <Form
      name="Edit issue"
      issue={issue}
      isPending={isPending}
      error={error}
      save={(body) => mutate({ id }, body)}
    />
  );
}

interface FormProps {
  readonly name: string;
  readonly issue: Issue;
  readonly isPending: boolean;
  readonly error: Error | undefined;
  readonly save: (body: IssueBody) => void;
}

function Form({ name, issue, isPending, error, save }: FormProps) {
  const { users } = useSuspense(getUsers);
  const problems = problemsOf(error);
  const submit = (event: Submit) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const assignee = String(form.get("assignee_id"));
    save({
      title: String(form.get("title")),
      body: String(form.get("body")),
      assignee_id: assignee === "" ? null : Number(assignee),
    });
  };
  return (
    <form class="fields" onSubmit={submit}>
      <h1>{name}</h1>
      <label>
        Title
        <input name="title" defaultValue={issue.title} aria-invalid={problems.title !== undefined} />
        {problems.title && <span class="problem">Title {problems.title}</span>}
      </label>
      <label>
        Description
        <textarea name="body" rows={6} defaultValue={issue.body} aria-invalid={problems.body !== undefined} />
        {problems.body && <span class="problem">Description {problems.body}</span>}
      </label>
      <label>
        Assignee
        <select name="assignee_id">
          <option value="">Nobody</option>
          {users.map(({ id, name }) => <option key={id} value={id} selected={id === issue.assignee?.id}>{name}
          </option>)}
        </select>
      </label>
      <button type="submit" disabled={isPending}>{isPending ? "Saving …" : "Save"}</button>
      {error && !isEnding(error) && Object.keys(problems).length === 0 && <p role="alert">{messageOf(error)}</p>}
    </form>
  );
}
