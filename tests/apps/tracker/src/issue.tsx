import { isEnding, isTemporary, keyOf } from "@rejoin/data";
import { useFetch, useMutation, useSuspense } from "@rejoin/data/preact";
import { CommentResource, count, IssueResource, messageOf, problemsOf, setState } from "./api.ts";
import type { Submit } from "./main.tsx";

export function IssuePage({ id, remove }: { id: number; remove: (id: number) => void }) {
  useFetch(CommentResource.getList, { issue_id: id });
  const issue = useSuspense(IssueResource.get, { id });
  const { mutate, error } = useMutation(setState);
  const isOpen = issue.state === "open";
  return (
    <article>
      <h1>{issue.title}</h1>
      <p>
        <strong>{isOpen ? "Open" : "Closed"}</strong> · {issue.assignee?.name ?? "nobody"} ·{" "}
        {issue.created_at.toLocaleDateString("en-GB", { timeZone: "UTC" })}
      </p>
      <p class="body">{issue.body}</p>
      <div class="bar">
        <a href={`#/issues/${id}/edit`}>Edit</a>
        <button type="button" onClick={() => mutate({ id }, { state: isOpen ? "closed" : "open" })}>
          {isOpen ? "Close" : "Reopen"}
        </button>
        <button type="button" onClick={() => remove(id)}>Delete</button>
      </div>
      {error && !isEnding(error) && <p role="alert">Not saved. {messageOf(error)}</p>}
      <h2>{count(issue.comments_count, "comment")}</h2>
      <Comments issue_id={id} />
    </article>
  );
}

function Comments({ issue_id }: { issue_id: number }) {
  const { comments } = useSuspense(CommentResource.getList, { issue_id });
  const { mutateAsync, error } = useMutation(CommentResource.create);
  const submit = async (event: Submit) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = String(new FormData(form).get("body"));
    form.reset();
    // A refused comment comes back into the field, so that the user can change it.
    await mutateAsync({ issue_id }, { body }).catch(() => form.body.value ||= body);
  };
  const problem = problemsOf(error).body;
  return (
    <>
      <ul aria-label="Comments">
        {comments.map((comment) => (
          <li key={keyOf(comment)}>
            <span class="body">{comment.body}</span>
            <small>
              {comment.author.name} {isTemporary(comment) && "· sending …"}
            </small>
          </li>
        ))}
      </ul>
      <form class="fields" onSubmit={submit}>
        <label>
          Comment
          <textarea name="body" rows={3} />
          {problem && <span class="problem">Comment {problem}</span>}
        </label>
        <button type="submit">Add comment</button>
        {error && !problem && !isEnding(error) && <p role="alert">Not added. {messageOf(error)}</p>}
      </form>
    </>
  );
}
